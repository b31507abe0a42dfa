/**
 * Any language model of `effect/ai`. Its own loop stays out of it: tools are only declared, their calls are ours.
 */
import { Model, ModelError, type ModelPart, type Price } from "@daylight/core"
import type { NonEmptyReadonlyArray } from "effect/Array"
import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { namesOf } from "../internal/ActionNames.ts"
import { classify } from "../internal/Classify.ts"
import { type Decoder, Refused } from "../internal/Decoder.ts"
import { withMedia } from "../internal/Media.ts"
import { infoOf } from "../internal/Numbers.ts"
import { effectAiDecoder, type EffectAiPart, modelError } from "./EffectAiDecoder.ts"
import { effectAiRequests } from "./EffectAiRequest.ts"

export interface EffectAiOptions {
  /** Names the provider in events, errors and prices. */
  readonly provider: string
  readonly model: string
  /** Tokens. Default: from the catalogue, else 128,000. */
  readonly contextWindow?: number | undefined
  /**
   * Tokens. Default: from the catalogue, else 8,192. `effect/ai` has no common setting for the length of an answer, its
   * temperature or its reasoning: give these to the model's own layer.
   */
  readonly maxOutputTokens?: number | undefined
  /** Default: from the catalogue. */
  readonly price?: Price | undefined
  /** Default true. */
  readonly toolCalling?: boolean | undefined
}

/** A model over a layer of `effect/ai`. */
export const layer = <E>(
  languageModel: Layer.Layer<LanguageModel.LanguageModel, E>,
  options: EffectAiOptions
): Layer.Layer<Model, E> =>
  Layer.effect(
    Model,
    Effect.map(
      Layer.build(languageModel),
      (context) => make(Context.get(context, LanguageModel.LanguageModel), options)
    )
  )

/** The service behind `layer`, for who composes models by hand. */
export const make = (languageModel: LanguageModel.LanguageModel, options: EffectAiOptions): Model["Service"] => {
  const info = infoOf(options.provider, options, { contextWindow: 128_000, maxOutputTokens: 8_192 })
  const build = effectAiRequests()
  return {
    info,
    stream: (request) =>
      Stream.unwrap(Effect.gen(function*() {
        const clock = yield* Clock.Clock
        const now = () => clock.currentTimeMillisUnsafe()
        const { prompt, toolChoice, toolkit } = yield* withMedia((media) => build(request, media), request)
        const parts = languageModel.streamText({
          prompt,
          toolkit,
          toolChoice,
          disableToolCallResolution: true,
          toolCallValidation: "deferred"
        })
        const decoder = effectAiDecoder({
          provider: info.provider,
          model: info.model,
          actionName: namesOf(request.actions).fromWire,
          now
        })
        const wrong = (error: unknown) =>
          error instanceof ModelError ? error : isAiError(error)
            ? modelError(error, info, now())
            : new ModelError({
              provider: info.provider,
              model: info.model,
              reason: error instanceof Refused ? error.reason : classify(error, now())
            })
        return Stream.transformPull(parts as Stream.Stream<EffectAiPart, AiError.AiError>, (pull) =>
          Effect.succeed(decoding(pull, decoder, wrong)))
      }))
  }
}

const isAiError = (error: unknown): error is AiError.AiError =>
  typeof error === "object" && error !== null && (error as { readonly _tag?: unknown })._tag === "AiError"

type Parts = NonEmptyReadonlyArray<ModelPart>

/** Decodes array by array; the end of the stream is where the answer is closed. */
const decoding = (
  pull: Pull.Pull<NonEmptyReadonlyArray<EffectAiPart>, AiError.AiError>,
  decoder: Decoder<EffectAiPart>,
  wrong: (error: unknown) => ModelError
): Pull.Pull<Parts, ModelError> => {
  let over = false
  const decoded = (decode: (out: Array<ModelPart>) => void): Pull.Pull<Parts, ModelError> => {
    const out: Array<ModelPart> = []
    try {
      decode(out)
    } catch (error) {
      return Effect.fail(wrong(error))
    }
    return out.length > 0 ? Effect.succeed(out as unknown as Parts) : self
  }
  const end = () => {
    over = true
    return decoded(decoder.end)
  }
  const self: Pull.Pull<Parts, ModelError> = Effect.suspend(() => {
    if (over) return Cause.done()
    if (decoder.settled()) return end()
    return Effect.matchEffect(pull, {
      onSuccess: (parts) =>
        decoded((out) => {
          for (const part of parts) decoder.push(part, out)
        }),
      onFailure: (error) => Cause.isDone(error) ? end() : Effect.fail(wrong(error))
    })
  })
  return self
}

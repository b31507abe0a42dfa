/**
 * Any language model of the AI SDK: hundreds of providers, each by its own package. The SDK's loop, its retries and its
 * tools stay out of it; one call is one `doStream`.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider"
import { InvalidInput, Model, type Price } from "@daylight/core"
import type { LanguageModel } from "ai"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { namesOf } from "../internal/ActionNames.ts"
import { withMedia } from "../internal/Media.ts"
import { infoOf } from "../internal/Numbers.ts"
import { sdkStream } from "../internal/SdkStream.ts"
import { aiSdkDecoder } from "./AiSdkDecoder.ts"
import { aiSdkRequests } from "./AiSdkRequest.ts"

/** A model object of a provider package, of the current interface or an older one. */
export type AiSdkModel = Exclude<LanguageModel, string>

export interface AiSdkOptions {
  /**
   * Names the provider in events, errors and prices. Default: the model's own, up to its first dot (`google`, `xai`).
   */
  readonly provider?: string | undefined
  /** Tokens. Default: from the catalogue, else 128,000. */
  readonly contextWindow?: number | undefined
  /** Tokens. Default: from the catalogue, else 8,192. */
  readonly maxOutputTokens?: number | undefined
  /** Default: from the catalogue. */
  readonly price?: Price | undefined
  /** Default true. */
  readonly toolCalling?: boolean | undefined
}

/**
 * A model. One of an older interface needs the package `ai`, which is asked to translate it; where that fails, the
 * layer fails with `InvalidInput`.
 */
export const layer = (model: AiSdkModel, options: AiSdkOptions = {}): Layer.Layer<Model, InvalidInput> =>
  Layer.effect(Model, make(model, options))

/** The service behind `layer`, for who composes models by hand. */
export const make = Effect.fnUntraced(
  function*(given: AiSdkModel, options: AiSdkOptions = {}): Effect.fn.Return<Model["Service"], InvalidInput> {
    const model = yield* current(given)
    const info = infoOf(options.provider ?? model.provider.split(".")[0]!, { ...options, model: model.modelId }, {
      contextWindow: 128_000,
      maxOutputTokens: 8_192
    })
    const build = aiSdkRequests()
    return {
      info,
      stream: (request) =>
        sdkStream(Effect.gen(function*() {
          const clock = yield* Clock.Clock
          const call = yield* withMedia((media) => build(request, media), request)
          return {
            provider: info.provider,
            model: info.model,
            secrets: [],
            open: async (abortSignal: AbortSignal) => (await model.doStream({ ...call, abortSignal })).stream,
            wire: () => undefined,
            decoder: aiSdkDecoder({
              provider: info.provider,
              model: info.model,
              actionName: namesOf(request.actions).fromWire,
              now: () => clock.currentTimeMillisUnsafe()
            })
          }
        }))
    }
  }
)

const current = (model: AiSdkModel): Effect.Effect<LanguageModelV4, InvalidInput> => {
  if (model.specificationVersion === "v4") return Effect.succeed(model)
  return Effect.tryPromise({
    try: async () => {
      const { wrapLanguageModel } = await import("ai")
      return wrapLanguageModel({ model, middleware: [] })
    },
    catch: (cause) =>
      new InvalidInput({
        subject: `AiSdk.layer(${model.provider} ${model.modelId})`,
        problem: `the model has the older interface ${model.specificationVersion}, which cannot be translated: ${
          cause instanceof Error ? cause.message : String(cause)
        }`,
        remedy: "Install the package ai, or a newer version of the provider's package"
      })
  })
}

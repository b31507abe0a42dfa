/**
 * Models that stand in for each other: the next one is asked when one fails in a way declared as passing.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { InvalidInput } from "../InvalidInput.ts"
import type { Model, ModelInfo, ModelRequest } from "../Model.ts"
import type { ModelError, ModelFailure } from "../ModelError.ts"
import { attemptsOf } from "./Attempts.ts"
import { fromSource, onPull, type PartsPull } from "./Source.ts"
import { tell } from "./Retrying.ts"

export interface FallbackOptions {
  /**
   * Failures after which the next model is asked. Default: those that a repetition could mend, such as `RateLimited`
   * and `Overloaded`.
   */
  readonly after?: ReadonlyArray<ModelFailure["_tag"]> | undefined
}

/**
 * A model that is the first of these that answers. It takes what all of them take: the smallest window, the smallest
 * output. Who answered is in the events (`ModelCalled`, one for each attempt). An empty list is an `InvalidInput`.
 */
export const fallback = <E>(
  key: typeof Model,
  models: ReadonlyArray<Layer.Layer<Model, E>>,
  options: FallbackOptions = {}
): Layer.Layer<Model, E | InvalidInput> =>
  Layer.effect(
    key,
    Effect.gen(function*() {
      const services = yield* Effect.forEach(models, (layer) => build(key, layer))
      const [first, ...others] = services
      if (first === undefined) {
        return yield* new InvalidInput({
          subject: "Model.fallback",
          problem: "there is no model",
          remedy: "Name at least one, the preferred one first"
        })
      }
      return fallbackOf([first, ...others], options)
    })
  )

/** The same over services instead of layers. */
export const fallbackOf = (
  models: readonly [Model["Service"], ...Array<Model["Service"]>],
  options: FallbackOptions = {}
): Model["Service"] => {
  const after = options.after === undefined ? undefined : new Set<string>(options.after)
  const passing = (error: ModelError) => after === undefined ? error.retryable : after.has(error.reason._tag)
  return {
    info: common(models.map((model) => model.info) as [ModelInfo, ...Array<ModelInfo>]),
    stream: (request) => {
      const { announce, request: inner } = attemptsOf(request)
      return fromSource(() => models[0].stream(clamped(inner, models[0].info)), (source) => {
        let at = 0
        let said = false
        const failed = (error: ModelError): PartsPull => {
          const next = models[at + 1]
          if (next === undefined || said || !passing(error)) return Effect.fail(error)
          at++
          return source.reopen(next.stream(clamped(inner, next.info))).pipe(
            Effect.andThen(tell(request, error, 0)),
            Effect.andThen(announce(next.info)),
            Effect.andThen(pull)
          )
        }
        const pull: PartsPull = onPull(
          source.pull,
          (parts) => {
            // Once text is out, going on with it is better than another answer: that is what `continuing` does.
            if (!said) {
              said = parts.some((part) => part._tag === "TextDelta" && part.text !== "" || part._tag === "ActionEnd")
            }
            return Effect.succeed(parts)
          },
          failed
        )
        return pull
      })
    }
  }
}

/** Builds a layer in the scope of another. */
export const build = <E>(key: typeof Model, layer: Layer.Layer<Model, E>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, key))

export const clamped = (request: ModelRequest, { maxOutputTokens }: ModelInfo): ModelRequest =>
  request.maxOutputTokens <= maxOutputTokens ? request : { ...request, maxOutputTokens }

/** What holds for each of these models. The name and the price are the first one's. */
export const common = (infos: readonly [ModelInfo, ...Array<ModelInfo>]): ModelInfo => ({
  ...infos[0],
  contextWindow: Math.min(...infos.map((info) => info.contextWindow)),
  maxOutputTokens: Math.min(...infos.map((info) => info.maxOutputTokens)),
  toolCalling: infos.every((info) => info.toolCalling),
  strictAlternation: infos.some((info) => info.strictAlternation)
})

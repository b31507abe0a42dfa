/**
 * Chooses a model for each call: a small one for summaries, a strong one for answers.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { InvalidInput } from "../InvalidInput.ts"
import type { Model, ModelRequest, Purpose } from "../Model.ts"
import { build, clamped, common } from "./Fallback.ts"

export interface RouteRule<E> {
  /** Calls for these purposes. Default: all. */
  readonly purposes?: ReadonlyArray<Purpose> | undefined
  /** Calls for which this holds. Default: all. Must not depend on anything but the request, or replays differ. */
  readonly when?: ((request: ModelRequest) => boolean) | undefined
  readonly model: Layer.Layer<Model, E>
}

/**
 * A model that is, for each call, the model of the first rule that fits it. The last rule must fit every call, else it
 * is an `InvalidInput`. It goes by the last rule's name and price; other models announce themselves as another attempt.
 */
export const route = <E>(key: typeof Model, rules: ReadonlyArray<RouteRule<E>>): Layer.Layer<Model, E | InvalidInput> =>
  Layer.effect(
    key,
    Effect.gen(function*() {
      const last = rules.at(-1)
      if (last === undefined || last.purposes !== undefined || last.when !== undefined) {
        return yield* new InvalidInput({
          subject: "Model.route",
          problem: "a call may fit no rule",
          remedy: "End with a rule that has neither `purposes` nor `when`"
        })
      }
      const routes = yield* Effect.forEach(
        rules,
        ({ model, purposes, when }) => Effect.map(build(key, model), (model) => ({ model, purposes, when }))
      )
      const standard = routes.at(-1)!.model
      const info = common([standard.info, ...routes.map((route) => route.model.info)])
      return {
        info,
        stream: (request) => {
          const { model } = routes.find(({ purposes, when }) =>
            (purposes === undefined || purposes.includes(request.purpose)) && (when === undefined || when(request))
          ) ?? { model: standard }
          const stream = model.stream(clamped(request, model.info))
          if (model === standard || request.onAttempt === undefined) {
            return stream
          }
          const { model: name, provider } = model.info
          return Stream.unwrap(Effect.as(request.onAttempt({ attempt: 1, provider, model: name }), stream))
        }
      }
    })
  )

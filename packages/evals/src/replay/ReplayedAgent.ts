/**
 * An agent definition as a replay runs it: the same instructions, bindings and limits, with models that answer from a
 * recording in the place of its own and of its sub-agents'.
 */
import {
  Agent,
  type AgentOptions,
  Binding,
  Model,
  type ModelError,
  type ModelPart,
  type ModelRequest,
  Resilience
} from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Cassette } from "../cassette/Cassette.ts"
import type { ModelReplay } from "../cassette/ReplayModel.ts"

type Own = Layer.Layer<Model, unknown>

export interface ReplayedAgentOptions {
  readonly replay: ModelReplay
  /** Set once the recording is left: from then on models answer for themselves. */
  readonly live?: { readonly entered: () => boolean; readonly model: Own } | undefined
  /** Merged over the agent's own. */
  readonly services?: Layer.Layer<never, unknown> | undefined
}

export const replayedAgent = (agent: AgentOptions, options: ReplayedAgentOptions): AgentOptions => {
  const patience = hasFailures(options.replay.cassette) ? Layer.succeed(Resilience, hasty) : Layer.empty
  const services = [patience, agent.services, options.services].filter((layer) => layer !== undefined)
  return {
    ...agent,
    model: modelLayer([agent.name], options.live?.model, options),
    ...(agent.bindings !== undefined && {
      bindings: agent.bindings.map((binding) => replayedBinding(binding, [agent.name], options))
    }),
    services: services.reduce((all, layer) => Layer.provideMerge(layer, all))
  }
}

const hasFailures = ({ answers }: Cassette): boolean => answers.some(({ end }) => typeof end === "object")

/** What was waited for when it was recorded is not waited for again. */
const hasty: Resilience = (model) => {
  const patient = (request: ModelRequest) =>
    Stream.mapError(
      model.stream(request),
      (error): ModelError =>
        "retryAfterMs" in error.reason && error.reason.retryAfterMs !== undefined
          ? Object.assign(Object.create(Object.getPrototypeOf(error) as object), error, {
            reason: { ...error.reason, retryAfterMs: 0 }
          }) as ModelError
          : error
    )
  return Model.resilient({ info: model.info, stream: patient }, { retry: { base: 0 } })
}

const replayedBinding = (binding: Binding, above: ReadonlyArray<string>, options: ReplayedAgentOptions): Binding => {
  if (binding._tag !== "Agent") return binding
  const path = [...above, binding.agent.name]
  const own = binding.agent.model ?? options.live?.model
  const agent = Agent.make({
    ...binding.agent,
    model: modelLayer(path, own, options),
    bindings: binding.agent.bindings.map((inner) => replayedBinding(inner, path, options))
  })
  return Binding.agent(binding.name, agent, { limits: binding.limits })
}

/** The agent's own model is built when it is first asked, if ever: it may need a key. */
const modelLayer = (
  path: ReadonlyArray<string>,
  own: Own | undefined,
  { live, replay }: ReplayedAgentOptions
): Layer.Layer<Model> =>
  Layer.effect(
    Model,
    Effect.map(Effect.scope, (scope) => {
      const recorded = replay.model(path)
      let built: Effect.Effect<Model["Service"]> | undefined
      const ownModel = (layer: Own) =>
        built ??= Effect.runSync(Effect.cached(Effect.orDie(
          Effect.map(
            Layer.buildWithScope(layer, scope),
            (context) => Effect.runSync(Effect.provideContext(Effect.service(Model), context))
          )
        )))
      const stream = (request: ModelRequest): Stream.Stream<ModelPart, ModelError> =>
        Stream.suspend(() =>
          live?.entered() === true && own !== undefined
            ? Stream.unwrap(Effect.map(ownModel(own), (model) => model.stream(request)))
            : recorded.stream(request)
        )
      return Model.of({ info: recorded.info, stream })
    })
  )

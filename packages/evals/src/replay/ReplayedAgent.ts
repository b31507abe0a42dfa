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
import { namedModel } from "./NamedModel.ts"

type Own = Layer.Layer<Model, unknown>

export interface ReplayedAgentOptions {
  readonly replay: ModelReplay
  /** Told of an agent whose model could not be seen: the recorded one is taken for it. */
  readonly onUnseen?: ((agent: ReadonlyArray<string>, why: string) => void) | undefined
  /** The path of names to the agent, without its own. Default: it is the root. */
  readonly above?: ReadonlyArray<string> | undefined
  /** Set once the recording is left: from then on models answer for themselves. */
  readonly live?: { readonly entered: () => boolean; readonly model: Own } | undefined
  /** Merged over the agent's own. */
  readonly services?: Layer.Layer<never, unknown> | undefined
}

export const replayedAgent = (agent: AgentOptions, options: ReplayedAgentOptions): AgentOptions => {
  const patience = hasFailures(options.replay.cassette) ? Layer.succeed(Resilience, hasty) : Layer.empty
  const path = [...options.above ?? [], agent.name]
  const services = [patience, agent.services, options.services].filter((layer) => layer !== undefined)
  return {
    ...agent,
    model: modelLayer(path, options.live?.model ?? agent.model, options),
    ...(agent.bindings !== undefined && {
      bindings: agent.bindings.map((binding) => replayedBinding(binding, path, agent.model, options))
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

/** A sub-agent without a model of its own has that of whoever calls it. */
const replayedBinding = (
  binding: Binding,
  above: ReadonlyArray<string>,
  inherited: Own,
  options: ReplayedAgentOptions
): Binding => {
  if (binding._tag !== "Agent") return binding
  const path = [...above, binding.agent.name]
  const own = binding.agent.model ?? inherited
  const agent = Agent.make({
    ...binding.agent,
    model: modelLayer(path, binding.agent.model ?? options.live?.model ?? own, options),
    bindings: binding.agent.bindings.map((inner) => replayedBinding(inner, path, own, options))
  })
  return Binding.agent(binding.name, agent, { limits: binding.limits })
}

/**
 * The agent's own model is looked at for its name, which is a part of every request. It is built to be asked when it
 * first is, if ever: it may need a key.
 */
const modelLayer = (
  path: ReadonlyArray<string>,
  own: Own,
  { live, onUnseen, replay }: ReplayedAgentOptions
): Layer.Layer<Model> =>
  Layer.effect(
    Model,
    Effect.gen(function*() {
      const scope = yield* Effect.scope
      const recorded = replay.model(path).info
      // Where a recording is left for another model, that one is meant to differ.
      const named = live !== undefined ? recorded : yield* Effect.catch(namedModel(own), (why) => {
        onUnseen?.(path, why)
        return Effect.succeed(recorded)
      })
      const info = { ...recorded, model: named.model, provider: named.provider }
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
          live?.entered() === true
            ? Stream.unwrap(Effect.map(ownModel(own), (model) => model.stream(request)))
            : replay.stream(info, request)
        )
      return Model.of({ info, stream })
    })
  )

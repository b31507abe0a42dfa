/**
 * Fault plans for agents: what must be true is that the outcome stays the same, or that it fails in a way that was
 * thought of.
 */
import type { Model, ModelRequest, OutcomeRecord } from "@daylight/core"
import type * as Layer from "effect/Layer"
import { type Difference, jsonDiff } from "../internal/JsonDiff.ts"
import { FaultPlan, type FaultPlanOptions } from "./FaultPlan.ts"
import { faultyFetch } from "./FaultyFetch.ts"
import { faultyLayer } from "./FaultyModel.ts"

/**
 * What of an outcome must survive trouble: how the run ended, its text and answer. Steps and tokens may be more.
 * Gives the differences; none means that the fault did no harm.
 */
const harm = (
  without: Pick<OutcomeRecord, "reason" | "text"> & { readonly answer?: unknown },
  withFaults: Pick<OutcomeRecord, "reason" | "text"> & { readonly answer?: unknown }
): ReadonlyArray<Difference> => {
  const essence = ({ answer, reason, text }: typeof without) => ({ reason, text, answer })
  return jsonDiff(essence(without), essence(withFaults))
}

/**
 * ```ts
 * import { createAgent } from "@daylight/core/promise"
 * import { Faults, ScriptedModel } from "@daylight/evals"
 * import { VmRuntime } from "@daylight/runtime-vm"
 *
 * const plan = Faults.plan({ seed: 1, rules: [{ kind: "429", at: 0 }] })
 * await using agent = createAgent({
 *   name: "adder",
 *   model: Faults.model(ScriptedModel.layer(["It is 42."]), plan),
 *   runtime: VmRuntime.layer
 * })
 * await agent.ask("What is 6 times 7?") // => "It is 42."
 * plan.struck.length // => 1
 * ```
 */
export const Faults = {
  plan: <Request = ModelRequest>(options: FaultPlanOptions<Request>): FaultPlan<Request> => new FaultPlan(options),
  /** A model with the faults of a plan. */
  model: <E>(model: Layer.Layer<Model, E>, plan: FaultPlan<ModelRequest>): Layer.Layer<Model, E> =>
    faultyLayer(model, plan),
  /** A `fetch` with the faults of a plan, for a provider or an SDK. */
  fetch: faultyFetch,
  harm
}

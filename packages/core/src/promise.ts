/**
 * Agents for plain TypeScript: nobody has to know Effect to use one. Layers are values that are passed on.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Agent } from "./Agent.ts"
import type { AgentHandle, AgentOptions } from "./AgentHandle.ts"
import { Approvals } from "./Approvals.ts"
import { makeHandle } from "./internal/Handle.ts"
import { Session } from "./Session.ts"
import { SessionStore } from "./SessionStore.ts"

export type { AgentHandle, AgentModule, AgentOptions } from "./AgentHandle.ts"

/**
 * An agent with a session of its own. Throws `InvalidInput` for a definition that is wrong; its layers are built on the
 * first call, which rejects with their error. Dispose it (`await using`) to end its cells, timers and children.
 *
 * ```ts
 * import { Binding } from "@daylight/core"
 * import { createAgent } from "@daylight/core/promise"
 * import { ScriptedModel } from "@daylight/core/testing"
 * import { VmRuntime } from "@daylight/runtime-vm"
 *
 * const orders = [{ region: "north", total: 3 }, { region: "south", total: 5 }]
 * await using agent = createAgent({
 *   name: "analyst",
 *   model: ScriptedModel.layer([{ code: "orders[0].total + orders[1].total" }, "All orders come to 8."]),
 *   runtime: VmRuntime.layer,
 *   bindings: [Binding.variable("orders", orders)]
 * })
 * await agent.ask("What do all orders come to?") // => "All orders come to 8."
 * ```
 */
export const createAgent = (options: AgentOptions): AgentHandle => {
  const { approvals, id, labels, model, principal, runtime, services, store, ...definition } = options
  const agent = Agent.make(definition)
  const scope = Scope.makeUnsafe()
  const layer = Layer.mergeAll(model, runtime, store ?? SessionStore.layerMemory).pipe(
    Layer.provideMerge(services ?? Layer.empty)
  )
  const open = () =>
    Effect.gen(function*() {
      const built = yield* Layer.buildWithScope(layer, scope)
      const context = approvals === undefined ? built : Context.add(built, Approvals, approvals)
      return yield* Effect.provideContext(
        Session.open(agent, { id, labels, principal }),
        Context.add(context, Scope.Scope, scope)
      )
    })
  return makeHandle({ name: agent.name, open, dispose: () => Effect.runPromise(Scope.close(scope, Exit.void)) })
}

import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { AgentBinding, Binding, Bound, ResourceBinding } from "../Binding.ts"
import { SessionId } from "../Ids.ts"
import { InvalidInput } from "../InvalidInput.ts"
import type { Platform } from "../Platform.ts"
import type { Session } from "../Session.ts"
import { makeHandle } from "./Handle.ts"

/** What lowering needs of the session whose bindings they are. */
export interface Lowering {
  readonly id: SessionId
  readonly scope: Scope.Scope
  readonly platform: Platform
  /** Opens the session of a bound agent, as a child of this one. */
  readonly openChild: (binding: AgentBinding, id: SessionId) => Effect.Effect<Session, unknown>
}

/**
 * Turns what only the engine can resolve into what a runtime binds: a resource is acquired, an agent becomes its
 * handle.
 */
export const lower = (
  lowering: Lowering,
  bindings: ReadonlyArray<Binding>
): Effect.Effect<ReadonlyArray<Bound>, InvalidInput> =>
  Effect.forEach(bindings, (binding) => {
    switch (binding._tag) {
      case "Resource":
        return acquired(lowering, binding)
      case "Agent":
        return Effect.succeed(handled(lowering, binding))
      default:
        return Effect.succeed<Bound>(binding)
    }
  })

const acquired = (
  { scope }: Lowering,
  { acquire, contract, declaration, description, name }: ResourceBinding
): Effect.Effect<Bound, InvalidInput> =>
  Effect.provideService(acquire, Scope.Scope, scope).pipe(
    Effect.map((value): Bound => ({ _tag: "Variable", name, value, description, declaration, contract })),
    Effect.mapError((error) =>
      new InvalidInput({
        subject: `resource ${name}`,
        problem: `could not be acquired: ${error.message}`,
        remedy: "Check what acquire needs"
      })
    )
  )

const handled = ({ id, openChild, platform }: Lowering, binding: AgentBinding): Bound => {
  const child = SessionId.make(`${id}/${binding.name}`)
  const handle = makeHandle({
    name: binding.agent.name,
    open: () => openChild(binding, child),
    ambient: () => platform.current()?.signal
  })
  const contract = { effect: "idempotent", child } as const
  return {
    _tag: "Variable",
    name: binding.name,
    value: handle,
    contract: { run: contract, ask: contract },
    declaration: agentDeclaration(binding)
  }
}

const agentDeclaration = ({ agent, name }: AgentBinding): string =>
  `/** ${sentence(agent.description ?? `The agent ${agent.name}`)} It has variables of its own. */
declare const ${name}: {
  /** Gives it a task and returns its answer. Throws if it fails. */
  ask(task: string): Promise<string>
  /** As \`ask\`, with how it ended instead of an exception. */
  run(task: string): Promise<{ reason: string; text: string }>
  /** Its variables. Assign before you ask; read with \`await ${name}.vars.x\`. The very same objects, no copies. */
  readonly vars: { [variable: string]: any }
}`

const sentence = (text: string): string => text.trim().replaceAll("*/", "* /").replace(/[^.!?]$/, "$&.")

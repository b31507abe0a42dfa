import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { AgentBinding, Binding, Bound, ResourceBinding, SecretBinding } from "../Binding.ts"
import { SessionId } from "../Ids.ts"
import { InvalidInput } from "../InvalidInput.ts"
import type { Platform } from "../Platform.ts"
import type { Secrets } from "../Secrets.ts"
import type { Session } from "../Session.ts"
import type { Vault } from "./gate/Vault.ts"
import { makeHandle } from "./Handle.ts"

/** What lowering needs of the session whose bindings they are. */
export interface Lowering {
  readonly id: SessionId
  readonly scope: Scope.Scope
  readonly platform: Platform
  readonly secrets: Secrets
  readonly vault: Vault
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
      case "Secret":
        return hidden(lowering, binding)
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

/** Shorter ones stand in too many texts by chance to be kept out of them. */
const leastSecret = 6

const hidden = (
  { secrets, vault }: Lowering,
  { name, value }: SecretBinding
): Effect.Effect<Bound, InvalidInput> => {
  const invalid = (problem: string, remedy: string) => new InvalidInput({ subject: `secret ${name}`, problem, remedy })
  const found = value === undefined ? secrets.get(name) : Effect.try({
    try: value,
    catch: (error) => invalid(`could not be read: ${(error as Error).message}`, "Check the function of the binding")
  })
  return Effect.flatMap(found, (found) => {
    if (found === undefined) return invalid("has no value", "Set it in the environment, or provide Secrets")
    if (found.length < leastSecret) {
      return invalid(`has fewer than ${leastSecret} characters`, "Only longer ones can be kept out of output and log")
    }
    return Effect.succeed<Bound>({
      _tag: "Variable",
      name,
      value: vault.add(name, found),
      sensitive: true,
      declaration: `/** A secret. Pass it to functions as it is; it cannot be read or printed. */
declare const ${name}: string & { readonly secret: true }`
    })
  })
}

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
    contract: { run: contract, ask: contract, continue: contract },
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

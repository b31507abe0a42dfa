/**
 * What an application puts into a runtime: variables, functions, types, resources, other agents. The constructors check
 * at once and run nothing; what a binding holds stays the application's own object.
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Agent } from "./Agent.ts"
import type { AnySchema } from "./AnySchema.ts"
import type { Contract } from "./Contract.ts"
import { InvalidInput } from "./InvalidInput.ts"
import { checkName } from "./internal/Names.ts"
import type { Limits } from "./Limits.ts"

/** The methods of an object that cross the boundary, by name. */
export type Methods = { readonly [method: string]: Contract }

/**
 * A live object, handed over by reference. Without `contract` it is a bare reference and its own methods stay
 * synchronous.
 */
export interface VariableBinding {
  readonly _tag: "Variable"
  readonly name: string
  readonly value: unknown
  readonly description?: string | undefined
  /** TypeScript text that declares `name`, where what is derived from the object does not say enough. */
  readonly declaration?: string | undefined
  readonly contract?: Methods | undefined
  /** No sample of it enters the prompt. */
  readonly sensitive?: boolean | undefined
}

/** A function of the application. It always has a contract, an empty one if none is given. */
export interface FunctionBinding {
  readonly _tag: "Function"
  readonly name: string
  readonly call: (...args: Array<any>) => unknown
  readonly declaration?: string | undefined
  readonly contract?: Contract | undefined
}

/** A type the model may write, and, where it is a class, construct and test with `instanceof`. */
export interface TypeBinding {
  readonly _tag: "Type"
  readonly name: string
  /** The class itself; absent for a schema or a text, which exist for the type check and the prompt only. */
  readonly value?: (abstract new(...args: Array<any>) => unknown) | undefined
  readonly schema?: AnySchema<any> | undefined
  readonly declaration?: string | undefined
  readonly description?: string | undefined
}

/** Acquired per session and released with it. */
export interface ResourceBinding {
  readonly _tag: "Resource"
  readonly name: string
  readonly acquire: Effect.Effect<unknown, Error, Scope.Scope>
  readonly description?: string | undefined
  readonly declaration?: string | undefined
  readonly contract?: Methods | undefined
}

/** A value that cells pass on and cannot read: see `Secret`. */
export interface SecretBinding {
  readonly _tag: "Secret"
  readonly name: string
  /** Default: what `Secrets` knows under the name. */
  readonly value?: (() => string) | undefined
}

/** Another agent, with a session and a namespace of its own. A cell sees its `AgentHandle`. */
export interface AgentBinding {
  readonly _tag: "Agent"
  readonly name: string
  readonly agent: Agent
  readonly limits?: Limits | undefined
}

export type Binding = VariableBinding | FunctionBinding | TypeBinding | SecretBinding | ResourceBinding | AgentBinding

/** A function of the engine itself, such as `finish`: read-only, and not a host call. */
export interface Builtin {
  readonly _tag: "Builtin"
  readonly name: string
  readonly declaration: string
  readonly call: (...args: Array<any>) => unknown
}

/**
 * What a runtime binds. The engine has lowered the rest: an agent is the variable of its handle, a resource the
 * variable it acquired, a secret the variable of the object that stands for it.
 */
export type Bound = VariableBinding | FunctionBinding | TypeBinding | Builtin

const variable = (
  name: string,
  value: unknown,
  options?: Omit<VariableBinding, "_tag" | "name" | "value">
): Binding => {
  checkName("variable", name)
  checkDescribable(name, value)
  checkMethods(name, value, options?.contract)
  return { ...options, _tag: "Variable", name, value }
}

const func = (
  call: (...args: Array<any>) => unknown,
  options: Contract & { readonly name?: string | undefined; readonly declaration?: string | undefined } = {}
): Binding => {
  if (typeof call !== "function") {
    throw new InvalidInput({
      subject: "Binding.func",
      problem: `expected a function, got ${typeof call}`,
      remedy: "Use Binding.variable for values"
    })
  }
  const { name = call.name, declaration, ...contract } = options
  if (name === "") {
    throw new InvalidInput({
      subject: "Binding.func",
      problem: "the function has no name",
      remedy: 'Pass { name: "..." }'
    })
  }
  checkName("function", name)
  return { _tag: "Function", name, call, declaration, contract }
}

const type = (
  source: (abstract new(...args: Array<any>) => unknown) | AnySchema<any> | string,
  options: {
    readonly name?: string | undefined
    readonly description?: string | undefined
    /** TypeScript text that declares the class, where what can be read off it does not say enough. */
    readonly declaration?: string | undefined
  } = {}
): Binding => {
  const { declaration, description } = options
  if (typeof source === "string") {
    const name = options.name ??
      /\b(?:interface|type|class|enum)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(source)?.[1]
    return { _tag: "Type", name: named(name), declaration: source, description }
  }
  if (typeof source === "function" && !("~standard" in source) && !("ast" in source)) {
    return { _tag: "Type", name: named(options.name ?? source.name), value: source, declaration, description }
  }
  return { _tag: "Type", name: named(options.name), schema: source as AnySchema<any>, declaration, description }
}

const named = (name: string | undefined): string => {
  if (name === undefined || name === "") {
    throw new InvalidInput({ subject: "Binding.type", problem: "the type has no name", remedy: 'Pass { name: "..." }' })
  }
  checkName("type", name)
  return name
}

const resource = (
  name: string,
  acquire: Effect.Effect<unknown, Error, Scope.Scope>,
  options?: Omit<ResourceBinding, "_tag" | "name" | "acquire">
): Binding => {
  checkName("resource", name)
  return { ...options, _tag: "Resource", name, acquire }
}

const secret = (name: string, value?: () => string): Binding => {
  checkName("secret", name)
  return { _tag: "Secret", name, value }
}

const agent = (name: string, definition: Agent, options?: { readonly limits?: Limits | undefined }): Binding => {
  checkName("agent", name)
  return { _tag: "Agent", name, agent: definition, limits: options?.limits }
}

/** A revoked proxy, or one that throws when it is looked at, can neither be told to a model nor used by a cell. */
const checkDescribable = (name: string, value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  try {
    Object.getPrototypeOf(value)
  } catch (error) {
    throw new InvalidInput({
      subject: `variable ${JSON.stringify(name)}`,
      problem: `cannot be described: ${(error as Error).message}`,
      remedy: "Bind an object that can be looked at"
    })
  }
}

/** A contract that names a method the object has not is a slip that would leave the real one unguarded. */
const checkMethods = (name: string, value: unknown, contract: Methods | undefined): void => {
  for (const method of Object.keys(contract ?? {})) {
    if (typeof (value as Record<string, unknown> | null | undefined)?.[method] !== "function") {
      throw new InvalidInput({
        subject: `${name}.${method}`,
        problem: "the contract names a method that the object does not have",
        remedy: "Correct the name or drop the contract"
      })
    }
  }
}

/**
 * Constructors of bindings. All throw `InvalidInput` at once, before any model call; none runs anything.
 *
 * ```ts
 * import { Binding } from "@daylight/core"
 *
 * const orders = [{ id: 1, total: 9.5 }]
 * const binding = Binding.variable("orders", orders, { description: "Orders of today" })
 * binding.name // => "orders"
 * ```
 */
export const Binding = {
  /** A live object under a name. */
  variable,
  /**
   * A function; the name is its own unless given. What is not declared harmless (`effect: "none"`) is treated as an
   * effect on the world.
   */
  func,
  /** A class (constructor, properties and inherited methods are shown), a schema, or declaration text. */
  type,
  /** A value acquired per session and released with it. */
  resource,
  /**
   * A secret: cells pass it to functions, which get its value; it is never printed, logged or sent to a model. `value`
   * is read when a session opens; without it `Secrets` is asked.
   */
  secret,
  /** Another agent, as a variable with `run`, `ask`, `stream` and `vars`. */
  agent
}

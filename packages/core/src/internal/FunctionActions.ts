import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import type { AnySchema } from "../AnySchema.ts"
import type { FunctionBinding } from "../Binding.ts"
import type { Boundary } from "../Boundary.ts"
import { Defaults } from "../Defaults.ts"
import type { Action, Message } from "../Message.ts"
import type { ModelRequest } from "../Model.ts"
import type { Platform } from "../Platform.ts"
import { feedback } from "./Feedback.ts"
import { jsonSchemaOf } from "../schema/JsonSchemaOf.ts"
import type { Run } from "./Run.ts"

type Feedback = (typeof Message.cases.Result.Type)["content"][number]
type ActionSpec = ModelRequest["actions"][number]
type JsonObject = { readonly [key: string]: Schema.Json }

/** How the JSON object of a tool call becomes positional arguments. */
interface FunctionTool {
  readonly binding: FunctionBinding
  readonly spec: ActionSpec
  readonly toArguments: (input: Schema.Json) => ReadonlyArray<unknown>
}

/** The `functions` format: bound functions as ordinary JSON tools, through the same boundary as calls from cells. */
export class FunctionActions {
  readonly #boundary: Boundary
  readonly #platform: Platform
  readonly #tools = new Map<string, FunctionTool>()
  #specs: ReadonlyArray<ActionSpec> = []
  readonly #finish = new WeakMap<object, ReadonlyArray<ActionSpec>>()

  constructor(boundary: Boundary, platform: Platform) {
    this.#boundary = boundary
    this.#platform = platform
  }

  /** `parameters`: names of a function's parameters, read off its source. */
  add(
    bindings: ReadonlyArray<FunctionBinding>,
    parameters: (call: FunctionBinding["call"]) => ReadonlyArray<string>
  ): void {
    for (const binding of bindings) {
      this.#tools.set(binding.name, toolOf(binding, binding.contract?.parameters ?? parameters(binding.call)))
    }
    this.#specs = [...this.#tools.values()].map((tool) => tool.spec)
  }

  /** The tools of a request; `finish` is among them where an answer is asked for. */
  actions(answer: AnySchema<any> | undefined): ReadonlyArray<ActionSpec> {
    if (answer === undefined) return this.#specs
    let specs = this.#finish.get(answer)
    if (specs === undefined) {
      specs = [...this.#specs, {
        name: "finish",
        description: "Gives the answer and ends the task.",
        inputSchema: { type: "object", properties: { value: jsonSchemaOf(answer, "input") ?? {} }, required: ["value"] }
      }]
      this.#finish.set(answer, specs)
    }
    return specs
  }

  /** Runs the actions of one step, independent ones at the same time. `step` stands for the cell in the ledger. */
  perform(
    actions: ReadonlyArray<Action>,
    malformed: ReadonlyMap<string, string>,
    run: Run,
    step: number
  ): Effect.Effect<ReadonlyArray<Feedback>> {
    return Effect.forEach(
      actions,
      (action, ordinal) => {
        const problem = malformed.get(action.id)
        if (problem !== undefined) {
          return Effect.succeed(feedback(action.id, false, `The arguments are not valid JSON: ${problem}`))
        }
        return action.name === "finish" ? this.#finished(action, run) : this.#call(action, ordinal, step)
      },
      { concurrency: actions.length === 1 ? 1 : Defaults.functionConcurrency }
    )
  }

  #finished(action: Action, run: Run): Effect.Effect<Feedback> {
    const value = (action.input as { readonly value?: unknown } | null)?.value
    return Effect.promise(async () => {
      try {
        await run.finish(value)
        return feedback(action.id, true, "taken")
      } catch (error) {
        return feedback(action.id, false, errorText(error))
      }
    })
  }

  #call({ id, input, name }: Action, ordinal: number, step: number): Effect.Effect<Feedback> {
    const tool = this.#tools.get(name)
    if (tool === undefined) {
      return Effect.succeed(
        feedback(id, false, `There is no function ${name}. There are: ${[...this.#tools.keys()].join(", ") || "none"}.`)
      )
    }
    const { call, contract } = tool.binding
    const hostCall = {
      cell: step,
      ordinal,
      path: name,
      operation: "call",
      args: tool.toArguments(input),
      contract,
      taint: [],
      after: 0,
      blocking: false,
      entropy: []
    } as const
    return Effect.map(
      Effect.exit(
        this.#boundary.invoke(hostCall, (args, context) => this.#platform.runWith(context, () => call(...args)))
      ),
      (exit) =>
        Exit.isSuccess(exit)
          ? feedback(id, true, textOf(exit.value))
          : feedback(id, false, errorText(Cause.squash(exit.cause)))
    )
  }
}

const toolOf = (binding: FunctionBinding, parameters: ReadonlyArray<string>): FunctionTool => {
  const { contract, name } = binding
  const schema = contract?.input && jsonSchemaOf(contract.input, "input")
  const items = (schema?.["prefixItems"] ?? schema?.["items"]) as ReadonlyArray<JsonObject> | undefined
  const description = contract?.description ?? ""
  if (Array.isArray(items) && items.length === 1 && items[0].type === "object") {
    return {
      binding,
      spec: { name, description, inputSchema: withDefinitions(items[0], schema) },
      toArguments: (input) => [input]
    }
  }
  const names = parameters.length > 0 ? parameters : Array.isArray(items) ? items.map((_, i) => `argument${i + 1}`) : []
  const required = Array.isArray(items) ? names.slice(0, Number(schema?.["minItems"] ?? items.length)) : names
  const properties = Object.fromEntries(names.map((name, i) => [name, Array.isArray(items) ? items[i] ?? {} : {}]))
  return {
    binding,
    spec: { name, description, inputSchema: withDefinitions({ type: "object", properties, required }, schema) },
    toArguments: (input) => trimmed(names.map((name) => (input as JsonObject | null)?.[name]))
  }
}

const withDefinitions = (schema: JsonObject, whole: JsonObject | undefined): JsonObject =>
  whole?.["$defs"] === undefined ? schema : { ...schema, $defs: whole["$defs"] }

/** Optional arguments that were left out are left out, so that a tuple schema with fewer items accepts them. */
const trimmed = (args: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1)

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value) // cyclic, or a bigint
  }
}

const errorText = (error: unknown): string => error instanceof Error ? `${error.name}: ${error.message}` : String(error)

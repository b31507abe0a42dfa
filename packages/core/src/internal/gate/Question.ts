/**
 * The built-in `ask(question, { options, schema })`: a cell puts a question to a person and waits for the answer.
 */
import * as Effect from "effect/Effect"
import type { AnySchema } from "../../AnySchema.ts"
import type { Question } from "../../Approvals.ts"
import type { FunctionBinding } from "../../Binding.ts"
import { validate, type Validated } from "../../schema/Validate.ts"
import { decodeValue, type Value } from "../../Value.ts"

export interface PutQuestion extends Question {
  /** The answer as the cell gets it, or what is wrong with it. */
  readonly read: (value: Value) => Validated
}

/**
 * It goes through the gate as a function would, so that it has its place among the calls of its cell and waits as they
 * do; the gate answers it itself.
 */
export const askBinding: FunctionBinding = {
  _tag: "Function",
  name: "ask",
  call: (_question: string, _options?: unknown) => undefined,
  contract: { effect: "none", approval: true, question: true },
  declaration:
    `/** Asks a person and waits for the answer: a text, one of the options, or what a JSON Schema describes. For what only a person can know or decide. */
declare function ask<T = string>(question: string, options?: { options?: readonly string[]; schema?: object }): Promise<T>`
}

/** The question, or what is wrong with it. */
export const questionOf = Effect.fnUntraced(function*(args: ReadonlyArray<unknown>) {
  const [text, given] = args
  if (typeof text !== "string" || text.trim() === "") return "the first argument is the question, a text"
  if (given !== undefined && (typeof given !== "object" || given === null)) return "the second argument is { options }"
  const { options, schema } = (given ?? {}) as { readonly options?: unknown; readonly schema?: unknown }
  if (options !== undefined && !isOptions(options)) return "options is a list of texts, with at least one"
  const known = schema === undefined || isSchema(schema) ? schema : yield* fromJsonSchema(schema)
  if (typeof known === "string") return known
  return {
    text,
    ...(options !== undefined && { options: [...options] }),
    read: (value) => read(decodeValue(value), options, known)
  } satisfies PutQuestion
})

/** People answer in texts: one that does not fit as it is may be the JSON of what fits. */
const read = (
  answer: unknown,
  options: ReadonlyArray<string> | undefined,
  schema: AnySchema<any> | undefined
): Validated => {
  if (options !== undefined && !options.includes(answer as string)) {
    return { ok: false, problem: `the answer is to be one of: ${options.join(", ")}` }
  }
  if (schema === undefined) return { ok: true, value: answer }
  const checked = check(schema, answer)
  if (checked.ok || typeof answer !== "string") return checked
  try {
    const parsed = check(schema, JSON.parse(answer))
    return parsed.ok ? parsed : checked
  } catch {
    return checked // a text, and meant as one
  }
}

const check = (schema: AnySchema<any>, value: unknown): Validated => {
  const checked = validate(schema, value)
  return checked instanceof Promise ? { ok: false, problem: "the schema of a question has to answer at once" } : checked
}

/** The translation is loaded with the first question that needs it. */
const fromJsonSchema = (schema: unknown): Effect.Effect<AnySchema<any> | string> =>
  Effect.promise(async () => {
    try {
      const [{ fromSchemaDraft2020_12 }, { fromJsonSchemaDocument }] = await Promise.all([
        import("effect/JsonSchema"),
        import("effect/SchemaRepresentation")
      ])
      // As data of this realm, whatever cell it comes from.
      const document = fromSchemaDraft2020_12(JSON.parse(JSON.stringify(schema)))
      return fromJsonSchemaDocument(document) as unknown as AnySchema<any>
    } catch (error) {
      return `schema is a JSON Schema: ${error instanceof Error ? error.message : String(error)}`
    }
  })

const isOptions = (options: unknown): options is ReadonlyArray<string> =>
  Array.isArray(options) && options.length > 0 && options.every((option) => typeof option === "string")

const isSchema = (schema: unknown): schema is AnySchema<any> =>
  (typeof schema === "object" || typeof schema === "function") && schema !== null &&
  ("~standard" in schema || "ast" in schema)

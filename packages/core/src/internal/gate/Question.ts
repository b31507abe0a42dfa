/**
 * The built-in `ask(question, { options, schema })`: a cell puts a question to a person and waits for the answer.
 */
import type { FunctionBinding } from "../../Binding.ts"
import type { Question } from "../../Approvals.ts"
import type { AnySchema } from "../../AnySchema.ts"
import type { Value } from "../../Value.ts"
import { validate } from "../../schema/Validate.ts"
import { decodeValue } from "../Values.ts"

export interface PutQuestion extends Question {
  readonly unfit: (value: Value) => string | undefined
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
  declaration: `/** Asks a person and waits for the answer. For what only a person can know or decide. */
declare function ask<T extends string = string>(question: string, options?: { options?: readonly T[] }): Promise<T>`
}

/** The question, or what is wrong with it. */
export const questionOf = (args: ReadonlyArray<unknown>): PutQuestion | string => {
  const [text, given] = args
  if (typeof text !== "string" || text.trim() === "") return "the first argument is the question, a text"
  if (given !== undefined && (typeof given !== "object" || given === null)) return "the second argument is { options }"
  const { options, schema } = (given ?? {}) as { readonly options?: unknown; readonly schema?: unknown }
  if (options !== undefined && !isOptions(options)) return "options is a list of texts, with at least one"
  if (schema !== undefined && !isSchema(schema)) return "schema is a schema, such as one of Zod"
  return {
    text,
    ...(options !== undefined && { options: [...options] }),
    unfit: (value) => unfit(decodeValue(value), options, schema)
  }
}

const unfit = (
  answer: unknown,
  options: ReadonlyArray<string> | undefined,
  schema: AnySchema<any> | undefined
): string | undefined => {
  if (options !== undefined && !options.includes(answer as string)) {
    return `the answer is to be one of: ${options.join(", ")}`
  }
  if (schema === undefined) return undefined
  const checked = validate(schema, answer)
  if (checked instanceof Promise) return "the schema of a question has to answer at once"
  return checked.ok ? undefined : checked.problem
}

const isOptions = (options: unknown): options is ReadonlyArray<string> =>
  Array.isArray(options) && options.length > 0 && options.every((option) => typeof option === "string")

const isSchema = (schema: unknown): schema is AnySchema<any> =>
  (typeof schema === "object" || typeof schema === "function") && schema !== null &&
  ("~standard" in schema || "ast" in schema)

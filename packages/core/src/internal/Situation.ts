import * as Effect from "effect/Effect"
import type { AnySchema } from "../AnySchema.ts"
import type { Runtime, RuntimeError } from "../Runtime.ts"
import { typeOfSchema } from "../schema/TypeOfSchema.ts"
import { variableLine } from "./Feedback.ts"

/** All variables, as the runtime has them at this moment. Empty where there are none. */
export const variablesText = (runtime: Runtime): Effect.Effect<string, RuntimeError> =>
  Effect.map(
    runtime.describe,
    (variables) => variables.length === 0 ? "" : `<variables>\n${variables.map(variableLine).join("\n")}\n</variables>`
  )

/** What may be used, where the system prompt does not know of all of it. */
export const declarationsText = (runtime: Runtime): Effect.Effect<string, RuntimeError> =>
  Effect.map(runtime.declarations, (declarations) => `<declarations>\n${declarations.trim()}\n</declarations>`)

/** What `finish` is expected to get. */
export const answerText = (schema: AnySchema<any>): string => {
  const { declarations, type } = typeOfSchema(schema, "input")
  const shape = type === "unknown"
    ? "."
    : ` with a value of this type:\n${[...declarations, `type Answer = ${type}`].join("\n")}`
  return `<answer>\nThe answer is expected as a value: call finish(value) in a cell${shape}\n</answer>`
}

import * as Schema from "effect/Schema"
import type * as StandardSchema from "effect/StandardSchema"
import type { AnySchema } from "../AnySchema.ts"

/** `problem` says what did not fit and where. */
export type Validated = { readonly ok: true; readonly value: any } | { readonly ok: false; readonly problem: string }
type Validate = (value: unknown) => Validated | Promise<Validated>

const compiled = new WeakMap<object, Validate>()

/** Checks a value against a schema of any library. Synchronous unless the schema is not. Compiled once per schema. */
export const validate = (schema: AnySchema<any>, value: unknown): Validated | Promise<Validated> => {
  let check = compiled.get(schema)
  if (check === undefined) {
    check = isStandard(schema) ? standard(schema) : effect(schema)
    compiled.set(schema, check)
  }
  return check(value)
}

const isStandard = (schema: AnySchema<any>): schema is StandardSchema.StandardSchemaV1<any, any> =>
  "~standard" in schema

const standard = (schema: StandardSchema.StandardSchemaV1<any, any>): Validate => {
  const settle = (result: StandardSchema.StandardSchemaV1.Result<any>): Validated =>
    result.issues === undefined
      ? { ok: true, value: result.value }
      : { ok: false, problem: result.issues.map(issueText).join("; ") }
  return (value) => {
    const result = schema["~standard"].validate(value)
    return result instanceof Promise ? result.then(settle) : settle(result)
  }
}

const issueText = ({ message, path }: StandardSchema.StandardSchemaV1.Issue): string => {
  const at = (path ?? []).map((segment) => String(typeof segment === "object" ? segment.key : segment)).join(".")
  return at === "" ? message : `${message} at ${at}`
}

const effect = (schema: Schema.Decoder<any>): Validate => {
  const decode = Schema.decodeUnknownExit(schema, { errors: "all" })
  return (value) => {
    const exit = decode(value)
    if (exit._tag === "Success") return { ok: true, value: exit.value }
    const reason = exit.cause.reasons[0]
    return { ok: false, problem: reason?._tag === "Fail" ? reason.error.message : String(exit.cause) }
  }
}

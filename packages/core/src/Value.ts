/**
 * Values as the log keeps them: small and readable, never a copy of something large.
 */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { BlobRef } from "./Ids.ts"
import { revalued } from "./internal/Devalue.ts"

/**
 * A value as the log keeps it: `json` when small and plain, `devalue` text for the rest of the structured-clone
 * types, `blob` when large, `ref` for a live object (the path by which a binding reaches it, if any), `secret` for a
 * redacted one. A `ref` without a path cannot be rebuilt after a restart.
 */
export const Value = Schema.TaggedUnion({
  Json: { value: Schema.Json },
  Devalue: { text: Schema.String },
  Blob: { blob: BlobRef },
  Ref: { type: Schema.String, id: Schema.Int, path: Schema.optional(Schema.String) },
  Secret: { name: Schema.String }
})
export type Value = typeof Value.Type

/**
 * How large a value a session's log copies, counted in parts (and 16 characters of a text each); what is larger is told
 * by reference. Default 1,000.
 */
export const ValueRoom: Context.Reference<number> = Context.Reference<number>("@daylight/core/ValueRoom", {
  defaultValue: () => 1_000
})

/**
 * What a stored value stands for. What cannot be rebuilt (a blob, a live object, a secret) is given as it is stored.
 * Throws where a text is not of the notation.
 */
export const decodeValue = (value: Value): unknown => {
  if (value._tag === "Json") return value.value
  return value._tag === "Devalue" ? revalued(value.text) : value
}

/** The name of a value's type. Runs no code of the value beyond reading its constructor's name. */
export const typeName = (value: unknown): string => {
  if (value === null) return "null"
  if (typeof value !== "object") return typeof value
  if (Array.isArray(value)) return `Array(${value.length})`
  try {
    const name: unknown = Object.getPrototypeOf(value)?.constructor?.name
    return typeof name === "string" && name !== "" ? name : "Object"
  } catch {
    return "Object" // a proxy that does not want to be looked at
  }
}

/**
 * Schemas of any library as JSON Schema (draft 2020-12), as far as the library can say.
 */
import * as Schema from "effect/Schema"
import type { AnySchema } from "../AnySchema.ts"

/** `input` is what is passed in, `output` what comes out once it is checked. */
export type Side = "input" | "output"

export interface JsonSchema {
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly minItems?: number
  readonly $defs?: { readonly [name: string]: JsonSchema }
  readonly [key: string]: any
}

/**
 * Effect Schema, and every library with Standard JSON Schema. `undefined` for a type that JSON Schema has no word for,
 * such as a date.
 */
export const jsonSchemaOf = (schema: AnySchema<any>, side: Side): JsonSchema | undefined => {
  try {
    return trimmed(Schema.isSchema(schema) ? fromEffect(schema, side) : fromStandard(schema, side))
  } catch {
    return undefined // the schema itself still checks the value
  }
}

const fromEffect = (schema: Schema.Top, side: Side): JsonSchema => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(
    side === "input" ? Schema.toEncoded(schema) : schema
  )
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
}

const fromStandard = (schema: AnySchema<any>, side: Side): JsonSchema | undefined => {
  const standard = (schema as {
    readonly "~standard"?: { readonly jsonSchema?: Record<Side, (options: { readonly target: string }) => JsonSchema> }
  })["~standard"]
  return standard?.jsonSchema?.[side]({ target: "draft-2020-12" })
}

/** Without what costs tokens and says nothing: the draft, and the bounds that every integer has. */
const trimmed = <A>(schema: A): A => {
  if (Array.isArray(schema)) return schema.map(trimmed) as A
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => isIdle(key, value) ? [] : [[key, trimmed(value)]])
  ) as A
}

const isIdle = (key: string, value: unknown): boolean =>
  key === "$schema" && typeof value === "string" ||
  (key === "minimum" || key === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER

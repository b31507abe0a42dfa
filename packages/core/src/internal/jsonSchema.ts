import * as Schema from "effect/Schema"
import type { AnySchema } from "../AnySchema.ts"

type JsonSchema = { readonly [key: string]: Schema.Json }

/** Without what costs tokens and says nothing: the draft, and the bounds that every integer has. */
const trimmed = <A>(schema: A): A => {
  if (Array.isArray(schema)) return schema.map(trimmed) as A
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => {
    const idle = key === "$schema" && typeof value === "string" || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER && (key === "minimum" || key === "maximum")
    return idle ? [] : [[key, trimmed(value)]]
  })) as A
}

/**
 * A schema as JSON Schema (draft 2020-12), as far as its library can say: Effect Schema, and every library with Standard JSON Schema.
 * `undefined` where it cannot.
 */
export const jsonSchemaOf = (schema: AnySchema<any>): JsonSchema | undefined => {
  try {
    if ("~standard" in schema && !Schema.isSchema(schema)) {
      const standard = schema["~standard"] as { readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => JsonSchema } }
      return trimmed(standard.jsonSchema?.input({ target: "draft-2020-12" }))
    }
    const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema as Schema.Top)
    return { ...root, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) } as JsonSchema
  } catch {
    return undefined // a type that JSON Schema has no word for, such as a date: the schema itself still checks the value
  }
}

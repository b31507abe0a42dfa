/**
 * JSON Schema (draft 2020-12, what schema libraries emit) as a TypeScript type.
 */
import { arrayOf, docComment, propertyName, union } from "./TypeText.ts"

type Json = { readonly [key: string]: any } | boolean | undefined

/** `indent` is that of the line the type stands on. */
export const typeFromJsonSchema = (schema: Json, indent = "", depth = 0): string => {
  if (schema === undefined || schema === true || depth > 12) return "unknown"
  if (schema === false) return "never"
  if (typeof schema.$ref === "string") return schema.$ref.split("/").pop()!
  if ("const" in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)))
  const nested = (inner: Json): string => typeFromJsonSchema(inner, indent, depth + 1)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) return union(alternatives.map(nested))
  if (Array.isArray(schema.allOf)) {
    return schema.allOf.length === 1
      ? nested(schema.allOf[0])
      : schema.allOf.map(nested).join(" & ")
  }
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => nested({ ...schema, type })))
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type
    case "number":
    case "integer":
      return "number"
    case "array":
      return arrayType(schema, nested)
    case "object":
      return objectType(schema, indent, depth)
    default:
      return schema.properties === undefined ? "unknown" : objectType(schema, indent, depth)
  }
}

const arrayType = (schema: { readonly [key: string]: any }, nested: (inner: Json) => string): string => {
  if (!Array.isArray(schema.prefixItems)) return arrayOf(nested(schema.items))
  const least = schema.minItems ?? schema.prefixItems.length
  const items = schema.prefixItems.map((item: Json, i: number) => i < least ? nested(item) : `(${nested(item)})?`)
  const rest = typeof schema.items === "object" ? [`...${arrayOf(nested(schema.items))}`] : []
  return `[${[...items, ...rest].join(", ")}]`
}

const objectType = (schema: { readonly [key: string]: any }, indent: string, depth: number): string => {
  const required = new Set<string>(schema.required ?? [])
  const inner = `${indent}  `
  const properties = Object.entries<Json>(schema.properties ?? {}).map(([key, value]) => {
    const description = typeof value === "object" ? value.description as string | undefined : undefined
    return `${docComment(description, inner)}${inner}${propertyName(key)}${required.has(key) ? "" : "?"}: ${
      typeFromJsonSchema(value, inner, depth + 1)
    }`
  })
  const more = schema.additionalProperties as Json
  if (typeof more === "object") {
    const type = typeFromJsonSchema(more, inner, depth + 1)
    if (properties.length === 0) return `Record<string, ${type}>`
    properties.push(`${inner}[key: string]: ${type}`)
  }
  if (properties.length === 0) return "Record<string, unknown>"
  if (
    properties.some((property) => property.includes("/**") || property.includes("\n")) ||
    properties.join("; ").length > 100
  ) {
    return `{\n${properties.join("\n")}\n${indent}}`
  }
  return `{ ${properties.map((property) => property.trim()).join("; ")} }`
}

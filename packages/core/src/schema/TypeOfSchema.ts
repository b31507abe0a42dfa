/**
 * Schemas of any library as TypeScript types: what a cell passes (`input`) and what it gets (`output`).
 */
import * as Schema from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import type { AnySchema } from "../AnySchema.ts"
import { type JsonSchema, jsonSchemaOf, type Side } from "./JsonSchemaOf.ts"
import { typeFromJsonSchema } from "./TypeFromJsonSchema.ts"
import { docComment } from "./TypeText.ts"

/** A type, and the named types it refers to. */
export interface SchemaType {
  readonly type: string
  readonly declarations: ReadonlyArray<string>
}

const unknown: SchemaType = { type: "unknown", declarations: [] }

export const typeOfSchema = (schema: AnySchema<any>, side: Side): SchemaType =>
  Schema.isSchema(schema) ? fromEffect(schema, side) : fromStandard(schema, side)

/** The types of the elements of a tuple, or nothing where it is no tuple. */
export const typesOfTuple = (
  schema: AnySchema<any>
): ReadonlyArray<SchemaType & { readonly optional: boolean }> | undefined => {
  if (Schema.isSchema(schema)) {
    const { elements } = schema as { readonly elements?: ReadonlyArray<Schema.Top> }
    return elements?.map((element) => ({ ...fromEffect(element, "input"), optional: isOptional(element) }))
  }
  const json = jsonSchemaOf(schema, "input")
  if (!Array.isArray(json?.prefixItems)) return undefined
  const least: number = json.minItems ?? json.prefixItems.length
  return json.prefixItems.map((item, i) => ({
    type: typeFromJsonSchema(item),
    declarations: definitionsOf(json),
    optional: i >= least
  }))
}

const isOptional = (schema: Schema.Top): boolean => {
  const { context } = schema.ast as { readonly context?: { readonly isOptional?: boolean } }
  return context?.isOptional === true
}

/** What cannot be written on one side is tried on the others: a class has no code, but its fields have. */
const fromEffect = (schema: Schema.Top, side: Side): SchemaType => {
  const forms = side === "input" ? [Schema.toEncoded, same] : [Schema.toType, same, Schema.toEncoded]
  for (const form of forms) {
    try {
      return written(form(schema))
    } catch {
      continue // a declared type without a way to write it down
    }
  }
  return unknown
}

const same = (schema: Schema.Top): Schema.Top => schema

const written = (schema: Schema.Top): SchemaType => {
  const { codes, references } = SchemaRepresentation.toCodeDocument(
    SchemaRepresentation.toMultiDocument(Schema.toRepresentation(schema))
  )
  const named: Array<[string, { readonly Type: string }]> = [
    ...references.nonRecursives.map(({ $ref, code }): [string, typeof code] => [$ref, code]),
    ...Object.entries(references.recursives)
  ]
  return {
    type: plain(codes[0]!.Type),
    declarations: named.map(([name, { Type }]) => `type ${name} = ${plain(Type)}`)
  }
}

/** Without what only matters to a compiler: quoted keys, `globalThis.`, `readonly` of properties. */
const plain = (type: string): string =>
  type
    .replace(/\bglobalThis\./g, "")
    .replace(/(?<=[{,;] )(?:readonly )?"([\p{ID_Start}$_][\p{ID_Continue}$]*)"(\??:)/gu, "$1$2")
    .replace(/, (?=(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|"[^"]*")\??: )/gu, "; ")

const fromStandard = (schema: AnySchema<any>, side: Side): SchemaType => {
  const json = jsonSchemaOf(schema, side)
  return json === undefined ? unknown : { type: typeFromJsonSchema(json), declarations: definitionsOf(json) }
}

const definitionsOf = ({ $defs = {} }: JsonSchema): ReadonlyArray<string> =>
  Object.entries($defs).map(([name, definition]) =>
    `${docComment(definition.description as string | undefined)}type ${name} = ${typeFromJsonSchema(definition)}`
  )

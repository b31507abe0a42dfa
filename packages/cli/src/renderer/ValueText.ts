/** Stored values in a few characters, for arguments and results of host calls. */
import { decodeValue, type Value } from "@daylight/core"
import { inspect } from "node:util"
import { bytes } from "./Quantity.ts"
import { safe } from "./Safe.ts"
import { fit } from "./Width.ts"

const plain = (value: unknown): string =>
  inspect(value, { breakLength: Infinity, compact: true, depth: 2, maxArrayLength: 5, maxStringLength: 120 })

const textOf = (value: Value): string => {
  switch (value._tag) {
    case "Json":
      return plain(value.value)
    case "Devalue":
      return plain(revalued(value))
    case "Blob":
      return `‹${value.blob.mediaType}, ${bytes(value.blob.bytes)}›`
    case "Ref":
      return `‹${value.path ?? value.type}›`
    case "Secret":
      return `‹secret ${value.name}›`
  }
}

/** The text itself, where it is damaged. */
const revalued = (value: Extract<Value, { readonly _tag: "Devalue" }>): unknown => {
  try {
    return decodeValue(value)
  } catch {
    return value.text
  }
}

/** One value in at most `columns`. */
export const valueText = (value: Value, columns: number): string => fit(safe(textOf(value)), columns)

/** A value in rows of about `columns`, as Node would print it. */
export const valueLines = (value: Value, columns: number): string =>
  value._tag === "Json" ? inspect(value.value, { breakLength: columns, depth: 4, maxArrayLength: 20 }) : textOf(value)

/** A call as it would be written. */
export const callText = (
  call: { readonly path: string; readonly operation?: string | undefined; readonly args: ReadonlyArray<Value> },
  columns: number
): string => {
  const args = call.args.map((value) => valueText(value, columns)).join(", ")
  switch (call.operation) {
    case "get":
      return safe(call.path)
    case "set":
      return fit(safe(`${call.path} = ${args}`), columns)
    case "construct":
      return fit(safe(`new ${call.path}(${args})`), columns)
    default:
      return fit(safe(`${call.path}(${args})`), columns)
  }
}

/** Arguments of calls as plain data in which nothing is lost that tells two calls apart. */
import { decodeValue, Secret, typeName, type Value } from "@daylight/core"

/** Of a recorded call. */
export const recordedArguments = (args: ReadonlyArray<Value>): ReadonlyArray<unknown> => args.map(recordedArgument)

const recordedArgument = (value: Value): unknown => {
  switch (value._tag) {
    case "Ref":
      return reference(value.type)
    case "Secret":
      return String(new Secret(value.name))
    case "Blob":
      return { "@Blob": value.blob.hash }
    default:
      return comparable(decodeValue(value))
  }
}

/**
 * Of a call that is made now. `asked`: as the cell gave them, with secrets that nobody may see. What a recording has by
 * reference only, such as a function, is known by its type.
 */
export const comparableArguments = (
  args: ReadonlyArray<unknown>,
  asked: ReadonlyArray<unknown>,
  recorded: ReadonlyArray<Value>
): ReadonlyArray<unknown> =>
  args.map((arg, index) => recorded[index]?._tag === "Ref" ? reference(typeName(arg)) : comparable(arg, asked[index]))

const reference = (type: string) => ({ "@live": type })

/** Values of any realm; objects that are no data are known by their type. */
const comparable = (value: unknown, asked?: unknown, above: ReadonlySet<unknown> = new Set()): unknown => {
  if (asked instanceof Secret) return String(asked)
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { "@number": Object.is(value, -0) ? "-0" : String(value) }
    case "bigint":
      return { "@bigint": String(value) }
    case "undefined":
      return { "@undefined": true }
    case "object":
      break
    default:
      return reference(typeof value)
  }
  if (value === null) return null
  if (above.has(value)) return { "@cycle": true }
  const within = new Set(above).add(value)
  const part = (member: unknown, given?: unknown) => comparable(member, given, within)
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return { [`@${typeTag(value)}`]: bytes.toString("base64") }
  }
  switch (typeTag(value)) {
    case "Array":
      return Array.from(value as ReadonlyArray<unknown>, (item, index) => part(item, memberOf(asked, index)))
    case "Date":
      return { "@Date": String(Date.prototype.getTime.call(value)) }
    case "RegExp":
      return { "@RegExp": String(value) }
    case "Map":
      return { "@Map": [...value as Map<unknown, unknown>].map(([key, item]) => [part(key), part(item)]) }
    case "Set":
      return { "@Set": [...value as Set<unknown>].map((item) => part(item)) }
    case "Object":
      return isPlain(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, part(item, memberOf(asked, key))]))
        : reference(typeName(value))
    default:
      return reference(typeName(value))
  }
}

const typeTag = (value: object): string => Object.prototype.toString.call(value).slice(8, -1)

const memberOf = (asked: unknown, key: string | number): unknown =>
  typeof asked === "object" && asked !== null && !(asked instanceof Secret)
    ? (asked as Readonly<Record<string | number, unknown>>)[key]
    : undefined

/** Also of another realm, whose `Object.prototype` is another. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "hasOwnProperty"))
}

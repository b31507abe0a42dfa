/**
 * Values as bytes. What is small and plain goes as JSON, which takes a fraction of the time; all else in V8's own
 * format, which keeps everything.
 */
import { serialize } from "node:v8"
import { isPlain } from "./Crossing.ts"
import { deserialize } from "./Views.ts"

/** A value within a message. */
export type Packed = string | Uint8Array

export const pack = (value: unknown): Packed => textOf(value) ?? serialize(value)

export const unpack = (packed: Packed): unknown => typeof packed === "string" ? JSON.parse(packed) : deserialize(packed)

export const isSamePacked = (a: Packed | undefined, b: Packed | undefined): boolean =>
  a === b || (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0)

/** The bytes of one message, `offset` bytes of the buffer left free. */
export const bytesOf = (message: object, offset: number): Buffer => {
  const text = textOf(message)
  if (text === undefined) {
    const body = serialize(message)
    const buffer = Buffer.allocUnsafe(offset + body.length)
    body.copy(buffer, offset)
    return buffer
  }
  const buffer = Buffer.allocUnsafe(offset + 3 * text.length)
  return buffer.subarray(0, offset + buffer.write(text, offset))
}

/** The two formats differ in their first byte. */
export const messageOf = (bytes: Buffer): unknown =>
  bytes[0] === openBrace ? JSON.parse(bytes.toString()) : deserialize(bytes)

const openBrace = 0x7b

/** As JSON, where that says the same. */
const textOf = (value: unknown): string | undefined => {
  characters = mostCharacters
  const text = isTree(value, 0) ? JSON.stringify(value) : undefined
  seen.length = 0
  return text
}

/** Of what is larger V8's format is as fast. */
const mostCharacters = 1 << 14
const mostObjects = 50
let characters = 0
const seen: Array<object> = []

/** Records, arrays, text and ordinary numbers, each of them once. */
const isTree = (value: unknown, level: number): boolean => {
  switch (typeof value) {
    case "string":
      characters -= value.length
      return characters > 0
    case "number":
      return Number.isFinite(value) && (value !== 0 || 1 / value > 0)
    case "boolean":
      return true
    case "object":
      return value === null || isTreeOfParts(value, level)
    default:
      return false
  }
}

const isTreeOfParts = (value: object, level: number): boolean => {
  if (seen.length === mostObjects || seen.includes(value)) return false
  seen.push(value)
  return Array.isArray(value) ? isTreeOfItems(value, level + 1) : isTreeOfFields(value, level + 1)
}

const isTreeOfItems = (value: ReadonlyArray<unknown>, level: number): boolean => {
  characters -= value.length
  if (characters < 0 || (Object.getPrototypeOf(value) !== Array.prototype && "toJSON" in value)) return false
  for (let i = 0; i < value.length; i++) if (!Object.hasOwn(value, i) || !isTree(value[i], level)) return false
  return Object.keys(value).length === value.length
}

const isTreeOfFields = (value: object, level: number): boolean => {
  if (Object.getPrototypeOf(value) !== Object.prototype && (!isPlain(value) || "toJSON" in value)) return false
  for (const key of Object.keys(value)) {
    const item: unknown = (value as Record<string, unknown>)[key]
    // What is undefined in a message is left out of it; in data it is a value.
    if (item === undefined && (level === 1 || (level === 2 && key === "d"))) continue
    characters -= key.length
    if (!isTree(item, level)) return false
  }
  return true
}

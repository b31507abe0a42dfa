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
  left = most
  const text = isTree(value, 0) ? JSON.stringify(value) : undefined
  seen.clear()
  return text
}

/** Parts of a value, and a sixteenth of its characters: of what is larger V8's format is as fast. */
const most = 1_000
let left = 0
const seen = new Set<object>()

/** Records, arrays, text and ordinary numbers, each of them once. */
const isTree = (value: unknown, level: number): boolean => {
  switch (typeof value) {
    case "string":
      return (left -= 1 + (value.length >> 4)) > 0
    case "number":
      return --left > 0 && Number.isFinite(value) && !Object.is(value, -0)
    case "boolean":
      return --left > 0
    case "object":
      return value === null || isTreeOfParts(value, level + 1)
    default:
      return false
  }
}

const isTreeOfParts = (value: object, level: number): boolean => {
  if (--left < 0 || level > 32 || seen.has(value) || "toJSON" in value) return false
  seen.add(value)
  if (Array.isArray(value)) return isTreeOfItems(value, level)
  if (!isPlain(value)) return false
  for (const key of Object.keys(value)) {
    const item: unknown = (value as Record<string, unknown>)[key]
    // What is undefined in a message is left out of it; in data it is a value.
    if (!isTree(item, level) && !(item === undefined && (level === 1 || (level === 2 && key === "d")))) return false
    left -= 1 + (key.length >> 4)
  }
  return true
}

const isTreeOfItems = (value: ReadonlyArray<unknown>, level: number): boolean => {
  for (let i = 0; i < value.length; i++) if (!Object.hasOwn(value, i) || !isTree(value[i], level)) return false
  return Object.keys(value).length === value.length
}

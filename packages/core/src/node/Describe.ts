/**
 * A variable as the model is told of it: type, shape, size and a one-line sample. Runs no code of the value.
 */
import { types } from "node:util"
import type { Variable } from "../Cell.ts"
import { print, sampleLimits, sampleOf } from "./Inspect.ts"
import { membersOf } from "./Members.ts"
import { memoryBytes, typedLength } from "./Memory.ts"
import { classNameOf, isClass, type PrintLimits } from "./Mirror.ts"
import { presentationOf, type Sight } from "./StandIns.ts"

const shownKeys = 8

/** A name may be as long as a text. */
const shortened = (name: string): string => name.length > 100 ? `${name.slice(0, 100)}…` : name

/** `sensitive`: only name, type and size, neither keys nor values. */
export const describeVariable = (name: string, value: unknown, sensitive = false): Variable => {
  const shape = sensitive ? undefined : shapeOf(value)
  const bytes = bytesOf(value)
  return {
    name,
    type: shortened(typeNameOf(value)),
    ...(shape === undefined ? {} : { shape }),
    ...(bytes === undefined ? {} : { bytes }),
    sample: sensitive ? "(sensitive: not shown)" : sampleOf(value)
  }
}

/** What somebody sees who only has something that stands for the value. */
export const sightOf = (value: unknown, limits: PrintLimits): Sight => ({
  shape: shapeOf(value),
  members: membersOf(value).slice(0, mostMembers),
  text: print(value, limits)
})

const mostMembers = 60

/** `string`, `Array`, `Map`, the name of a class, `class` for a class itself. */
export const typeNameOf = (value: unknown): string => {
  if (value === null) return "null"
  const presentation = typeof value === "object" || typeof value === "function" ? presentationOf(value) : undefined
  if (presentation !== undefined) return presentation.type
  if (typeof value === "function") return isClass(value) ? "class" : "function"
  if (typeof value !== "object") return typeof value
  if (types.isProxy(value)) return "object"
  return classNameOf(value)
}

const shapeOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value.length > 40 ? `(${value.length} chars)` : undefined
  if (typeof value !== "object" || value === null) return undefined
  if (types.isProxy(value)) return presentationOf(value)?.look?.(sampleLimits)?.shape
  if (Array.isArray(value)) return `[${value.length}]${value.length > 0 ? ` of ${elementOf(value)}` : ""}`
  if (types.isMap(value) || types.isSet(value)) return `(${sizeOf(value)})`
  if (types.isTypedArray(value)) return `[${typedLength(value)}]`
  if (types.isDate(value) || types.isRegExp(value) || types.isPromise(value) || types.isAnyArrayBuffer(value)) {
    return undefined
  }
  return keysOf(value)
}

const sizeOf = (value: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>): number => {
  const prototype = types.isMap(value) ? Map.prototype : Set.prototype
  return Object.getOwnPropertyDescriptor(prototype, "size")!.get!.call(value) as number
}

/** What the elements have in common, from the first few. */
const elementOf = (array: ReadonlyArray<unknown>): string => {
  const first = Array.from(
    { length: Math.min(5, array.length) },
    (_, i) => Object.getOwnPropertyDescriptor(array, i)?.value as unknown
  )
  const records = first.filter(isRecord)
  const others = first.filter((item) => !isRecord(item)).map(typeNameOf)
  const kinds = new Set([...records.length > 0 ? [commonKeys(records)] : [], ...others])
  return [...kinds].slice(0, 3).join(" | ")
}

/** `{ id, name, tag? }`: what all have, and what some have. */
const commonKeys = (records: ReadonlyArray<object>): string => {
  const counts = new Map<string, number>()
  for (const record of records) for (const key of Object.keys(record)) counts.set(key, (counts.get(key) ?? 0) + 1)
  const keys = [...counts].map(([key, count]) => `${shortened(key)}${count < records.length ? "?" : ""}`)
  return `{ ${keys.slice(0, 2 * shownKeys).join(", ")}${
    keys.length > 2 * shownKeys ? `, … +${keys.length - 2 * shownKeys}` : ""
  } }`
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !types.isProxy(value) &&
  classNameOf(value) === "Object"

/** `{ id, name, total, … +12 }`, with the methods of a class as `query()`. */
const keysOf = (value: object): string | undefined => {
  const methods = methodsOf(value)
  const keys = Object.keys(value).filter((key) => methods.length === 0 || !key.startsWith("_"))
  const all = [...keys.slice(0, shownKeys).map(shortened), ...methods.slice(0, Math.max(0, shownKeys - keys.length))]
  const more = keys.length + methods.length - all.length
  return all.length === 0 ? undefined : `{ ${all.join(", ")}${more > 0 ? `, … +${more}` : ""} }`
}

const methodsOf = (value: object): ReadonlyArray<string> => {
  const prototype = Object.getPrototypeOf(value) as object | null
  if (prototype === null || types.isProxy(prototype) || Object.hasOwn(prototype, "hasOwnProperty")) return []
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, own]) => name !== "constructor" && typeof own.value === "function" && !name.startsWith("_"))
    .map(([name]) => `${shortened(name)}()`)
}

/** Bytes of texts and buffers; for arrays and objects an estimate of their JSON, from a few elements. */
const bytesOf = (value: unknown): number | undefined => {
  if (typeof value === "string") return value.length < 1_000_000 ? Buffer.byteLength(value) : value.length
  if (typeof value !== "object" || value === null || types.isProxy(value)) return undefined
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return memoryBytes(value)
  if (Array.isArray(value) || classNameOf(value) === "Object") return Math.round(estimate(value, { left: 300 }))
  return undefined
}

const estimate = (value: unknown, look: { left: number }): number => {
  look.left--
  if (typeof value === "string") return value.length + 2
  if (typeof value !== "object" || value === null) return typeof value === "number" ? String(value).length : 5
  if (types.isProxy(value) || look.left < 0) return 2
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return memoryBytes(value)
  if (Array.isArray(value)) {
    return 2 + sum(value, Array.from({ length: Math.min(8, value.length) }, (_, i) => String(i)), value.length, look)
  }
  const keys = Object.keys(value)
  return 2 + sum(value, keys.slice(0, 32), keys.length, look) +
    keys.slice(0, 32).reduce((all, key) => all + key.length + 3, 0)
}

/** The mean of the first properties, times their number. */
const sum = (value: object, keys: ReadonlyArray<string>, count: number, look: { left: number }): number => {
  if (keys.length === 0) return 0
  let total = 0
  for (const key of keys) total += 1 + estimate(Object.getOwnPropertyDescriptor(value, key)?.value, look)
  return (total / keys.length) * count
}

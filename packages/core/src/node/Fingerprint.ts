/**
 * A cheap number that changes when a value does, as far as a bounded look can tell. Runs no code of the value.
 */
import { types } from "node:util"
import { typedLength } from "./Memory.ts"
import { presentationOf } from "./StandIns.ts"

/** Elements looked at from each end of an array, keys of an object, entries of a map. */
const ends = 16
const levels = 3

/** Counts what was looked at, so that a large namespace costs no more than a small one. */
export interface Look {
  left: number
}

/** Of one value that is looked at for itself. */
export const fingerprintOf = (value: unknown): number => fingerprint(value, { left: perLook })

const perLook = 120

export const fingerprint = (value: unknown, look: Look, level = 0): number => {
  look.left--
  switch (typeof value) {
    case "string":
      return mix(text(value), value.length)
    case "number":
      return number(value)
    case "bigint":
      return text(value.toString(36))
    case "boolean":
      return value ? 3 : 5
    case "undefined":
      return 7
    case "symbol":
      return 11
    case "function":
      return 13
    case "object":
      return value === null ? 17 : level > levels || look.left < 0 ? 19 : object(value, look, level + 1)
  }
}

const object = (value: object, look: Look, level: number): number => {
  if (types.isProxy(value)) return level > 1 ? 23 : presentationOf(value)?.fingerprint?.() ?? 23
  if (Array.isArray(value)) return array(value, look, level)
  if (types.isDate(value)) return number(Date.prototype.getTime.call(value))
  if (types.isMap(value) || types.isSet(value)) return collection(value, look, level)
  if (types.isTypedArray(value)) return typed(value)
  return own(value, look, level)
}

const array = (value: ReadonlyArray<unknown>, look: Look, level: number): number => {
  const { length } = value
  let hash = mix(29, length)
  const at = (i: number): void => {
    const property = Object.getOwnPropertyDescriptor(value, i)
    hash = mix(hash, property === undefined ? 31 : fingerprint(property.value, look, level))
  }
  for (let i = 0; i < Math.min(length, ends) && look.left > 0; i++) at(i)
  for (let i = Math.max(ends, length - ends); i < length && look.left > 0; i++) at(i)
  return hash
}

const collection = (value: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>, look: Look, level: number): number => {
  let hash = 37
  let taken = 0
  const entries = types.isMap(value) ? Map.prototype.entries.call(value) : Set.prototype.entries.call(value)
  for (const [key, item] of entries) {
    if (taken++ < ends && look.left > 0) {
      hash = mix(mix(hash, fingerprint(key, look, level)), fingerprint(item, look, level))
    } else break
  }
  return mix(hash, types.isMap(value) ? sizeOf(Map, value) : sizeOf(Set, value))
}

const sizeOf = (constructor: typeof Map | typeof Set, value: object): number =>
  Object.getOwnPropertyDescriptor(constructor.prototype, "size")!.get!.call(value) as number

const typed = (value: NodeJS.TypedArray): number => {
  const length = typedLength(value)
  const step = Math.max(1, Math.floor(length / 64))
  let hash = mix(41, length)
  for (let i = 0; i < length; i += step) hash = mix(hash, number(Number(value[i])))
  return hash
}

const own = (value: object, look: Look, level: number): number => {
  const keys = Object.keys(value)
  let hash = mix(43, keys.length)
  for (let i = 0; i < Math.min(keys.length, 4 * ends) && look.left > 0; i++) {
    const property = Object.getOwnPropertyDescriptor(value, keys[i]!)
    if (property !== undefined && property.get === undefined) {
      hash = mix(mix(hash, text(keys[i]!)), fingerprint(property.value, look, level))
    }
  }
  return hash
}

const mix = (hash: number, next: number): number => Math.imul(hash ^ next, 0x01000193) ^ (next >>> 15)

const bits = new DataView(new ArrayBuffer(8))
const number = (value: number): number => {
  if ((value | 0) === value) return value
  bits.setFloat64(0, value)
  return bits.getInt32(0) ^ bits.getInt32(4)
}

/** At most 64 characters of it, spread over its length. */
const text = (value: string): number => {
  const step = Math.max(1, Math.floor(value.length / 64))
  let hash = 47
  for (let i = 0; i < value.length; i += step) hash = mix(hash, value.charCodeAt(i))
  return hash
}

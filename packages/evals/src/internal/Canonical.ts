/**
 * One text for one value: what keys, hashes and files are made of.
 */
import { hash } from "node:crypto"
import type * as Schema from "effect/Schema"

/** Keys sorted, absent members left out. Throws a `TypeError` for what JSON has no word for (NaN, a function). */
export const canonical = (value: unknown, indent?: number): string => JSON.stringify(sorted(value), null, indent)

/** `sha256:` and lower-case hex. */
export const hashOf = (data: string | Uint8Array): string => `sha256:${hash("sha256", data)}`

export const sha256 = (data: string | Uint8Array): string => hash("sha256", data)

/** The same value with the keys of all objects in order. What is in order already is shared, not copied. */
export const sorted = (value: unknown): Schema.Json => walk(value, true)

/** The same value without absent members, keys as they come; shares what has none. Throws as `canonical` does. */
export const plain = (value: unknown): Schema.Json => walk(value, false)

const walk = (value: unknown, inOrder: boolean): Schema.Json => {
  try {
    return json(value, inOrder)
  } catch (error) {
    // Where it is, is looked for only now: this runs for every message of every step.
    const place = error instanceof TypeError ? unfit(value, "$") : undefined
    throw place === undefined ? error : new TypeError(place)
  }
}

const json = (value: unknown, inOrder: boolean): Schema.Json => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      if (Number.isFinite(value)) return value
      break
    case "object":
      if (value === null) return null
      return Array.isArray(value) ? list(value, inOrder) : record(value as Record<string, unknown>, inOrder)
  }
  throw new TypeError("no JSON")
}

const list = (items: ReadonlyArray<unknown>, inOrder: boolean): Schema.Json => {
  let copy: Array<Schema.Json> | undefined
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    const own = item === undefined ? null : json(item, inOrder)
    if (own !== item) copy ??= items.slice() as Array<Schema.Json>
    if (copy !== undefined) copy[i] = own
  }
  return copy ?? items as Schema.Json
}

const record = (members: Readonly<Record<string, unknown>>, inOrder: boolean): Schema.Json => {
  const keys = Object.keys(members)
  let copy: Record<string, Schema.Json> | undefined
  if (!isPlain(members)) copy = {}
  if (inOrder && !isSorted(keys)) {
    keys.sort()
    copy = {}
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    const member = members[key]
    const own = member === undefined ? undefined : json(member, inOrder)
    if (copy === undefined && (own === undefined || own !== member)) {
      copy = {}
      for (let before = 0; before < i; before++) define(copy, keys[before]!, members[keys[before]!] as Schema.Json)
    }
    if (copy !== undefined && own !== undefined) define(copy, key, own)
  }
  return copy ?? members as Schema.Json
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isSorted = (keys: ReadonlyArray<string>): boolean => {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return false
  return true
}

/** An own member, also for a key such as `__proto__`. */
const define = (target: Record<string, Schema.Json>, key: string, value: Schema.Json): void => {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else target[key] = value
}

/** The first place that JSON cannot hold. */
const unfit = (value: unknown, path: string): string | undefined => {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return
  if (typeof value !== "object") return `${path} is ${String(value)}, which JSON cannot hold`
  for (const [key, member] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    const found = member === undefined ? undefined : unfit(member, place)
    if (found !== undefined) return found
  }
  return undefined
}

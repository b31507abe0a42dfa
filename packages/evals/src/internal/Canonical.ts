/**
 * One text for one value: what keys, hashes and files are made of.
 */
import { hash } from "node:crypto"
import type * as Schema from "effect/Schema"

/** Keys sorted, absent members left out. Throws a `TypeError` for what JSON has no word for (NaN, a function). */
export const canonical = (value: unknown, indent?: number): string => JSON.stringify(sorted(value, "$"), null, indent)

/** `sha256:` and lower-case hex. */
export const hashOf = (data: string | Uint8Array): string => `sha256:${hash("sha256", data)}`

export const sha256 = (data: string | Uint8Array): string => hash("sha256", data)

/** The same value with the keys of all objects in order. */
export const sorted = (value: unknown, path = "$"): Schema.Json => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      if (Number.isFinite(value)) return value
      break
    case "object": {
      if (value === null) return null
      if (Array.isArray(value)) {
        return value.map((item, index) => item === undefined ? null : sorted(item, `${path}[${index}]`))
      }
      const record = value as Readonly<Record<string, unknown>>
      const out: Record<string, Schema.Json> = {}
      for (const key of Object.keys(record).sort()) {
        const member = record[key]
        if (member !== undefined) define(out, key, sorted(member, `${path}.${key}`))
      }
      return out
    }
  }
  throw new TypeError(`${path} is ${String(value)}, which JSON cannot hold`)
}

/** An own member, also for a key such as `__proto__`. */
const define = (target: Record<string, Schema.Json>, key: string, value: Schema.Json): void => {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else target[key] = value
}

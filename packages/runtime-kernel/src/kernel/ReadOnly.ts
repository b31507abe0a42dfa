/**
 * Containers that a cell reads off a live object are copies of what the host holds. Changing a copy would change
 * nothing, so it is refused.
 */
import { types } from "node:util"
import { isPlain } from "../wire/Crossing.ts"

const refuse = (): never => {
  throw new TypeError("this is a read-only copy of what the host holds; call a method of the host object to change it, or copy it to change the copy")
}

const refusing = Object.fromEntries(
  ["set", "add", "delete", "clear"].map((name) => [name, { value: refuse, enumerable: false }])
)

/** Gives the value itself; live objects in it stay as they are. */
export const readOnly = (value: unknown, seen = new Set<object>()): unknown => {
  if (typeof value !== "object" || value === null || types.isProxy(value) || seen.has(value)) return value
  seen.add(value)
  if (Array.isArray(value)) for (const item of value) readOnly(item, seen)
  else if (types.isMap(value)) for (const [key, item] of value) readOnly(key, seen), readOnly(item, seen)
  else if (types.isSet(value)) for (const item of value) readOnly(item, seen)
  else if (isPlain(value)) for (const item of Object.values(value)) readOnly(item, seen)
  else return value
  if (types.isMap(value) || types.isSet(value)) Object.defineProperties(value, refusing)
  return Object.freeze(value)
}

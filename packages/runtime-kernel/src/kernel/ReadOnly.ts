/**
 * Containers that a cell reads off a live object are copies of what the host holds. Changing a copy would change
 * nothing, so it is refused.
 */
import { types } from "node:util"
import { isPlain } from "../wire/Crossing.ts"

const refuse = (): never => {
  throw new TypeError(
    "this is a read-only copy of what the host holds; call a method of the host object to change it, or copy it to change the copy"
  )
}

const refusing = Object.fromEntries(
  ["set", "add", "delete", "clear"].map((name) => [name, { value: refuse, enumerable: false }])
)

/** Gives the value itself; live objects in it stay as they are. */
export const readOnly = (value: unknown, seen = new Set<object>()): unknown => {
  if (typeof value !== "object" || value === null || types.isProxy(value) || seen.has(value)) return value
  seen.add(value)
  const parts = partsOf(value)
  if (parts === undefined) return value
  for (const part of parts) readOnly(part, seen)
  if (types.isMap(value) || types.isSet(value)) Object.defineProperties(value, refusing)
  return Object.freeze(value)
}

/** Nothing for what is no container. */
const partsOf = (value: object): Iterable<unknown> | undefined => {
  if (Array.isArray(value) || types.isSet(value)) return value
  if (types.isMap(value)) return [...value].flat()
  return isPlain(value) ? Object.values(value) : undefined
}

/**
 * Whether a value is small enough to be handed out with the report of its cell. Runs no code of the value.
 */
import { memoryBytes } from "@daylight/core/node"
import { types } from "node:util"

const nodes = 5_000
const characters = 256 * 1_024

export const isSmall = (value: unknown): boolean => {
  const left = { nodes, characters }
  return fits(value, left, new Set(), 0)
}

const fits = (
  value: unknown,
  left: { nodes: number; characters: number },
  seen: Set<object>,
  level: number
): boolean => {
  if (typeof value === "string") return (left.characters -= value.length) >= 0
  if (typeof value === "bigint") return (left.characters -= 100) >= 0
  if (typeof value !== "object" || value === null || types.isProxy(value) || seen.has(value)) return true
  if (--left.nodes < 0) return false
  // What is deeper cannot cross anyway, and says so.
  if (level > 1_500) return true
  if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) return (left.characters -= memoryBytes(value)) >= 0
  if (seen.size > nodes) return false
  seen.add(value)
  if (types.isMap(value)) {
    return sizeOfMap.call(value) <= nodes &&
      [...entriesOfMap.call(value)].every(([key, item]) =>
        fits(key, left, seen, level + 1) && fits(item, left, seen, level + 1)
      )
  }
  if (types.isSet(value)) {
    return sizeOfSet.call(value) <= nodes &&
      [...valuesOfSet.call(value)].every((item) => fits(item, left, seen, level + 1))
  }
  if (Array.isArray(value) && value.length > nodes) return false
  const keys = Object.keys(value)
  return (left.nodes -= keys.length) >= 0 &&
    keys.every((key) => fits(Object.getOwnPropertyDescriptor(value, key)?.value, left, seen, level + 1))
}

const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, "size")!.get as (this: unknown) => number
const sizeOfSet = Object.getOwnPropertyDescriptor(Set.prototype, "size")!.get as (this: unknown) => number
const entriesOfMap = Map.prototype.entries as (this: unknown) => MapIterator<[unknown, unknown]>
const valuesOfSet = Set.prototype.values as (this: unknown) => SetIterator<unknown>

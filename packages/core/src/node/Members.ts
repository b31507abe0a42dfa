/**
 * What can be written behind the dot of a value. Runs no code of it.
 */
import { types } from "node:util"
import { sampleLimits } from "./Inspect.ts"
import { presentationOf } from "./StandIns.ts"

const most = 500

/** Names of its properties and methods, its own first. */
export const membersOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "object" && value !== null && types.isProxy(value)) {
    return presentationOf(value)?.look?.(sampleLimits)?.members ?? []
  }
  const names = new Set<string>()
  // The elements of an array are no names.
  const listed = Array.isArray(value) || ArrayBuffer.isView(value)
  let p: object | null = listed ? Object.getPrototypeOf(value) as object : Object(value) as object
  for (; p !== null && !types.isProxy(p) && names.size < most; p = Object.getPrototypeOf(p) as object | null) {
    if (Object.hasOwn(p, "hasOwnProperty")) break
    for (const name of Object.getOwnPropertyNames(p)) if (!/^(?:\d+|constructor|__\w+__)$/.test(name)) names.add(name)
  }
  return [...names]
}

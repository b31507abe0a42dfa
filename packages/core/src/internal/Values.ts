import type * as Schema from "effect/Schema"
import type { Value } from "../Value.ts"
import { devalued } from "./Devalue.ts"

/** Numbers the live objects of one session, so that the same object is the same reference in its log. */
export class Values {
  readonly #ids = new WeakMap<object, number>()
  readonly #room: number
  #next = 1

  /** See `ValueRoom`: the log never copies something large. */
  constructor(room = 1_000) {
    this.#room = room
  }

  /** A value as the log keeps it. `path` is how a binding reaches it. */
  encode(value: unknown, path?: string): Value {
    if (isSmallJson(value, { left: this.#room })) return { _tag: "Json", value: value as Schema.Json }
    const text = devalued(value, { left: this.#room })
    if (text !== undefined) return { _tag: "Devalue", text }
    return { _tag: "Ref", type: typeName(value), id: this.#id(value), ...(path !== undefined && { path }) }
  }

  #id(value: unknown): number {
    if ((typeof value !== "object" || value === null) && typeof value !== "function") return 0
    let id = this.#ids.get(value)
    if (id === undefined) this.#ids.set(value, id = this.#next++)
    return id
  }
}

/** The name of a value's type. Runs no code of the value beyond reading its constructor's name. */
export const typeName = (value: unknown): string => {
  if (value === null) return "null"
  if (typeof value !== "object") return typeof value
  if (Array.isArray(value)) return `Array(${value.length})`
  try {
    const name: unknown = Object.getPrototypeOf(value)?.constructor?.name
    return typeof name === "string" && name !== "" ? name : "Object"
  } catch {
    return "Object" // a proxy that does not want to be looked at
  }
}

const isSmallJson = (value: unknown, budget: { left: number }): boolean => {
  if (--budget.left < 0) return false
  switch (typeof value) {
    case "string":
      return (budget.left -= value.length >> 4) >= 0 && value.isWellFormed()
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
    case "boolean":
      return true
    case "object":
      break
    default:
      return false
  }
  if (value === null) return true
  if (Array.isArray(value)) return value.length <= budget.left && value.every((item) => isSmallJson(item, budget))
  if (!isPlain(value)) return false
  for (const key of Object.keys(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key)!
    if (property.get !== undefined || !isSmallJson(property.value, budget)) return false
  }
  return true
}

/** Also of another realm, whose `Object.prototype` is another. */
const isPlain = (value: object): boolean => {
  const proto = Object.getPrototypeOf(value)
  return proto === null || proto === Object.prototype ||
    (Object.getPrototypeOf(proto) === null && Object.hasOwn(proto, "hasOwnProperty"))
}

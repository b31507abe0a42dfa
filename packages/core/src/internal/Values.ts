import type * as Schema from "effect/Schema"
import type { Value } from "../Value.ts"

/**
 * Beyond this many nodes (or this many times 16 characters) a value is told by reference: the log never copies
 * something large.
 */
const maxNodes = 1_000

/** Text of a root value that JSON has no word for, in the notation of the `devalue` package. */
const devalued = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "undefined":
      return "-1"
    case "bigint":
      return JSON.stringify([["BigInt", String(value)]])
    case "number":
      return Number.isNaN(value)
        ? "-3"
        : value === Infinity
        ? "-4"
        : value === -Infinity
        ? "-5"
        : Object.is(value, -0)
        ? "-6"
        : undefined
    case "object":
      return isDate(value)
        ? JSON.stringify([["Date", Number.isNaN(value.getTime()) ? "" : value.toISOString()]])
        : undefined
    default:
      return undefined
  }
}

const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === "[object Date]"

/** Numbers the live objects of one session, so that the same object is the same reference in its log. */
export class Values {
  readonly #ids = new WeakMap<object, number>()
  #next = 1

  /** A value as the log keeps it. `path` is how a binding reaches it. */
  encode(value: unknown, path?: string): Value {
    if (isSmallJson(value, { left: maxNodes })) return { _tag: "Json", value: value as Schema.Json }
    const text = devalued(value)
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

/** What a stored value stands for, as far as it can be rebuilt. */
export const decodeValue = (value: Value): unknown => {
  if (value._tag === "Json") return value.value
  if (value._tag !== "Devalue") return value
  switch (value.text) {
    case "-1":
      return undefined
    case "-3":
      return NaN
    case "-4":
      return Infinity
    case "-5":
      return -Infinity
    case "-6":
      return -0
  }
  const [[kind, text]] = JSON.parse(value.text) as [[string, string]]
  return kind === "BigInt" ? BigInt(text) : new Date(text)
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

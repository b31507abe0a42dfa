import type * as Schema from "effect/Schema"
import { typeName, type Value } from "../Value.ts"
import { devalued } from "./Devalue.ts"
import { isPlain } from "./isPlain.ts"

/** Numbers the live objects of one session, so that the same object is the same reference in its log. */
export class Values {
  readonly #ids = new WeakMap<object, number>()
  readonly #room: number
  #next = 1

  /** See `ValueRoom`: the log never copies something large. */
  constructor(room = 1_000) {
    this.#room = room
  }

  /** A value as the log keeps it: as it is now, whoever changes it later. `path` is how a binding reaches it. */
  encode(value: unknown, path?: string): Value {
    return this.#copy(value) ??
      { _tag: "Ref", type: typeName(value), id: this.#id(value), ...(path !== undefined && { path }) }
  }

  /** Nothing where it is too large, or no data: also where it only looks like data, or does not let itself be seen. */
  #copy(value: unknown): Value | undefined {
    try {
      const json = copyOfJson(value, { left: this.#room })
      if (json !== undefined) return { _tag: "Json", value: json }
      const text = devalued(value, { left: this.#room })
      return text === undefined ? undefined : { _tag: "Devalue", text }
    } catch {
      return undefined // no call fails because of how its value is written down
    }
  }

  #id(value: unknown): number {
    if ((typeof value !== "object" || value === null) && typeof value !== "function") return 0
    let id = this.#ids.get(value)
    if (id === undefined) this.#ids.set(value, id = this.#next++)
    return id
  }
}

/** Nothing where it is no plain JSON, or larger than there is room. */
const copyOfJson = (value: unknown, budget: { left: number }): Schema.Json | undefined => {
  if (--budget.left < 0) return undefined
  switch (typeof value) {
    case "string":
      return (budget.left -= value.length >> 4) >= 0 && value.isWellFormed() ? value : undefined
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined
    case "boolean":
      return value
    case "object":
      break
    default:
      return undefined
  }
  if (value === null) return null
  if (Array.isArray(value)) return value.length <= budget.left ? copyOfList(value, budget) : undefined
  return isPlain(value) ? copyOfRecord(value, budget) : undefined
}

const copyOfList = (list: ReadonlyArray<unknown>, budget: { left: number }): Schema.Json | undefined => {
  const copy: Array<Schema.Json> = []
  // By index: a list of a cell may have any iterator.
  for (let i = 0; i < list.length; i++) {
    const own = copyOfJson(list[i], budget)
    if (own === undefined) return undefined
    copy.push(own)
  }
  return copy
}

const copyOfRecord = (record: object, budget: { left: number }): Schema.Json | undefined => {
  const copy: Record<string, Schema.Json> = {}
  for (const key of Object.keys(record)) {
    const property = Object.getOwnPropertyDescriptor(record, key)!
    const own = property.get === undefined ? copyOfJson(property.value, budget) : undefined
    if (own === undefined) return undefined
    if (key === "__proto__") Object.defineProperty(copy, key, { value: own, enumerable: true })
    else copy[key] = own
  }
  return copy
}

/**
 * Types of live values, by a walk over their data properties and prototypes. No getter, trap or method of a value is
 * run.
 */
import { types } from "node:util"
import { classNameOf, isClass } from "../Mirror.ts"
import { membersOf } from "./Classes.ts"
import { signatureOf } from "./Functions.ts"
import { arrayOf, propertyName, union } from "../../schema/TypeText.ts"

/** Collects the interfaces that types refer to by name, one for each class. */
export class TypeWriter {
  readonly declarations: Array<string> = []
  readonly #named = new Map<object, string>()
  readonly #taken: Set<string>
  readonly #known: ReadonlyMap<object, string>
  /** Values on the way from the root, for cycles. */
  readonly #open = new Set<object>()

  /** `known`: classes declared elsewhere, by prototype. `taken`: names in use. */
  constructor(known: ReadonlyMap<object, string> = new Map(), taken: Set<string> = new Set()) {
    this.#known = known
    this.#taken = taken
  }

  typeOf(value: unknown, depth = 0): string {
    switch (typeof value) {
      case "function":
        return isClass(value) ? "any" : functionType(value as (...args: Array<any>) => unknown)
      case "object":
        return value === null ? "null" : this.#object(value, depth)
      default:
        return typeof value
    }
  }

  #object(value: object, depth: number): string {
    if (types.isProxy(value)) return "any"
    if (this.#open.has(value)) return "any"
    const builtIn = builtInType(value)
    if (builtIn !== undefined) return builtIn
    this.#open.add(value)
    try {
      if (Array.isArray(value)) return arrayOf(this.#elements(value, depth))
      if (types.isMap(value)) return this.#map(value, depth)
      if (types.isSet(value)) return `Set<${this.#all(first(Set.prototype.values.call(value), 10), depth)}>`
      return isPlain(value) ? this.#record([value], depth) : this.#instance(value, depth)
    } finally {
      this.#open.delete(value)
    }
  }

  #elements(array: ReadonlyArray<unknown>, depth: number): string {
    const items = Array.from(
      { length: Math.min(array.length, 20) },
      (_, i) => Object.getOwnPropertyDescriptor(array, i)?.value as unknown
    )
    return this.#all(items, depth)
  }

  #map(map: ReadonlyMap<unknown, unknown>, depth: number): string {
    const entries = first(Map.prototype.entries.call(map), 10)
    return `Map<${this.#all(entries.map(([key]) => key), depth)}, ${this.#all(entries.map(([, item]) => item), depth)}>`
  }

  /** One type for several values; records are merged, so that a field some lack is optional. */
  #all(values: ReadonlyArray<unknown>, depth: number): string {
    const records = values.filter((value): value is object =>
      typeof value === "object" && value !== null && isPlain(value) && !this.#open.has(value)
    )
    const others = values.filter((value) => !records.includes(value as object)).map((value) =>
      this.typeOf(value, depth + 1)
    )
    return union(records.length === 0 ? others : [this.#record(records, depth), ...others])
  }

  #record(records: ReadonlyArray<object>, depth: number): string {
    if (depth > 3) return "Record<string, any>"
    const fields = new Map<string, { count: number; readonly types: Set<string> }>()
    for (const record of records) {
      for (const key of Object.keys(record).slice(0, 60)) {
        const own = Object.getOwnPropertyDescriptor(record, key)!
        const field = fields.get(key) ?? { count: 0, types: new Set() }
        field.count++
        field.types.add(own.get === undefined ? this.typeOf(own.value, depth + 1) : "any")
        fields.set(key, field)
      }
    }
    if (fields.size === 0) return "{}"
    if (fields.size > 30) {
      const all = new Set([...fields.values()].flatMap((field) => [...field.types]))
      return `Record<string, ${all.size <= 3 ? union(all) : "any"}>`
    }
    return `{ ${
      [...fields].map(([key, { count, types }]) =>
        `${propertyName(key)}${count < records.length ? "?" : ""}: ${union(types)}`
      ).join("; ")
    } }`
  }

  #instance(value: object, depth: number): string {
    const prototype = Object.getPrototypeOf(value) as object
    const known = this.#known.get(prototype) ?? this.#named.get(prototype)
    if (known !== undefined) return known
    const className = classNameOf(value)
    if (depth > 3 || className in globalThis) return "any"
    const name = this.#freeName(className)
    this.#named.set(prototype, name)
    const members = membersOf(value, prototype, (property) => this.typeOf(property, depth + 1))
    this.declarations.push(`interface ${name} {\n${members.map((member) => `  ${member}`).join("\n")}\n}`)
    return name
  }

  #freeName(wanted: string): string {
    let name = wanted
    for (let i = 2; this.#taken.has(name); i++) name = `${wanted}${i}`
    this.#taken.add(name)
    return name
  }
}

const functionType = (call: (...args: Array<any>) => unknown): string => {
  const { parameters, returns } = signatureOf(call)
  return `((${parameters}) => ${returns})`
}

const builtInType = (value: object): string | undefined => {
  if (types.isDate(value)) return "Date"
  if (types.isRegExp(value)) return "RegExp"
  if (types.isPromise(value)) return "Promise<any>"
  if (types.isNativeError(value)) return "Error"
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    return classNameOf(value) === "Buffer"
      ? "Uint8Array"
      : classNameOf(value)
  }
  if (types.isWeakMap(value)) return "WeakMap<any, any>"
  if (types.isWeakSet(value)) return "WeakSet<any>"
  if (types.isGeneratorObject(value)) return "Generator<any>"
  const name = classNameOf(value)
  return webTypes.has(name) ? name : undefined
}

/** Of the standard libraries that a type check knows. */
const webTypes = new Set([
  "URL",
  "URLSearchParams",
  "AbortController",
  "AbortSignal",
  "TextEncoder",
  "TextDecoder",
  "Blob",
  "Headers",
  "Response",
  "Request"
])

const isPlain = (value: object): boolean => {
  if (types.isProxy(value) || Array.isArray(value) || builtInType(value) !== undefined) return false
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty")
}

const first = <A>(items: Iterable<A>, most: number): ReadonlyArray<A> => {
  const taken: Array<A> = []
  for (const item of items) {
    if (taken.length >= most) break
    taken.push(item)
  }
  return taken
}

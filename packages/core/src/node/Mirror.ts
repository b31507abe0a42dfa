/**
 * A bounded copy of a value that is safe to print: making it runs no getter, trap or method of the value, and printing
 * it runs none either, since nothing of the original is left in it but primitives.
 *
 * `util.inspect` alone is not enough: it reads `Symbol.toStringTag`, names of constructors and stacks of errors, calls
 * `Symbol.hasInstance`, and has no limit on the number of keys.
 */
import { inspect, types } from "node:util"
import { framesOf } from "./Frames.ts"
import { memoryBytes } from "./Memory.ts"
import { presentationOf, sourceOf } from "./StandIns.ts"

/** How much of a value is copied, and how it is printed. */
export interface PrintLimits {
  readonly depth: number
  /** Elements of an array, map, set or typed array. */
  readonly items: number
  readonly keys: number
  readonly stringChars: number
  /** Nodes in all. */
  readonly nodes: number
  /** Characters of a line. */
  readonly line: number
}

/** Text that is printed as it stands. */
class Leaf {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  [inspect.custom](): string {
    return this.text
  }
}

/** Under it stands what was left out of an object; it is taken out of the text again. */
export const restKey = "... and more keys"

/** Counts how often items, keys or characters were left out. */
export interface Cuts {
  made: number
}

export const mirror = (value: unknown, limits: PrintLimits, cuts: Cuts = { made: 0 }): unknown =>
  new Mirror(limits, cuts).copy(value, 0)

class Mirror {
  readonly #limits: PrintLimits
  readonly #cuts: Cuts
  readonly #seen = new Map<object, object>()
  #nodes = 0

  constructor(limits: PrintLimits, cuts: Cuts) {
    this.#limits = limits
    this.#cuts = cuts
  }

  copy(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#string(value)
    if (typeof value === "function") return new Leaf(describeFunction(value))
    if (typeof value !== "object" || value === null) return value
    const seen = this.#seen.get(value)
    if (seen !== undefined) return seen
    if (this.#nodes++ >= this.#limits.nodes) {
      this.#cuts.made++
      return new Leaf("…")
    }
    return this.#object(value, depth)
  }

  #string(text: string): unknown {
    const { stringChars } = this.#limits
    if (text.length <= stringChars) return text
    this.#cuts.made++
    return new Leaf(`${inspect(text.slice(0, stringChars))}... ${text.length - stringChars} more characters`)
  }

  #object(value: object, depth: number): unknown {
    if (types.isProxy(value)) return new Leaf(this.#standIn(value, depth))
    const leaf = leafOf(value)
    if (leaf !== undefined) return leaf
    const name = classNameOf(value)
    if (depth > this.#limits.depth && !isEmpty(value)) {
      return new Leaf(`[${Array.isArray(value) ? "Array" : name}]`)
    }
    if (Array.isArray(value)) return this.#array(value, name, depth)
    if (types.isMap(value)) return this.#map(value, name, depth)
    if (types.isSet(value)) return this.#set(value, name, depth)
    if (types.isTypedArray(value)) return this.#typed(value, name)
    return this.#plain(value, name, depth)
  }

  #standIn(value: object, depth: number): string {
    const presentation = presentationOf(value)
    if (presentation === undefined) return "[Proxy]"
    if (depth > this.#limits.depth) return `[${presentation.type}]`
    const sight = presentation.look?.({ ...this.#limits, depth: this.#limits.depth - depth })
    return sight?.text ?? presentation.text
  }

  #array(value: ReadonlyArray<unknown>, name: string, depth: number): object {
    const copy: Array<unknown> = []
    this.#seen.set(value, copy)
    // One more than is printed: it decides how a list of numbers is aligned.
    for (let i = 0; i < Math.min(value.length, this.#limits.items + 1); i++) {
      const own = Object.getOwnPropertyDescriptor(value, i)
      if (own !== undefined) copy[i] = this.#property(own, depth + 1)
    }
    // Printed with the same limit, so what lies behind is only counted. A property that cannot be written makes the
    // array
    // a sparse one: otherwise room for every element would be allocated.
    const { items } = this.#limits
    if (value.length > items + 1) {
      Object.defineProperty(copy, items, { value: copy[items], enumerable: true, configurable: true, writable: false })
    }
    copy.length = value.length
    if (value.length > this.#limits.items) this.#cuts.made++
    return name === "Array" ? copy : named(copy, name)
  }

  #map(value: ReadonlyMap<unknown, unknown>, name: string, depth: number): unknown {
    const copy = new Map<unknown, unknown>()
    this.#seen.set(value, copy)
    let taken = 0
    for (const [key, item] of nativeEntries.call(value)) {
      if (taken++ >= this.#limits.items) break
      copy.set(this.copy(key, depth + 1), this.copy(item, depth + 1))
    }
    return this.#sized(copy, sizeOfMap.call(value), name)
  }

  #set(value: ReadonlySet<unknown>, name: string, depth: number): unknown {
    const copy = new Set<unknown>()
    this.#seen.set(value, copy)
    let taken = 0
    for (const item of nativeValues.call(value)) {
      if (taken++ >= this.#limits.items) break
      copy.add(this.copy(item, depth + 1))
    }
    return this.#sized(copy, sizeOfSet.call(value), name)
  }

  /** `Map(3) { … }` counts the entries of the original. */
  #sized(copy: Map<unknown, unknown> | Set<unknown>, size: number, name: string): unknown {
    if (copy.size === size && (name === "Map" || name === "Set")) return copy
    const shown = `${inspect(copy, { depth: Infinity, maxArrayLength: null, maxStringLength: null, breakLength: 100 })}`
    const head = `${name || "Map"}(${size})`
    const body = shown.slice(shown.indexOf("{"))
    const more = size - copy.size
    if (more > 0) this.#cuts.made++
    return new Leaf(more > 0 ? `${head} ${body.replace(/\s*\}$/, `, ... ${more} more items }`)}` : `${head} ${body}`)
  }

  #typed(value: NodeJS.TypedArray, name: string): unknown {
    const length = lengthOfTyped.call(value) as number
    const { items } = this.#limits
    const shown: Array<unknown> = []
    for (let i = 0; i < Math.min(items, length); i++) shown.push(value[i])
    if (length > items) shown.push(this.#rest(length - items))
    return new Leaf(`${name}(${length}) ${inspect(shown, { maxArrayLength: null, breakLength: 100 })}`)
  }

  #plain(value: object, name: string, depth: number): object {
    const error = types.isNativeError(value)
    const copy: object = Object.create(error ? null : prototypeNamed(name))
    this.#seen.set(value, copy)
    const keys: ReadonlyArray<PropertyKey> = [...Object.keys(value), ...Object.getOwnPropertySymbols(value)]
    let taken = 0
    for (const key of keys) {
      if (error && (key === "stack" || key === "message")) continue
      const own = Object.getOwnPropertyDescriptor(value, key)
      if (own === undefined || !own.enumerable) continue
      if (taken++ >= this.#limits.keys) {
        define(copy, restKey, this.#rest(keys.length - taken + 1, "keys"))
        break
      }
      define(copy, key, this.#property(own, depth + 1))
    }
    if (!error) return copy
    const text = describeError(value)
    return taken === 0
      ? new Leaf(text)
      : new Leaf(`${text} ${inspect(copy, { depth: Infinity, breakLength: 100 }).replace(/^\S* ?\{/, "{")}`)
  }

  #rest(count: number, what = "items"): Leaf {
    this.#cuts.made++
    return new Leaf(`... ${count} more ${count === 1 ? what.slice(0, -1) : what}`)
  }

  #property(own: PropertyDescriptor, depth: number): unknown {
    if (own.get === undefined && own.set === undefined) return this.copy(own.value, depth)
    return new Leaf(own.get === undefined ? "[Setter]" : own.set === undefined ? "[Getter]" : "[Getter/Setter]")
  }
}

/** Nothing to leave out. */
const isEmpty = (value: object): boolean => {
  if (Array.isArray(value)) return value.length === 0
  if (ArrayBuffer.isView(value)) return false
  if (types.isMap(value)) return sizeOfMap.call(value) === 0
  return types.isSet(value) ? sizeOfSet.call(value) === 0 : Reflect.ownKeys(value).length === 0
}

const nativeEntries = Map.prototype.entries as (this: unknown) => MapIterator<[unknown, unknown]>
const nativeValues = Set.prototype.values as (this: unknown) => SetIterator<unknown>
const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, "size")!.get as (this: unknown) => number
const sizeOfSet = Object.getOwnPropertyDescriptor(Set.prototype, "size")!.get as (this: unknown) => number
const lengthOfTyped = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length")!.get!

const define = (target: object, key: PropertyKey, value: unknown): void => {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}

const prototypes = new Map<string, object>([["Object", Object.prototype]])

/** A prototype that makes `util.inspect` print this class name, without the class. */
const prototypeNamed = (name: string): object => {
  const known = prototypes.get(name)
  if (known !== undefined) return known
  const constructor = Object.defineProperty(function() {}, "name", { value: name })
  const prototype = constructor.prototype as object
  if (prototypes.size < 1000) prototypes.set(name, prototype)
  return prototype
}

const named = (copy: Array<unknown>, name: string): object => {
  const constructor = Object.defineProperty(class extends Array {}, "name", { value: name })
  return Object.setPrototypeOf(copy, constructor.prototype) as object
}

/** Classes of the platform whose own printing is trusted. */
const trusted = [
  "URL",
  "URLSearchParams",
  "Headers",
  "Request",
  "Response",
  "FormData",
  "Blob",
  "File",
  "AbortSignal",
  "AbortController",
  "TextEncoder",
  "TextDecoder",
  "Event",
  "ReadableStream",
  "WritableStream",
  "TransformStream"
]

const leafOf = (value: object): Leaf | undefined => {
  if (types.isDate(value)) {
    const time = Date.prototype.getTime.call(value)
    return new Leaf(Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString())
  }
  if (types.isRegExp(value)) return new Leaf(`/${regExpSource.call(value) as string}/${regExpFlags(value)}`)
  if (types.isPromise(value)) return new Leaf(promiseText(value))
  if (types.isBoxedPrimitive(value)) return new Leaf(inspect(value, { customInspect: false }))
  if (types.isAnyArrayBuffer(value)) return new Leaf(`ArrayBuffer { byteLength: ${memoryBytes(value)} }`)
  if (types.isWeakMap(value) || types.isWeakSet(value)) return new Leaf(`${classNameOf(value)} { <items unknown> }`)
  if (types.isGeneratorObject(value)) return new Leaf("Object [Generator] {}")
  const name = classNameOf(value)
  if (
    !trusted.includes(name) || Reflect.ownKeys(value).some((key) => typeof key === "symbol" && key === inspect.custom)
  ) return undefined
  const host = (globalThis as Record<string, unknown>)[name] as { readonly prototype: object } | undefined
  return host !== undefined && Object.getPrototypeOf(value) === host.prototype
    ? new Leaf(inspect(value, { depth: 1 }))
    : undefined
}

const regExpSource = Object.getOwnPropertyDescriptor(RegExp.prototype, "source")!.get!
const regExpFlags = (value: RegExp): string => {
  const read = Object.getOwnPropertyDescriptor(RegExp.prototype, "flags")!.get!
  return Object.getOwnPropertyNames(value).length > 1 ? "" : read.call(value) as string
}

const promiseText = (promise: Promise<unknown>): string => {
  // The state of a promise is known to `inspect` only; a bare copy of the text keeps the value inside unprinted.
  const text = inspect(promise, { depth: -1, customInspect: false })
  return /<pending>/.test(text)
    ? "Promise { <pending> }"
    : /<rejected>/.test(text)
    ? "Promise { <rejected> }"
    : "Promise { <fulfilled> }"
}

/**
 * Name of the class of an object by its data properties alone. That a record has no prototype, as rows of a database
 * have none, is nothing a model needs to be told: it is an `Object`.
 */
export const classNameOf = (value: object): string => {
  for (
    let p = Object.getPrototypeOf(value) as object | null;
    p !== null;
    p = Object.getPrototypeOf(p) as object | null
  ) {
    if (types.isProxy(p)) return "Object"
    const constructor = Object.getOwnPropertyDescriptor(p, "constructor")?.value as unknown
    if (typeof constructor !== "function" || types.isProxy(constructor)) continue
    const name = Object.getOwnPropertyDescriptor(constructor, "name")?.value as unknown
    if (typeof name === "string" && name !== "") return name
  }
  return "Object"
}

/** `[Function: name]` or `[class Name extends Base]`, by data properties alone. */
export const describeFunction = (value: object): string => {
  if (types.isProxy(value)) return presentationOf(value)?.text ?? "[Function: Proxy]"
  const own = Object.getOwnPropertyDescriptor(value, "name")?.value as unknown
  const name = typeof own === "string" && own !== "" ? own : undefined
  if (isClass(value)) {
    const base = Object.getPrototypeOf(value) as object | null
    const baseName = base === null ? undefined : Object.getOwnPropertyDescriptor(base, "name")?.value as unknown
    return `[class ${name ?? "(anonymous)"}${
      typeof baseName === "string" && baseName !== "" ? ` extends ${baseName}` : ""
    }]`
  }
  const kind = types.isAsyncFunction(value)
    ? types.isGeneratorFunction(value) ? "AsyncGeneratorFunction" : "AsyncFunction"
    : types.isGeneratorFunction(value)
    ? "GeneratorFunction"
    : "Function"
  return name === undefined ? `[${kind} (anonymous)]` : `[${kind}: ${name}]`
}

export const isClass = (value: unknown): boolean =>
  typeof value === "function" && !types.isProxy(value) && /^class\b/.test(sourceOf(value))

/** `Name: message`, and below it the places in cells that it came through. */
export const describeError = (error: object): string => {
  const name = dataProperty(error, "name") ?? "Error"
  const message = dataProperty(error, "message")
  // The engine asks for the message when it writes the stack.
  const frames = (message === undefined ? [] : framesOf(stackOf(error))).map((frame) => `\n    at ${frame}`).join("")
  return `${message ? `${name}: ${message}` : name}${frames}`
}

/** The stack, where the engine itself keeps it. */
const stackOf = (error: object): string => {
  const own = Object.getOwnPropertyDescriptor(error, "stack")
  if (typeof own?.value === "string") return own.value
  if (own?.get === undefined || !/\[native code\]/.test(Function.prototype.toString.call(own.get))) return ""
  try {
    return String(own.get.call(error))
  } catch {
    return "" // a name that is no string makes the engine throw
  }
}

/**
 * A text property on the object or its prototypes. No code of a cell runs to read it; a getter of a class of the
 * host does, since typed errors of the application make their message that way.
 */
const dataProperty = (value: object, key: string): string | undefined => {
  for (let p: object | null = value; p !== null && !types.isProxy(p); p = Object.getPrototypeOf(p) as object | null) {
    const own = Object.getOwnPropertyDescriptor(p, key)
    if (own === undefined) continue
    const text: unknown = own.get instanceof Function ? attempt(() => own.get!.call(value)) : own.value
    return typeof text === "string" ? text : undefined
  }
  return undefined
}

const attempt = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return undefined // a message that cannot be read is no message
  }
}

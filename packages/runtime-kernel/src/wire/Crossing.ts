/**
 * Values on their way between the processes. Data crosses by copy, with cycles and shared parts; what is no data
 * becomes a marker: a record under a key that is random for each kernel, so that data of a cell cannot pass for one.
 *
 * Data that holds nothing special is not walked twice: it is handed to V8 as it is.
 */
import { types } from "node:util"
import { errorFromWire, errorToWire, isError, isUnchanged } from "./Errors.ts"
import type { ErrorWire, Marker, Wire } from "./Messages.ts"
import type { Originals } from "./Originals.ts"
import { honest, isDetached, isShared } from "./Views.ts"

/** What a side makes of what is no data. */
export interface Side {
  /** Of markers. */
  readonly key: string
  /**
   * Nothing: it crosses as data, by its own enumerable properties. `holder`: the object whose property it is, `path`:
   * how it was reached.
   */
  readonly leave: (value: object, path: string | undefined, holder: object | undefined) => Marker | undefined
  /** Getters are not run: what they would give is left out. */
  readonly quiet?: true | undefined
  readonly errors: Originals
  /** No numbers are given to errors: what is sent has to be the same in every process. */
  readonly unnumbered?: true | undefined
  readonly arrive: (marker: Exclude<Marker, { readonly error: ErrorWire }>) => unknown
}

/** Levels of data in data. What reads a message needs a stack for them. */
const mostLevels = 1_000

const tooDeep = (): RangeError =>
  new RangeError(`data in more than ${mostLevels} levels cannot cross: flatten it, or hand it over in parts`)

/** Makes a value ready to be serialised. Throws a `RangeError` where it is too deep. */
export const depart = (side: Side, value: unknown, path?: string): Wire =>
  isBare(value, new Set(), 0) ? { d: value } : { d: new Departure(side).walk(value, path, undefined), m: true }

export const departError = (side: Side, error: unknown): ErrorWire => new Departure(side).error(error)

/** Consumes the wire: its data becomes the value. */
export const arrive = (side: Side, wire: Wire): unknown => wire.m === true ? new Arrival(side).walk(wire.d) : wire.d

export const arriveError = (side: Side, wire: ErrorWire): unknown => new Arrival(side).error(wire)

/**
 * Nothing in it needs a marker. May be wrong only where a getter or trap answers differently the second time. Calls
 * nothing that the value might have made its own.
 */
const isBare = (value: unknown, seen: Set<object>, level: number): boolean => {
  switch (typeof value) {
    case "function":
    case "symbol":
      return false
    case "object":
      break
    default:
      return true
  }
  if (value === null || seen.has(value)) return true
  if (types.isProxy(value)) return false
  if (level > mostLevels) throw tooDeep()
  seen.add(value)
  if (Array.isArray(value)) {
    if (value.length !== Object.keys(value).length) return false
    for (let i = 0; i < value.length; i++) {
      if (!Object.hasOwn(value, i) || !isBare(value[i], seen, level + 1)) return false
    }
    return true
  }
  if (!isPlain(value)) {
    return types.isDate(value) || (types.isTypedArray(value) && !isShared(value) && honest(value) === value)
  }
  for (const key of Object.keys(value)) {
    const own = Object.getOwnPropertyDescriptor(value, key)!
    if (own.get !== undefined || own.set !== undefined || !isBare(own.value, seen, level + 1)) return false
  }
  return Object.getOwnPropertySymbols(value).length === 0
}

class Departure {
  readonly #side: Side
  readonly #seen = new Map<object, unknown>()
  #level = 0

  constructor(side: Side) {
    this.#side = side
  }

  walk(value: unknown, path: string | undefined, holder: object | undefined): unknown {
    if (typeof value === "symbol") return this.#mark(symbolMarker(value))
    if (typeof value === "function") return this.#marked(value, path, holder) ?? null
    if (typeof value !== "object" || value === null) return value
    const seen = this.#seen.get(value)
    if (seen !== undefined) return seen
    if (++this.#level > mostLevels) throw tooDeep()
    try {
      return this.#marked(value, path, holder) ?? this.#data(value, path)
    } finally {
      this.#level--
    }
  }

  /** What was thrown. */
  error(thrown: unknown): ErrorWire {
    return isError(thrown)
      ? this.#errorParts(thrown).error!
      : { thrown: this.walk(thrown, undefined, undefined) }
  }

  #data(value: object, path: string | undefined): unknown {
    if (Array.isArray(value)) return this.#array(value, path)
    if (types.isMap(value)) return this.#map(value, path)
    if (types.isSet(value)) return this.#set(value)
    if (types.isNativeError(value)) {
      this.#errorParts(value)
      return this.#seen.get(value)
    }
    if (isLeaf(value)) return leafOf(value)
    if (value instanceof URL) return this.#mark({ url: hrefOf.call(value) })
    const copy: Record<string, unknown> = {}
    this.#seen.set(value, copy)
    for (const key of Object.keys(value)) {
      const item = this.walk(this.#read(value, key), under(path, key), value)
      Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true })
    }
    return copy
  }

  /** By its keys: an array of a few items may be as long as there are numbers, and have more than items. */
  #array(value: ReadonlyArray<unknown>, path: string | undefined): unknown {
    const copy: Array<unknown> = []
    copy.length = value.length
    this.#seen.set(value, copy)
    for (const key of Object.keys(value)) {
      const item = this.walk(this.#read(value, key), under(path, key), undefined)
      Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true })
    }
    return copy
  }

  #read(value: object, key: string): unknown {
    return this.#side.quiet === true
      ? Object.getOwnPropertyDescriptor(value, key)?.value
      : (value as Record<string, unknown>)[key]
  }

  #map(value: ReadonlyMap<unknown, unknown>, path: string | undefined): unknown {
    const copy = new Map<unknown, unknown>()
    this.#seen.set(value, copy)
    for (const [key, item] of entriesOfMap.call(value)) {
      const at = typeof key === "string" || typeof key === "number" ? `${path}.get(${JSON.stringify(key)})` : undefined
      copy.set(this.walk(key, undefined, undefined), this.walk(item, path && at, undefined))
    }
    return copy
  }

  #set(value: ReadonlySet<unknown>): unknown {
    const copy = new Set<unknown>()
    this.#seen.set(value, copy)
    for (const item of valuesOfSet.call(value)) copy.add(this.walk(item, undefined, undefined))
    return copy
  }

  #errorParts(value: Error): { readonly error?: ErrorWire } {
    const mark: { error?: ErrorWire } = {}
    this.#seen.set(value, { [this.#side.key]: mark })
    mark.error = {
      ...errorToWire(value, (part) => this.walk(part, undefined, undefined)),
      ...this.#numbered(value)
    }
    return mark
  }

  #numbered(error: Error): { readonly mine?: number; readonly yours?: number } {
    const { errors, unnumbered } = this.#side
    const yours = errors.copiedFrom(error)
    if (yours !== undefined) return { yours }
    return unnumbered === true ? {} : { mine: errors.numberOf(error) }
  }

  #marked(value: object, path: string | undefined, holder: object | undefined): unknown {
    const marker = this.#side.leave(value, path, holder)
    if (marker === undefined) return undefined
    const mark = this.#mark(marker)
    this.#seen.set(value, mark)
    return mark
  }

  #mark(marker: Marker): unknown {
    return { [this.#side.key]: marker }
  }
}

class Arrival {
  readonly #side: Side
  readonly #seen = new Map<object, unknown>()

  constructor(side: Side) {
    this.#side = side
  }

  walk(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value
    const seen = this.#seen.get(value)
    if (seen !== undefined) return seen
    if (Array.isArray(value)) return this.#items(value)
    if (types.isMap(value)) return this.#map(value)
    if (types.isSet(value)) return this.#set(value)
    if (Object.getPrototypeOf(value) !== Object.prototype) return value
    const marker = (value as Record<string, Marker | undefined>)[this.#side.key]
    return marker === undefined ? this.#items(value) : this.#marker(value, marker)
  }

  #items(value: object): unknown {
    this.#seen.set(value, value)
    const record = value as Record<string, unknown>
    for (const key of Object.keys(record)) {
      const item = record[key]
      if (typeof item === "object" && item !== null) record[key] = this.walk(item)
    }
    return value
  }

  #map(value: Map<unknown, unknown>): unknown {
    this.#seen.set(value, value)
    const entries = [...value]
    value.clear()
    for (const [key, item] of entries) value.set(this.walk(key), this.walk(item))
    return value
  }

  #set(value: Set<unknown>): unknown {
    this.#seen.set(value, value)
    const items = [...value]
    value.clear()
    for (const item of items) value.add(this.walk(item))
    return value
  }

  #marker(from: object, marker: Marker): unknown {
    const value = "error" in marker ? this.error(marker.error) : this.#side.arrive(marker)
    this.#seen.set(from, value)
    return value
  }

  /** What was thrown. */
  error(wire: ErrorWire): unknown {
    const seen = this.#seen.get(wire)
    if (seen !== undefined) return seen
    const { errors } = this.#side
    const { mine, yours } = wire as { readonly mine?: number; readonly yours?: number }
    const original = yours === undefined ? undefined : errors.original(yours)
    if (original !== undefined && isUnchanged(original, wire)) {
      this.#seen.set(wire, original)
      return original
    }
    return errorFromWire(wire, (part) => this.walk(part), (error) => {
      this.#seen.set(wire, error)
      if (mine !== undefined) errors.note(error, mine)
    })
  }
}

/** Data of any realm: no class but `Object`. */
export const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || prototype === Object.prototype ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty"))
}

/** Copied by V8 whole. */
const isLeaf = (value: object): boolean =>
  types.isDate(value) || types.isRegExp(value) || (ArrayBuffer.isView(value) && !isShared(value)) ||
  types.isArrayBuffer(value) || (types.isBoxedPrimitive(value) && !types.isSymbolObject(value))

const leafOf = (value: object): object => {
  if (ArrayBuffer.isView(value)) return honest(value)
  return types.isArrayBuffer(value) && isDetached(value) ? new ArrayBuffer(0) : value
}

const under = (path: string | undefined, key: string): string | undefined =>
  path === undefined ? undefined : memberPath(path, key)

/** As the model would write it. */
export const memberPath = (path: string, key: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)
    ? `${path}.${key}`
    : `${path}[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`

const symbolMarker = (symbol: symbol): Marker => {
  const registered = Symbol.keyFor(symbol)
  return { symbol: registered ?? symbol.description ?? "", unique: registered === undefined }
}

const hrefOf = Object.getOwnPropertyDescriptor(URL.prototype, "href")!.get as (this: unknown) => string
const entriesOfMap = Map.prototype.entries as (this: unknown) => MapIterator<[unknown, unknown]>
const valuesOfSet = Set.prototype.values as (this: unknown) => SetIterator<unknown>

/**
 * Live objects of the host that kernels hold, by number. Only what was handed out can be reached, and of it only its
 * own members and those of its classes: not `constructor`, not `__proto__`, and nothing of `Object` or `Function`.
 */
import type { Contract, Methods } from "@daylight/core"
import { type PrintLimits, type Sight, sightOf } from "@daylight/core/node"
import process from "node:process"
import { types } from "node:util"
import { isPlain, memberPath } from "../wire/Crossing.ts"
import type { Marker, Operation, ReferenceWire, Shape } from "../wire/Messages.ts"

/** One object, as it was handed out. */
export interface HostObject {
  readonly id: number
  readonly object: object
  /** How a cell writes it, as far as that is known. */
  readonly path: string | undefined
  /** What a function is called on. */
  readonly self: object | undefined
  /** Of a function that crosses the boundary. */
  readonly contract: Contract | undefined
  /** Of methods that cross the boundary. */
  readonly methods: Methods | undefined
  /** Of the engine itself: its calls are no host calls. */
  readonly direct: boolean
  readonly wire: ReferenceWire
  /** How often it was sent and not given back. */
  count: number
  /** Never given back: a binding. */
  pinned: boolean
}

/** Whether a call with this contract gives its value and no promise. */
export const isSynchronous = (contract: Contract): boolean => contract.effect === "none" && !contract.approval

export class TooManyReferences extends RangeError {
  constructor(most: number) {
    super(`the kernel holds ${most} objects of the host already; let go of some of them`)
  }
}

export class HostObjects {
  readonly #most: number
  readonly #byId = new Map<number, HostObject>()
  readonly #ids = new WeakMap<object, number>()
  readonly #shapes = new Map<number, Shape>()
  readonly #shapeIds = new WeakMap<object, number>()
  #last = 0
  #lastShape = 0

  /** `most`: how many may be handed out at once. */
  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#byId.size
  }

  get(id: number): HostObject | undefined {
    return this.#byId.get(id)
  }

  /** What a cell that holds it is shown of it. */
  sight(id: number, limits: PrintLimits): Sight | undefined {
    const object = this.#byId.get(id)?.object
    return object && sightOf(object, limits)
  }

  shape(id: number): Shape | undefined {
    return this.#shapes.get(id)
  }

  /** Hands out an object as it is. */
  bare(object: object, path: string | undefined, self: object | undefined): HostObject {
    if (makesCode.has(object)) {
      throw new TypeError(`${path ?? "this"} cannot be handed to a cell: it reaches all of the host`)
    }
    const known = this.#byId.get(this.#ids.get(object) ?? 0)
    if (known !== undefined) {
      known.count++
      return known
    }
    const entry = this.#add(this.#ids.get(object), object, { path, self })
    this.#ids.set(object, entry.id)
    return entry
  }

  /** Hands out an object some methods of which cross the boundary, or a function that does. Pinned. */
  contracted(
    object: object,
    path: string,
    contracts: { readonly contract?: Contract; readonly methods?: Methods; readonly direct?: boolean }
  ): HostObject {
    const entry = this.#add(undefined, object, { path, self: undefined, ...contracts })
    entry.pinned = true
    return entry
  }

  /** The kernel has let go of it. */
  release(id: number, count: number): void {
    const entry = this.#byId.get(id)
    if (entry === undefined) return
    entry.count -= count
    if (entry.count <= 0 && !entry.pinned) this.#byId.delete(id)
  }

  unpin(id: number): void {
    const entry = this.#byId.get(id)
    if (entry !== undefined) entry.pinned = false
    this.release(id, 1)
  }

  /** A kernel died: what it held is held by nobody, but for `kept`. */
  releaseAllBut(kept: ReadonlySet<number>): void {
    for (const entry of this.#byId.values()) {
      entry.count = 0
      if (!entry.pinned && !kept.has(entry.id)) this.#byId.delete(entry.id)
    }
  }

  #add(
    id: number | undefined,
    object: object,
    rest: Pick<HostObject, "path" | "self"> & {
      readonly contract?: Contract
      readonly methods?: Methods
      readonly direct?: boolean
    }
  ): HostObject {
    if (this.#byId.size >= this.#most) throw new TooManyReferences(this.#most)
    const number = id ?? ++this.#last
    const { contract, direct = false, methods, path, self } = rest
    const entry = {
      id: number,
      object,
      path,
      self,
      contract,
      methods,
      direct,
      wire: this.#wire(number, object, contract, methods),
      count: 1,
      pinned: false
    }
    this.#byId.set(number, entry)
    return entry
  }

  #wire(id: number, object: object, contract: Contract | undefined, methods: Methods | undefined): ReferenceWire {
    const posts = Object.entries(methods ?? {}).filter(([, method]) => !isSynchronous(method)).map(([key]) => key)
    if (typeof object === "function") {
      const prototype = isClass(object) ? (object as unknown as { prototype: object }).prototype : undefined
      return {
        id,
        kind: prototype === undefined ? "function" : "class",
        name: nameOf(object),
        ...(object.length > 0 && { length: object.length }),
        ...(prototype !== undefined && { shape: this.#shapeOf(prototype) }),
        ...(contract !== undefined && !isSynchronous(contract) && { posts: true as const })
      }
    }
    if (types.isProxy(object)) return { id, kind: "object", name: "", ...(posts.length > 0 && { posts }) }
    const prototype = Object.getPrototypeOf(object) as object | null
    return {
      id,
      kind: "object",
      name: prototype === null ? "" : classNameOf(prototype),
      ...(prototype !== null && !isRoot(prototype) && { shape: this.#shapeOf(prototype) }),
      ...ownMethods(object),
      ...ownSymbols(object),
      ...(posts.length > 0 && { posts }),
      ...(typeof (object as { readonly then?: unknown }).then === "function" && { thenable: true as const })
    }
  }

  #shapeOf(prototype: object): number {
    const known = this.#shapeIds.get(prototype)
    if (known !== undefined) return known
    const id = ++this.#lastShape
    this.#shapeIds.set(prototype, id)
    const parent = Object.getPrototypeOf(prototype) as object | null
    const members = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([key]) => !forbidden.has(key))
    this.#shapes.set(id, {
      name: classNameOf(prototype),
      ...(parent !== null && !isRoot(parent) && { parent: this.#shapeOf(parent) }),
      methods: members.filter(([, own]) => typeof own.value === "function").map(([key]) => key),
      accessors: members.filter(([, own]) => typeof own.value !== "function").map(([key]) => key),
      symbols: symbolsOf(prototype)
    })
    return id
  }
}

/** How an object of the host crosses; nothing: it is data. */
export const isLive = (value: object): boolean => {
  if (typeof value === "function" || types.isProxy(value)) return true
  if (
    Array.isArray(value) || types.isMap(value) || types.isSet(value) || types.isDate(value) || types.isRegExp(value)
  ) return false
  if (
    types.isNativeError(value) || ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value) ||
    types.isBoxedPrimitive(value)
  ) return false
  if (value instanceof URL) return false
  if (!isPlain(value)) return true
  // A record with methods or accessors is an object in its own right: a copy would part from what its methods change.
  return Object.values(Object.getOwnPropertyDescriptors(value)).some((own) =>
    own.get !== undefined || own.set !== undefined || typeof own.value === "function"
  ) || symbolsOf(value).length > 0
}

/** Performs what a cell asked of an object. */
export const perform = (
  entry: HostObject,
  op: Operation,
  key: string | undefined,
  args: ReadonlyArray<unknown>
): unknown => {
  const { object } = entry
  const target = object as Record<string, unknown>
  switch (op) {
    case "call":
      if (key === undefined) return Reflect.apply(object as () => unknown, entry.self, args)
      return callMember(object, key, args)
    case "construct":
      return Reflect.construct(object as new() => unknown, args)
    case "get":
      return reachable(object, key!) ? target[key!] : undefined
    case "set":
      return assign(object, key!, args[0])
    case "has":
      return reachable(object, key!)
    case "own": {
      const own = forbidden.has(key!) ? undefined : Object.getOwnPropertyDescriptor(object, key!)
      return own && { enumerable: own.enumerable === true }
    }
    case "keys":
      return Object.getOwnPropertyNames(object).filter((name) =>
        !forbidden.has(name) && !(typeof object === "function" && ownOfFunctions.has(name))
      )
    case "next":
      return (object as Iterator<unknown>).next(...args as [])
    case "stop":
      return (object as Iterator<unknown>).return?.()
  }
}

const callMember = (object: object, key: string, args: ReadonlyArray<unknown>): unknown => {
  const symbol = key.startsWith("@@") ? symbols.get(key.slice(2)) : undefined
  const method: unknown = symbol !== undefined
    ? (object as Record<symbol, unknown>)[symbol]
    : reachable(object, key)
    ? (object as Record<string, unknown>)[key]
    : undefined
  if (typeof method !== "function") throw new TypeError(`${key} is not a function of this object`)
  return Reflect.apply(method, object, args)
}

const assign = (object: object, key: string, value: unknown): unknown => {
  if (forbidden.has(key) || spoken.has(key) || key in Object.prototype) {
    throw new TypeError(`Cannot assign to '${key}' of a host object`)
  }
  if (reachable(object, key) && typeof (object as Record<string, unknown>)[key] === "function") {
    throw new TypeError(`Cannot assign to '${key}': it is a method of the application`)
  }
  if (!Reflect.set(object, key, value)) throw new TypeError(`Cannot assign to '${key}': it is read-only`)
  return undefined
}

/** On the object itself or on a class of the application. */
export const reachable = (object: object, key: string): boolean => {
  if (forbidden.has(key)) return false
  if (types.isProxy(object)) return true
  for (let p: object | null = object; p !== null && !isRoot(p); p = Object.getPrototypeOf(p) as object | null) {
    if (Object.hasOwn(p, key)) return !(typeof p === "function" && ownOfFunctions.has(key))
  }
  return false
}

/** A careless helper of the application may give them; a cell does not get them. */
const makesCode = new Set<object>([
  globalThis,
  process,
  Reflect.get(globalThis, "eval") as object,
  Function,
  ...[async () => {}, function*() {}, async function*() {}].map((f) =>
    (f as { readonly constructor: object }).constructor
  )
])

const forbidden = new Set([
  "constructor",
  "__proto__",
  "prototype",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__"
])
/**
 * The language calls them by itself, as it does what all objects have: where the host only waits for one or prints it.
 */
const spoken = new Set(["then", "toJSON"])
const ownOfFunctions = new Set(["length", "name", "prototype", "arguments", "caller", "call", "apply", "bind"])

const symbols = new Map<string, symbol>(
  (["iterator", "asyncIterator", "dispose", "asyncDispose"] as const).map((name) => [name, Symbol[name]])
)

/** `Object.prototype` or `Function.prototype`, of any realm. */
const isRoot = (prototype: object): boolean =>
  Object.hasOwn(prototype, "hasOwnProperty") || (Object.hasOwn(prototype, "apply") && Object.hasOwn(prototype, "bind"))

const isClass = (value: object): boolean => {
  if (types.isProxy(value)) return false
  return /^class\b/.test(Function.prototype.toString.call(value)) ||
    Object.keys(Object.getOwnPropertyDescriptors((value as { prototype?: object }).prototype ?? {})).length > 1
}

const symbolsOf = (object: object): ReadonlyArray<string> =>
  [...symbols].filter(([, symbol]) => Object.hasOwn(object, symbol)).map(([name]) => name)

const ownSymbols = (object: object): { readonly symbols?: ReadonlyArray<string> } => {
  const own = symbolsOf(object)
  return own.length === 0 ? {} : { symbols: own }
}

const ownMethods = (object: object): { readonly methods?: ReadonlyArray<string> } => {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(object))
    .filter(([key, own]) => typeof own.value === "function" && !forbidden.has(key) && !isClass(own.value as object))
    .map(([key]) => key)
  return methods.length === 0 ? {} : { methods: methods.slice(0, 200) }
}

const nameOf = (value: object): string => {
  const name: unknown = Object.getOwnPropertyDescriptor(value, "name")?.value
  return typeof name === "string" ? name : ""
}

const classNameOf = (prototype: object): string => {
  for (let p: object | null = prototype; p !== null; p = Object.getPrototypeOf(p) as object | null) {
    const constructor: unknown = Object.getOwnPropertyDescriptor(p, "constructor")?.value
    if (typeof constructor === "function" && nameOf(constructor) !== "") return nameOf(constructor)
  }
  return ""
}

/** How a cell writes an operation on an object. */
export const pathOf = ({ object, path }: Pick<HostObject, "object" | "path">, key: string | undefined): string => {
  const root = path ?? (typeof object === "function" ? nameOf(object) || "function" : classNameOf(object) || "object")
  if (key === undefined) return root
  return key.startsWith("@@") ? `${root}[Symbol.${key.slice(2)}]` : memberPath(root, key)
}

export type HostMarker = Extract<
  Marker,
  { readonly ref: ReferenceWire } | { readonly yours: number } | { readonly promise: string }
>

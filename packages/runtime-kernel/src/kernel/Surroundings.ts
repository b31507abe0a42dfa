/**
 * The world of a cell in the kernel: its clock, randomness and timers are those of its namespace, so that nothing but
 * the record decides what it sees.
 */
import type { Entropy } from "./Entropy.ts"
import { harden } from "./Intrinsics.ts"
import { noteUse } from "./Web.ts"

type Context = Record<string, any>

/** What a namespace gives its cells in place of the real thing. */
export interface Sources {
  readonly entropy: Entropy
  readonly timers: Readonly<Record<string, (...args: Array<any>) => unknown>>
  /** Gives the end of work in a thread pool its place in the order of events. */
  readonly inOrder: <A>(work: Promise<A>) => Promise<A>
}

let current: () => Entropy | undefined = () => undefined

/**
 * Once in a process, before the first context: dates are shared by all of them. `of` gives the entropy of the running
 * code.
 */
export const replaceDates = (of: () => Entropy | undefined): void => {
  current = of
  const Real = Date
  const now = (): number => Math.floor(current()?.now() ?? Real.now())
  const realNow = Real.now.bind(Real)
  const Recorded = function Date(this: unknown, ...args: Array<any>): unknown {
    if (new.target === undefined) return new Real(now()).toString()
    return Reflect.construct(Real, args.length === 0 ? [now()] : args, new.target)
  }
  Object.defineProperty(Recorded, "length", { value: 7 })
  define(Recorded, "prototype", Real.prototype, false)
  for (const name of ["parse", "UTC"] as const) define(Recorded, name, Real[name])
  define(Recorded, "now", () => current() === undefined ? realNow() : now())
  define(Real.prototype, "constructor", Recorded)
  define(globalThis, "Date", Recorded)
  Object.defineProperty(Event.prototype, "timeStamp", { get: () => current()?.now() ?? 0, configurable: true })
}

/** Of a new context, after its own globals. */
export const furnish = (context: Context, { entropy, inOrder, timers }: Sources): void => {
  // Not since the process began: a cell that runs again does so in another one.
  define(context, "performance", Object.freeze({ now: () => entropy.now(), timeOrigin: 0 }))
  define(context.Math, "random", () => entropy.random())
  define(context, "crypto", makeCrypto(entropy, inOrder))
  for (const [name, timer] of Object.entries(timers)) define(context, name, timer)
  define(context, "AbortSignal", withTimeout(timers.setTimeout!))
  for (const name of unordered) Reflect.deleteProperty(context, name)
  // The engine's own way to wait, and memory that other threads may see.
  for (const name of ["WebAssembly", "SharedArrayBuffer"]) Reflect.deleteProperty(context, name)
  Reflect.deleteProperty(context.Atomics, "wait")
  Reflect.deleteProperty(context.Atomics, "waitAsync")
  for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(context))) {
    if (own.get !== undefined && own.configurable === true) hardenLazily(context, name, own.get)
  }
}

/** Classes that are made when they are first used are shared by all contexts. */
const hardenLazily = (context: Context, name: string, make: () => unknown): void => {
  const settle = (value: unknown): unknown => {
    define(context, name, value)
    return value
  }
  const get = (): unknown => {
    const value = make()
    harden([value])
    noteUse(name, value)
    return settle(value)
  }
  Object.defineProperty(context, name, { get, set: settle, configurable: true, enumerable: false })
}

/** What they do ends when a thread says so. */
const unordered = ["CompressionStream", "DecompressionStream", "FinalizationRegistry"]

const makeCrypto = (entropy: Entropy, inOrder: Sources["inOrder"]): object => {
  const subtle: Record<string, unknown> = {}
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(crypto.subtle))) {
    const method: unknown = Reflect.get(crypto.subtle, name)
    if (typeof method !== "function" || name === "constructor" || name === "generateKey") continue
    subtle[name] = (...args: Array<unknown>) => inOrder(Reflect.apply(method, crypto.subtle, args) as Promise<unknown>)
  }
  return Object.freeze({
    subtle: Object.freeze(subtle),
    getRandomValues: (array: Uint8Array) => {
      if (!ArrayBuffer.isView(array)) throw new TypeError("getRandomValues takes a typed array")
      if (array.byteLength > 65_536) throw new RangeError("getRandomValues gives up to 65,536 bytes at a time")
      entropy.randomize(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
      return array
    },
    randomUUID: () => {
      const bytes = new Uint8Array(16)
      entropy.randomize(bytes)
      bytes[6] = (bytes[6]! & 15) | 64
      bytes[8] = (bytes[8]! & 63) | 128
      const hex = Buffer.from(bytes).toString("hex")
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
    }
  })
}

/** `AbortSignal.timeout` of the platform has a timer of its own. */
const withTimeout = (setTimeout: (...args: Array<any>) => unknown): object => {
  class OrderedSignal extends AbortSignal {
    static override timeout(ms: number): AbortSignal {
      const controller = new AbortController()
      setTimeout(
        () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
        ms
      )
      return controller.signal
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof AbortSignal
    }
  }
  return Object.defineProperty(OrderedSignal, "name", { value: "AbortSignal" })
}

const define = (target: object, name: string, value: unknown, configurable = true): void => {
  Object.defineProperty(target, name, { value, writable: true, configurable, enumerable: false })
}

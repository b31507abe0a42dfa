/**
 * Makes the realm of a context behave, for the code inside it, as if it were the realm of the host.
 *
 * Classes without a literal form (`Date`, `Map`, typed arrays) are the host's own, so that schema libraries of the
 * host accept what a cell makes. Classes with one (`[]`, `{}`, `/x/`, thrown errors, promises of async functions)
 * cannot be shared: their `instanceof` accepts values of every realm instead. What remains is host code that asks
 * `instanceof Array` or `instanceof Error` of a cell's value: use `Array.isArray` and `util.types.isNativeError`.
 */
import { types } from "node:util"
import type { Namespace } from "./Namespace.ts"

const shared = [
  "Date",
  "Map",
  "Set",
  "WeakMap",
  "WeakSet",
  "WeakRef",
  "ArrayBuffer",
  "SharedArrayBuffer",
  "DataView",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int8Array",
  "Uint16Array",
  "Int16Array",
  "Uint32Array",
  "Int32Array",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
  "Intl",
  "Temporal"
]

const errors = [
  "TypeError",
  "RangeError",
  "SyntaxError",
  "ReferenceError",
  "EvalError",
  "URIError",
  "AggregateError",
  "SuppressedError"
]

/** Call once for each new context, before any code runs in it. */
export const bridgeRealm = (context: Namespace): void => {
  const host: Namespace = globalThis as never
  for (const name of shared) {
    if (host[name] !== undefined) {
      Object.defineProperty(context, name, { value: host[name], writable: true, configurable: true, enumerable: false })
    }
  }
  accept(context.Array, Array.isArray)
  accept(context.Function, (value) => typeof value === "function")
  accept(context.Object, isObject)
  accept(context.RegExp, types.isRegExp)
  accept(context.Promise, types.isPromise)
  accept(context.Error, isError)
  for (const name of errors) {
    // Older versions of Node lack the newest of them.
    if (context[name] !== undefined) accept(context[name], (value) => isError(value) && inherits(value, name))
  }
}

/** Gives a class an `instanceof` that asks `test`; its subclasses keep the native one. */
const accept = (constructor: unknown, test: (value: unknown) => boolean): void => {
  const native = Function.prototype[Symbol.hasInstance]
  Object.defineProperty(constructor, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      return this === constructor ? test(value) : native.call(this as never, value)
    },
    configurable: true
  })
}

const isError = (value: unknown): value is object => types.isNativeError(value) || value instanceof Error

/** An object whose prototype chain ends in some realm's `Object.prototype`; functions included. */
const isObject = (value: unknown): boolean => {
  if (typeof value === "function") return true
  if (typeof value !== "object" || value === null) return false
  let last: object = value
  for (let next = Object.getPrototypeOf(last); next !== null; next = Object.getPrototypeOf(last)) last = next
  return last !== value && Object.hasOwn(last, "hasOwnProperty")
}

/** Whether a prototype of the error is the one that a built-in class of this name gives its instances, in any realm. */
const inherits = (error: object, name: string): boolean => {
  for (let p = Object.getPrototypeOf(error); p !== null; p = Object.getPrototypeOf(p)) {
    if (
      Object.hasOwn(p, "name") && (p as Error).name === name &&
      (p.constructor as { readonly name?: unknown })?.name === name
    ) {
      return true
    }
  }
  return false
}

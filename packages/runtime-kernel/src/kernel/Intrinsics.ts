/**
 * Makes the classes of this process's own realm unchangeable: cells share some of them, and reach others through data
 * that came from the host. The kernel's own code stands on them.
 */

const constructors = [
  Object,
  Function,
  Array,
  Map,
  Set,
  WeakMap,
  WeakSet,
  WeakRef,
  Promise,
  Date,
  RegExp,
  String,
  Number,
  Boolean,
  BigInt,
  Symbol,
  ArrayBuffer,
  DataView,
  Object.getPrototypeOf(Uint8Array),
  Uint8Array,
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  EventTarget,
  Event,
  AbortController,
  AbortSignal
] as ReadonlyArray<{ readonly prototype: object }>

const others = [
  Error.prototype,
  Object.getPrototypeOf(function*() {}.prototype),
  Object.getPrototypeOf(async function*() {}.prototype),
  Object.getPrototypeOf([][Symbol.iterator]()),
  Object.getPrototypeOf(new Map()[Symbol.iterator]()),
  Object.getPrototypeOf(new Set()[Symbol.iterator]()),
  JSON,
  Math,
  Reflect,
  Atomics
] as ReadonlyArray<object>

/** Names that objects commonly have of their own, though their prototypes have them too. */
const overridden = new Set<PropertyKey>(["toString", "valueOf", "toJSON", "toLocaleString", "name", "message"])

export const freezeIntrinsics = (): void => {
  for (const { prototype } of constructors) freeze(prototype)
  for (const object of others) freeze(object)
  for (const constructor of constructors) if ((constructor as object) !== Function) Object.freeze(constructor)
}

/** An assignment to an heir goes to the heir, as if the prototype were not frozen. */
const freeze = (target: object): void => {
  for (const key of Reflect.ownKeys(target)) {
    const own = Object.getOwnPropertyDescriptor(target, key)!
    if (!overridden.has(key) || own.configurable !== true || !("value" in own) || typeof target === "function") continue
    const { enumerable, value } = own
    Object.defineProperty(target, key, {
      get: () => value as unknown,
      set(this: object, own: unknown) {
        if (this === target) throw new TypeError(`Cannot assign to '${String(key)}': it is read-only`)
        Object.defineProperty(this, key, { value: own, enumerable: true, writable: true, configurable: true })
      },
      enumerable: enumerable === true,
      configurable: false
    })
  }
  Object.freeze(target)
}

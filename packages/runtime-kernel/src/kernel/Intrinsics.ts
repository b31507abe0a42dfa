/**
 * Makes the classes of this process's own realm unchangeable: cells share some of them, and reach others through data
 * and errors that came from the host. The kernel's own code stands on them, and so do namespaces that are near.
 */

const classes = [
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
  Proxy,
  ArrayBuffer,
  SharedArrayBuffer,
  DataView,
  ...["Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32", "Uint32", "BigInt64", "BigUint64"].map((kind) =>
    ofRealm(`${kind}Array`)
  ),
  ...["Float16", "Float32", "Float64"].map((kind) => ofRealm(`${kind}Array`)),
  ...["", "Type", "Range", "Syntax", "Reference", "Eval", "URI", "Aggregate", "Suppressed"].map((kind) =>
    ofRealm(`${kind}Error`)
  ),
  ofRealm("Iterator"),
  ofRealm("FinalizationRegistry"),
  Buffer,
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  EventTarget,
  Event,
  AbortController,
  AbortSignal
]

/** What has no name: the classes of functions, and of what iterates. */
const nameless = [
  async () => {},
  function*() {},
  async function*() {},
  [][Symbol.iterator](),
  new Map()[Symbol.iterator](),
  new Set()[Symbol.iterator](),
  ""[Symbol.iterator](),
  /x/g[Symbol.matchAll](""),
  new URLSearchParams()[Symbol.iterator]()
] as ReadonlyArray<object>

const others = [JSON, Math, Reflect, Atomics, Intl, ofRealm("Temporal")]

export const freezeIntrinsics = (): void => harden([...classes, ...nameless.map(Object.getPrototypeOf), ...others])

/** Freezes them with everything that can be reached from them. */
export const harden = (roots: ReadonlyArray<unknown>): void => {
  const left = [...roots]
  while (left.length > 0) {
    const value = left.pop()
    if ((typeof value !== "object" && typeof value !== "function") || value === null || hardened.has(value)) continue
    hardened.add(value)
    left.push(Object.getPrototypeOf(value))
    for (const own of Object.values(allDescriptors(value))) left.push(own.value, own.get, own.set)
    freeze(value)
  }
}

const hardened = new Set<object>([globalThis])

const allDescriptors = (value: object): Record<PropertyKey, PropertyDescriptor> =>
  Object.getOwnPropertyDescriptors(value)

/** Names that objects commonly have of their own, though their prototypes have them too. */
const overridden = new Set<PropertyKey>(["toString", "valueOf", "toJSON", "toLocaleString", "name", "message"])

/** An assignment to an heir goes to the heir, as if the prototype were not frozen. */
const freeze = (target: object): void => {
  if (typeof target !== "function") {
    for (const key of overridden) {
      const own = Object.getOwnPropertyDescriptor(target, key)
      if (own?.configurable === true && "value" in own) {
        Object.defineProperty(target, key, inheritable(target, key, own))
      }
    }
  }
  Object.freeze(target)
}

const inheritable = (
  target: object,
  key: PropertyKey,
  { enumerable, value }: PropertyDescriptor
): PropertyDescriptor => ({
  get: () => value as unknown,
  set(this: object, own: unknown) {
    if (this === target) throw new TypeError(`Cannot assign to '${String(key)}': it is read-only`)
    Object.defineProperty(this, key, { value: own, enumerable: true, writable: true, configurable: true })
  },
  enumerable: enumerable === true,
  configurable: false
})

/** Nothing, where this Node is too old for it. */
function ofRealm(name: string): unknown {
  return (globalThis as unknown as Record<string, unknown>)[name]
}

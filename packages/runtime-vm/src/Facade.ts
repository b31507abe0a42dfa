/**
 * An object of the application whose listed methods cross the boundary. Everything else of it is the object itself:
 * properties, getters and the methods without a contract.
 */
import type { Methods } from "@daylight/core"

type Method = (...args: Array<any>) => unknown

/** `gate` makes the contracted form of one method. */
export const makeFacade = (
  target: object,
  methods: Methods,
  gate: (method: string, call: Method) => Method
): object => {
  const replaced = new Map<PropertyKey, Method>()
  for (const method of Object.keys(methods)) {
    const own = (target as Record<string, unknown>)[method]
    if (typeof own === "function") replaced.set(method, gate(method, (...args) => Reflect.apply(own, target, args)))
  }
  const bound = new Map<PropertyKey, { readonly from: Method; readonly to: Method }>()
  const facade: object = new Proxy(target, {
    get: (target, key) => {
      const gated = replaced.get(key)
      if (gated !== undefined && !isFixed(target, key)) return gated
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === "function" && !Object.hasOwn(target, key) ? onTarget(key, value as Method) : value
    },
    set: (target, key, value) => {
      if (replaced.has(key)) throw new TypeError(`Cannot assign to '${String(key)}': it is read-only`)
      return Reflect.set(target, key, value, target)
    }
  })

  /**
   * Inherited methods may need the object itself, for its private fields; called on anything else they keep what they
   * are called on.
   */
  const onTarget = (key: PropertyKey, from: Method): Method => {
    const known = bound.get(key)
    if (known?.from === from) return known.to
    const to = new Proxy(from, {
      apply: (from, self, args) => Reflect.apply(from, self === facade ? target : self, args)
    })
    bound.set(key, { from, to })
    return to
  }
  return facade
}

/** Of a frozen object a proxy has to give the property itself. */
const isFixed = (target: object, key: PropertyKey): boolean => {
  const own = Object.getOwnPropertyDescriptor(target, key)
  return own !== undefined && own.configurable === false && own.writable === false
}

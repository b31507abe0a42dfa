/**
 * How a binding is put into a kernel: data by copy, what has a contract by a reference that crosses the boundary.
 */
import type { Bound } from "@daylight/core"
import type { BoundWire, Wire } from "../wire/Messages.ts"
import { type HostObject, type HostObjects, isSynchronous } from "./HostObjects.ts"

interface Placed {
  readonly wire: BoundWire
  /** The object that is handed out for as long as it is bound. */
  readonly pin: number | undefined
}

/** `depart` makes a value ready to cross. */
export const bindingWire = (bound: Bound, objects: HostObjects, depart: (value: unknown) => Wire): Placed => {
  const { name } = bound
  switch (bound._tag) {
    case "Function": {
      const contract = bound.contract ?? {}
      const entry = objects.contracted(bound.call, name, { contract })
      return pinned(entry, depart, {
        name,
        readonly: true,
        sensitive: false,
        asynchronous: isSynchronous(contract) ? [] : [name]
      })
    }
    case "Builtin":
      return pinned(objects.contracted(bound.call, name, { direct: true }), depart, {
        name,
        readonly: true,
        sensitive: false,
        asynchronous: [name]
      })
    case "Type":
      return {
        pin: undefined,
        wire: { name, value: bound.value && depart(bound.value), readonly: true, sensitive: false, asynchronous: [] }
      }
    case "Variable": {
      const { contract, sensitive = false, value } = bound
      if (contract === undefined || (typeof value !== "object" && typeof value !== "function") || value === null) {
        return { pin: undefined, wire: { name, value: depart(value), readonly: false, sensitive, asynchronous: [] } }
      }
      const asynchronous = Object.entries(contract).filter(([, method]) => !isSynchronous(method)).map(([method]) =>
        `${name}.${method}`
      )
      return pinned(objects.contracted(value, name, { methods: contract }), depart, {
        name,
        readonly: true,
        sensitive,
        asynchronous
      })
    }
  }
}

/** Wrapped, so that it crosses as this entry and not as the bare object. */
export class Handed {
  readonly entry: HostObject
  constructor(entry: HostObject) {
    this.entry = entry
  }
}

const pinned = (entry: HostObject, depart: (value: unknown) => Wire, rest: Omit<BoundWire, "value">): Placed => ({
  pin: entry.id,
  wire: { ...rest, value: depart(new Handed(entry)) }
})

/**
 * What the application bound in one namespace, and how it was put into a kernel. What crosses the boundary keeps its
 * number in all processes, so that a record of one holds in the next.
 */
import type { Bound } from "@daylight/core"
import type { BoundWire, Wire } from "../wire/Messages.ts"
import { bindingWire } from "./Bindings.ts"
import type { HostObjects } from "./HostObjects.ts"

export class BoundNames {
  readonly #objects: HostObjects
  readonly #depart: (value: unknown, path: string) => Wire
  readonly #bound = new Map<string, Bound>()
  readonly #pinned = new Map<string, { readonly pin: number; readonly wire: BoundWire }>()

  constructor(objects: HostObjects, depart: (value: unknown, path: string) => Wire) {
    this.#objects = objects
    this.#depart = depart
  }

  get size(): number {
    return this.#bound.size
  }

  get(name: string): Bound | undefined {
    return this.#bound.get(name)
  }

  all(): ReadonlyArray<Bound> {
    return [...this.#bound.values()]
  }

  add(bound: Bound): void {
    this.#release(bound.name)
    this.#bound.set(bound.name, bound)
  }

  remove(name: string): void {
    this.#release(name)
    this.#bound.delete(name)
  }

  clear(): void {
    for (const name of this.#bound.keys()) this.remove(name)
  }

  /** Ready to be sent. Throws where it cannot be handed to a cell. */
  wireOf(bound: Bound): BoundWire {
    const known = this.#pinned.get(bound.name)
    if (known !== undefined) return known.wire
    const { pin, wire } = bindingWire(bound, this.#objects, (value) => this.#depart(value, bound.name))
    if (pin !== undefined) this.#pinned.set(bound.name, { pin, wire })
    return wire
  }

  #release(name: string): void {
    const pinned = this.#pinned.get(name)
    if (pinned === undefined) return
    this.#pinned.delete(name)
    this.#objects.unpin(pinned.pin)
  }
}

/** A cell may give it another value. */
export const isAssignable = (bound: Bound): boolean => bound._tag === "Variable" && bound.contract === undefined

/** What the application gave. */
export const valueOf = (bound: Bound | undefined): unknown => {
  switch (bound?._tag) {
    case "Variable":
    case "Type":
      return bound.value
    case "Function":
    case "Builtin":
      return bound.call
    case undefined:
      return undefined
  }
}

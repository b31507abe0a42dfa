/**
 * What the host holds of this process: functions that it may call, promises it waits for, and things that only a cell
 * can use. Numbers are given in the order of use, so that a second run of a cell gives the same.
 */
import { type CellRun, currentRun } from "@daylight/core/node"
import { callbackId, callbackNumber } from "../wire/Callbacks.ts"

interface Exported {
  readonly value: object
  readonly ns: number
  /** Whose code it is. */
  readonly run: CellRun | undefined
}

export class Exports {
  readonly #exported = new Map<number, Exported>()
  readonly #ids = new WeakMap<object, number>()
  /** Of each namespace. */
  readonly #last = new Map<number, number>()

  /** Gives the number, and whether it is new. */
  add(value: object, ns: number): { readonly id: number; readonly fresh: boolean } {
    const known = this.#ids.get(value)
    if (known !== undefined && this.#exported.has(known)) return { id: known, fresh: false }
    const id = known ?? this.#next(ns)
    this.#ids.set(value, id)
    this.#exported.set(id, { value, ns, run: currentRun() })
    return { id, fresh: true }
  }

  get(id: number): Exported | undefined {
    return this.#exported.get(id)
  }

  idOf(value: object): number | undefined {
    const id = this.#ids.get(value)
    return id !== undefined && this.#exported.has(id) ? id : undefined
  }

  /** After a restore: the host may still hold it under its old number. */
  restore(saved: number, value: object, ns: number): void {
    const id = callbackId(callbackNumber(saved), ns)
    this.#ids.set(value, id)
    this.#exported.set(id, { value, ns, run: undefined })
    this.startAt(ns, id)
  }

  last(ns: number): number {
    return callbackId(this.#last.get(ns) ?? 0, ns)
  }

  startAt(ns: number, last: number): void {
    this.#last.set(ns, Math.max(this.#last.get(ns) ?? 0, callbackNumber(last)))
  }

  #next(ns: number): number {
    const n = (this.#last.get(ns) ?? 0) + 1
    this.#last.set(ns, n)
    return callbackId(n, ns)
  }

  forget(id: number): void {
    this.#exported.delete(id)
  }

  forgetAll(ns: number): void {
    for (const [id, exported] of this.#exported) if (exported.ns === ns) this.#exported.delete(id)
  }
}

/**
 * Objects of which the host has got a copy, by a number: a copy that comes back unchanged is the object again. Held
 * weakly.
 */
export class Origins {
  readonly #objects = new Map<number, WeakRef<object>>()
  readonly #ids = new WeakMap<object, number>()
  readonly #collected = new FinalizationRegistry<number>((id) => this.#objects.delete(id))
  #last = 0

  idOf(value: object): number {
    let id = this.#ids.get(value)
    if (id === undefined) {
      this.#ids.set(value, id = ++this.#last)
      this.#objects.set(id, new WeakRef(value))
      this.#collected.register(value, id)
    }
    return id
  }

  get(id: number): object | undefined {
    return this.#objects.get(id)?.deref()
  }
}

/**
 * What kernels handed to the host: functions it may call, promises, things to step through, and things that only a
 * cell can use. Numbers are those of the kernel.
 */
import type { Marker } from "../wire/Messages.ts"

type FarMarker = Extract<Marker, { readonly far: unknown }>["far"]

interface Far {
  readonly value: WeakRef<object>
  readonly ns: number
  /** Of a promise that is not settled yet. */
  readonly settle?:
    | { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void }
    | undefined
}

/** What far objects need of the kernel. */
export interface FarCaller {
  /** `told`: nobody uses what it gives. */
  readonly call: (ns: number, id: number, args: ReadonlyArray<unknown>, told: boolean) => Promise<unknown>
  readonly forget: (id: number) => void
  readonly lost: (what: string) => Error
}

export class FarObjects {
  readonly #caller: FarCaller
  readonly #byId = new Map<number, Far>()
  readonly #ids = new WeakMap<object, number>()
  readonly #listeners = new WeakSet<object>()
  readonly #collected = new FinalizationRegistry<{ readonly id: number; readonly far: WeakRef<object> }>(
    ({ far, id }) => {
      if (this.#byId.get(id)?.value !== far) return
      this.#byId.delete(id)
      this.#caller.forget(id)
    }
  )

  constructor(caller: FarCaller) {
    this.#caller = caller
  }

  /** The number under which the kernel knows it, if it is the kernel's. */
  idOf(value: object): number | undefined {
    const id = this.#ids.get(value)
    return id !== undefined && this.#byId.get(id)?.value.deref() === value ? id : undefined
  }

  /** What a cell registers is told of events, and nobody uses what it gives. */
  listen(value: unknown): void {
    if (typeof value === "function" && this.#ids.has(value)) this.#listeners.add(value)
  }

  of({ id, kind, length, name }: FarMarker, ns: number): object {
    const known = this.#byId.get(id)?.value.deref()
    if (known !== undefined) return known
    if (kind === "promise") return this.#promise(id, ns)
    if (kind === "signal") return this.#signal(id, ns)
    const value = kind === "function"
      ? this.#function(id, ns, name, length)
      : kind === "iterable"
      ? this.#iterable(id, ns)
      : opaque()
    return this.#add(id, ns, value)
  }

  settle(id: number, value: unknown, error: { readonly thrown: unknown } | undefined): void {
    const settle = this.#byId.get(id)?.settle
    if (settle === undefined) return
    if (error === undefined) settle.resolve(value)
    else settle.reject(error.thrown)
  }

  /** The process is gone; what a restored namespace has again stays. */
  lose(kept: ReadonlySet<number>): void {
    for (const [id, far] of this.#byId) {
      if (kept.has(id)) continue
      this.#byId.delete(id)
      far.settle?.reject(this.#caller.lost("promise"))
    }
  }

  #add(id: number, ns: number, value: object, settle?: Far["settle"]): object {
    const far = new WeakRef(value)
    this.#byId.set(id, { value: far, ns, settle })
    this.#ids.set(value, id)
    this.#collected.register(value, { id, far })
    return value
  }

  #function(id: number, ns: number, name: string, length = 0): object {
    const far = this
    const call = function(this: unknown, ...args: Array<unknown>): Promise<unknown> | undefined {
      const dispatched = isDispatched(call, this, args)
      const answer = far.#byId.get(id)?.value.deref() === call
        ? far.#caller.call(ns, id, args, dispatched || far.#listeners.has(call))
        : Promise.reject(far.#caller.lost("function"))
      // A listener that fails, or that is gone, must not end the host, whoever forgot to wait for it.
      answer.catch(() => {})
      return dispatched ? undefined : answer
    }
    return Object.defineProperties(call, {
      name: { value: name, configurable: true },
      length: { value: length, configurable: true }
    })
  }

  #promise(id: number, ns: number): object {
    const { promise, reject, resolve } = Promise.withResolvers()
    promise.catch(() => {}) // whoever uses it has a promise of their own
    const settle = { resolve, reject }
    return this.#add(id, ns, promise, settle)
  }

  #signal(id: number, ns: number): object {
    const controller = new AbortController()
    const abort = (reason: unknown): void => controller.abort(reason)
    return this.#add(id, ns, controller.signal, { resolve: abort, reject: abort })
  }

  #iterable(id: number, ns: number): object {
    const step = (stop: boolean): Promise<IteratorResult<unknown>> =>
      this.#caller.call(ns, id, [stop], false) as Promise<IteratorResult<unknown>>
    const iterable: AsyncIterableIterator<unknown> = {
      next: () => step(false),
      return: () => step(true),
      [Symbol.asyncIterator]: () => iterable
    }
    return iterable
  }
}

/**
 * An `EventTarget` calls it. What a listener gives is nothing there: the failure of a promise would end the process.
 */
const isDispatched = (call: unknown, self: unknown, args: ReadonlyArray<unknown>): boolean =>
  args[0] instanceof Event &&
  (self instanceof EventTarget || (self as { readonly handleEvent?: unknown } | undefined)?.handleEvent === call)

/** Something of the kernel that has no use outside of it but to be handed back. */
const opaque = (): object => Object.freeze({})

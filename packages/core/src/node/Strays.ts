/**
 * Failures that code of a cell leaves behind: rejections nobody handles, errors in timers and in listeners.
 *
 * Node would end the process for them. They are held here and told in the next cell's stderr. Failures of the
 * application take their usual way: no listener is added, so `process.listenerCount` and the default of Node stay as
 * they were. The seam is `process.emit`, the one place through which Node announces both kinds.
 */
import { CellStopped, currentRun } from "./CellRun.ts"

interface Held {
  readonly error: unknown
  readonly what: string
  readonly promise?: WeakRef<object> | undefined
}

/** How many failures are kept; further ones are only counted. */
const most = 20

/** The failures held for one notebook. */
export class Strays {
  #held: Array<Held> = []
  #more = 0
  #closed = false

  /** `notebook` is what `CellRun.notebook` names. */
  constructor(notebook: object) {
    byNotebook.set(notebook, this)
  }

  /** Promises with this prototype are of this notebook, also where no run is known. */
  watch(promisePrototype: object): void {
    byPrototype.set(promisePrototype, this)
    intercept()
  }

  /** Forgets. What its code still leaves behind is kept from the application, and told to nobody. */
  close(): void {
    this.clear()
    this.#closed = true
  }

  clear(): void {
    this.#held = []
    this.#more = 0
  }

  get waiting(): boolean {
    return this.#held.length > 0
  }

  /** Failures of a cell that was stopped are told already, by its report. */
  hold(error: unknown, what: string, promise?: object): void {
    if (this.#closed || currentRun()?.stopped || CellStopped.is(error)) return
    if (this.#held.length >= most) this.#more++
    else this.#held.push({ error, what, promise: promise && new WeakRef(promise) })
  }

  /** A promise that was held found a handler after all. */
  handled(promise: object): void {
    this.#held = this.#held.filter((held) => held.promise?.deref() !== promise)
  }

  /** The lines for the next cell's stderr, each failure once. */
  take(print: (error: unknown) => string): string {
    if (this.#held.length === 0) return ""
    const lines = this.#held.map(({ error, what }) => `[left behind by an earlier cell: ${what}] ${print(error)}\n`)
    if (this.#more > 0) lines.push(`[left behind by earlier cells: ${this.#more} more failures]\n`)
    this.clear()
    return lines.join("")
  }
}

const byNotebook = new WeakMap<object, Strays>()
const byPrototype = new WeakMap<object, Strays>()

type Emit = (this: unknown, event: string | symbol, ...args: Array<unknown>) => boolean
// The seam: the overloads of `emit` do not allow for a wrapper.
const emitter = process as unknown as { emit: Emit }
let intercepted = false

/** Once in a process, and for good: code of a closed notebook may still leave something behind. */
const intercept = (): void => {
  if (intercepted) return
  intercepted = true
  const { emit } = emitter
  emitter.emit = function(event, ...args) {
    return taken(event, args) || emit.call(this, event, ...args)
  }
}

/** Whether the event is about a cell's code, and so is not announced to the application. */
const taken = (event: string | symbol, args: ReadonlyArray<unknown>): boolean => {
  switch (event) {
    case "unhandledRejection": {
      const owner = ownerOf(args[1] as object)
      owner?.hold(args[0], "a promise was rejected and nobody awaited it", args[1] as object)
      return owner !== undefined
    }
    case "rejectionHandled": {
      const owner = ownerOf(args[0] as object)
      owner?.handled(args[0] as object)
      return owner !== undefined
    }
    case "uncaughtException": {
      const owner = fromCell(args[0]) ? ownerOfRun() : undefined
      owner?.hold(args[0], "a callback threw")
      return owner !== undefined
    }
    default:
      return false
  }
}

const ownerOfRun = (): Strays | undefined => {
  const run = currentRun()
  return run && byNotebook.get(run.notebook)
}

const ownerOf = (promise: object): Strays | undefined =>
  ownerOfRun() ?? byPrototype.get(Object.getPrototypeOf(promise) as object)

/** Thrown by code of a cell, and not by a function of the application that a cell had set going. */
const fromCell = (error: unknown): boolean => {
  if (CellStopped.is(error)) return true
  try {
    const stack = (error as { readonly stack?: unknown } | null | undefined)?.stack
    return typeof stack === "string" ? /\bcell-\d+\.ts:\d/.test(stack) : true
  } catch {
    return true // a `stack` that throws when it is read was made by a cell
  }
}

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

/** The failures held for one notebook. `notebook` is what `CellRun.notebook` names. */
export class Strays {
  readonly #notebook: object
  /** Of the context's own `Promise`: recognises its promises where no run is known. */
  #promisePrototype: object | undefined
  #held: Array<Held> = []
  #more = 0

  constructor(notebook: object) {
    this.#notebook = notebook
  }

  /** From now on failures of this notebook's code are held. */
  watch(promisePrototype: object): void {
    this.#promisePrototype = promisePrototype
    watched.add(this)
    intercept()
  }

  /** Gives the process back, and forgets. */
  close(): void {
    this.#held = []
    this.#more = 0
    watched.delete(this)
    if (watched.size === 0) release()
  }

  get waiting(): boolean {
    return this.#held.length > 0
  }

  hold(error: unknown, what: string, promise?: object): void {
    if (currentRun()?.stopped || CellStopped.is(error)) return // told already, by the report of that cell
    if (this.#held.length >= most) this.#more++
    else this.#held.push({ error, what, promise: promise && new WeakRef(promise) })
  }

  /** A promise that was held found a handler after all. */
  handled(promise: object): boolean {
    const before = this.#held.length
    this.#held = this.#held.filter((held) => held.promise?.deref() !== promise)
    return this.#held.length < before
  }

  /** The lines for the next cell's stderr, each failure once. */
  take(print: (error: unknown) => string): string {
    if (this.#held.length === 0) return ""
    const lines = this.#held.map(({ error, what }) => `[left behind by an earlier cell: ${what}] ${print(error)}\n`)
    if (this.#more > 0) lines.push(`[left behind by earlier cells: ${this.#more} more failures]\n`)
    this.#held = []
    this.#more = 0
    return lines.join("")
  }

  owns(promise: object): boolean {
    const run = currentRun()
    if (run !== undefined) return run.notebook === this.#notebook
    return this.#promisePrototype !== undefined && Object.getPrototypeOf(promise) === this.#promisePrototype
  }

  ownsRun(): boolean {
    return currentRun()?.notebook === this.#notebook
  }
}

const watched = new Set<Strays>()

type Emit = (this: unknown, event: string | symbol, ...args: Array<unknown>) => boolean
const emitter = process as unknown as { emit: Emit }
let original: Emit | undefined

/**
 * Another library may wrap `emit` after us; then ours stays in the chain, and passes everything on while nothing is
 * watched.
 */
const intercept = (): void => {
  if (original !== undefined) return
  const emit = original = emitter.emit
  emitter.emit = function(event, ...args) {
    return taken(event, args) || emit.call(this, event, ...args)
  }
  installed = emitter.emit
}
let installed: Emit | undefined

const release = (): void => {
  if (original === undefined || emitter.emit !== installed) return
  emitter.emit = original
  original = undefined
  installed = undefined
}

/** Whether the event is about a cell's code, and so is not announced to the application. */
const taken = (event: string | symbol, args: ReadonlyArray<unknown>): boolean => {
  switch (event) {
    case "unhandledRejection": {
      const owner = find((strays) => strays.owns(args[1] as object))
      owner?.hold(args[0], "a promise was rejected and nobody awaited it", args[1] as object)
      return owner !== undefined
    }
    case "rejectionHandled":
      return find((strays) => strays.handled(args[0] as object)) !== undefined
    case "uncaughtException": {
      const owner = fromCell(args[0]) ? find((strays) => strays.ownsRun()) : undefined
      owner?.hold(args[0], "a callback threw")
      return owner !== undefined
    }
    default:
      return false
  }
}

const find = (test: (strays: Strays) => boolean): Strays | undefined => {
  for (const strays of watched) if (test(strays)) return strays
  return undefined
}

/** Thrown by code of a cell, and not by a function of the application that a cell had set going. */
const fromCell = (error: unknown): boolean => {
  try {
    const stack = (error as { readonly stack?: unknown } | null | undefined)?.stack
    return typeof stack === "string" ? /\bcell-\d+\.ts:\d/.test(stack) : true
  } catch {
    return true // a `stack` that throws when it is read was made by a cell
  }
}

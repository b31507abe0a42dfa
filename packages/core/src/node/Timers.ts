/**
 * The timers of one notebook: counted, cleared with it, and never a reason for the process to stay or to die.
 */
import type { Strays } from "./Strays.ts"
import { currentRun } from "./CellRun.ts"

type Callback = (...args: ReadonlyArray<unknown>) => unknown

/** Timers and microtasks under their web names, with numbers as handles. */
export class Timers {
  readonly #strays: Strays
  readonly #most: number
  readonly #armed = new Map<number, NodeJS.Timeout>()
  #last = 0

  /** `most`: how many may be armed at once; one more is a `RangeError` in the cell. */
  constructor(strays: Strays, most = 10_000) {
    this.#strays = strays
    this.#most = most
  }

  /** How many are armed now. */
  get size(): number {
    return this.#armed.size
  }

  clear(): void {
    for (const timer of this.#armed.values()) clearTimeout(timer)
    this.#armed.clear()
  }

  /** The functions a cell sees, by name. */
  functions(): Readonly<Record<string, unknown>> {
    const clear = (id: unknown): void => {
      const timer = this.#armed.get(Number(id))
      if (timer === undefined) return
      clearTimeout(timer)
      this.#armed.delete(Number(id))
    }
    return {
      setTimeout: (callback: unknown, delay?: unknown, ...args: Array<unknown>) =>
        this.#arm(callback, delay, args, false),
      setInterval: (callback: unknown, delay?: unknown, ...args: Array<unknown>) =>
        this.#arm(callback, delay, args, true),
      clearTimeout: clear,
      clearInterval: clear,
      queueMicrotask: (callback: unknown) => {
        const task = callable("queueMicrotask", callback)
        queueMicrotask(() => this.#call(task, []))
      }
    }
  }

  #arm(callback: unknown, delay: unknown, args: ReadonlyArray<unknown>, repeat: boolean): number {
    const task = callable(repeat ? "setInterval" : "setTimeout", callback)
    if (this.#armed.size >= this.#most) {
      throw new RangeError(`too many timers: ${this.#most} are armed already; await some of them or clear them`)
    }
    const id = ++this.#last
    const milliseconds = Number(delay) || 0
    const timer = repeat
      ? setInterval(() => this.#call(task, args), milliseconds)
      : setTimeout(() => {
        this.#armed.delete(id)
        this.#call(task, args)
      }, milliseconds)
    timer.unref()
    this.#armed.set(id, timer)
    return id
  }

  /** Code of a cell that was stopped is not called any more. */
  #call(task: Callback, args: ReadonlyArray<unknown>): void {
    if (currentRun()?.stopped) return
    try {
      task(...args)
    } catch (error) {
      this.#strays.hold(error, "a timer threw")
    }
  }
}

const callable = (name: string, callback: unknown): Callback => {
  if (typeof callback === "function") return callback as Callback
  throw new TypeError(`${name} takes a function to call, not ${callback === null ? "null" : typeof callback}`)
}

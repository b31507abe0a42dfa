/**
 * Timers of a namespace. They run in the host; here is what they call, and it is called in the order in which the host
 * says that they fired.
 */
import { type CellRun, currentRun, runAs } from "@daylight/core/node"

type Callback = (...args: ReadonlyArray<unknown>) => unknown

interface Armed {
  readonly id: number
  readonly task: Callback
  readonly args: ReadonlyArray<unknown>
  readonly run: CellRun | undefined
  /** Milliseconds between two calls; of a timeout none. */
  readonly every: number | undefined
}

interface Host {
  /** Gives the key under which it fires. */
  readonly arm: (ms: number) => string
  readonly clear: (key: string) => void
}

/** Milliseconds. */
const longest = 2 ** 31 - 1

export class Timers {
  readonly #most: number
  readonly #host: Host
  readonly #armed = new Map<string, Armed>()
  readonly #keys = new Map<number, string>()
  /** Cleared when the host may have fired them already. */
  readonly #cleared = new Set<string>()
  #last = 0
  /** Told of errors that nobody catches. */
  failed: (error: unknown, what: string) => void = () => {}

  constructor(most: number, host: Host) {
    this.#most = most
    this.#host = host
  }

  get size(): number {
    return this.#armed.size
  }

  clear(): void {
    for (const id of this.#keys.keys()) this.#clear(id)
  }

  /** Gives whether there is or was such a timer. */
  fire(key: string): boolean {
    const armed = this.#armed.get(key)
    if (armed === undefined) return this.#cleared.delete(key)
    this.#armed.delete(key)
    const { args, every, id, run, task } = armed
    if (every === undefined || run?.stopped) this.#keys.delete(id)
    else this.#arm(armed, every)
    if (run?.stopped) return true
    try {
      if (run === undefined) task(...args)
      else runAs(run, () => task(...args))
    } catch (error) {
      if (run === undefined) this.failed(error, "a timer threw")
      else runAs(run, () => this.failed(error, "a timer threw"))
    }
    return true
  }

  functions(): Readonly<Record<string, (...args: Array<any>) => unknown>> {
    const start =
      (name: string, repeat: boolean) => (task: unknown, delay?: unknown, ...args: Array<unknown>): number => {
        if (typeof task !== "function") {
          throw new TypeError(`${name} takes a function to call, not ${task === null ? "null" : typeof task}`)
        }
        if (this.#armed.size >= this.#most) {
          throw new RangeError(`too many timers: ${this.#most} are armed already; await some of them or clear them`)
        }
        const asked = Math.max(repeat ? 1 : 0, Number(delay) || 0)
        // As in Node, which would say so on the host's error output.
        const ms = asked > longest ? 1 : asked
        const id = ++this.#last
        this.#arm({ id, task: task as Callback, args, run: currentRun(), every: repeat ? ms : undefined }, ms)
        return id
      }
    const clear = (id?: unknown): void => this.#clear(Number(id))
    return {
      setTimeout: start("setTimeout", false),
      setInterval: start("setInterval", true),
      clearTimeout: clear,
      clearInterval: clear
    }
  }

  #arm(armed: Armed, ms: number): void {
    const key = this.#host.arm(ms)
    this.#armed.set(key, armed)
    this.#keys.set(armed.id, key)
  }

  #clear(id: number): void {
    const key = this.#keys.get(id)
    if (key === undefined) return
    this.#keys.delete(id)
    this.#armed.delete(key)
    this.#cleared.add(key)
    this.#host.clear(key)
  }
}

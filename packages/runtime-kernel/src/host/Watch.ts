/**
 * Looks after a process while it runs a cell: what no guard inside can see ends it from outside.
 */
import { readFileSync } from "node:fs"
import type { Transport, Why } from "./Transport.ts"

export interface WatchLimits {
  readonly cpuMs: number
  readonly timeMs: number
  readonly residentBytes: number
}

/** Milliseconds between two looks, and what a process gets to stop by itself. */
const every = 25
const grace = 250

export class Watch {
  readonly #process: Transport
  readonly #limits: WatchLimits
  readonly #stop: (why: Why) => void
  readonly #timer: NodeJS.Timeout
  #lookedAt = performance.now()
  /** Of the host's own time only what it could look at: while it computes itself, nobody is late. */
  #spent = 0
  #stuck = 0
  #busySince: number | undefined
  #pauses = 0

  /** `stop` is called once. */
  constructor(process: Transport, limits: WatchLimits, stop: (why: Why) => void) {
    this.#process = process
    this.#limits = limits
    this.#stop = stop
    this.#timer = setInterval(() => this.#look(), every)
  }

  /** The clock stands while a person is asked. */
  pause(on: boolean): void {
    this.#pauses += on ? 1 : -1
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const why = this.#reason()
    if (why === undefined) return
    this.end()
    this.#stop(why)
  }

  #reason(): Why | undefined {
    const now = performance.now()
    const passed = Math.min(now - this.#lookedAt, 4 * every)
    this.#lookedAt = now
    const { busySince, pid } = this.#process
    if (this.#pauses === 0) this.#spent += passed
    this.#stuck = busySince !== undefined && busySince === this.#busySince ? this.#stuck + passed : 0
    this.#busySince = busySince
    if (this.#stuck > this.#limits.cpuMs + grace) return "cpu"
    if (this.#spent > this.#limits.timeMs + grace) return "time"
    const used = (pid === undefined ? 0 : residentBytes(pid)) + this.#process.filedBytes
    return used > this.#limits.residentBytes ? "memory" : undefined
  }
}

const pageBytes = 4_096

/** 0 where the system does not tell. */
export const residentBytes = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * pageBytes
  } catch {
    return 0 // no Linux, or the process has just ended
  }
}

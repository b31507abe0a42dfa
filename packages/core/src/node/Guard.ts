/**
 * Stops code that does not yield. Loops and functions of a cell count down `__b` and call `__t` below zero; that asks
 * here whether the cell may go on. So loops are stopped also after an `await`, in timers and in microtasks, where the
 * timeout of `vm` is blind. What runs inside one native call (a regular expression, a huge `fill`) is not stopped.
 */
import { Script } from "node:vm"
import { CellStopped, currentRun } from "./CellRun.ts"
import type { Namespace } from "./Namespace.ts"

/** The names that rewritten cells refer to; `let`, so that they are no properties of the namespace. */
const counters = new Script(
  "let __b=1000,__c;const __t=()=>{__b=__c()};const __g=()=>{if(--__b<0)__t()};({connect:f=>{__c=f},spend:()=>{__b=-1}})",
  { filename: "daylight:guard" }
)

interface Counters {
  readonly connect: (check: () => number) => void
  readonly spend: () => void
}

/** How long the code should run between two looks at the clock, in milliseconds. */
const interval = 4

/** The guard of one context. */
export class Guard {
  readonly #counters: Counters
  readonly #cpuMs: number
  readonly #poll: (() => void) | undefined
  /** Counts turns of the event loop, as far as guarded code was running in them. */
  #turn = 0
  #sliceTurn = -1
  #sliceStart = 0
  #lastLook = 0
  #budget = 1000

  /**
   * `cpuMs`: the limit for code that runs while no cell does, such as a retrieved function. `poll` is called with each
   * look: news that stops the code may have come in another way than by the event loop.
   */
  constructor(context: Namespace, cpuMs: number, poll?: (() => void) | undefined) {
    this.#counters = counters.runInContext(context) as Counters
    this.#cpuMs = cpuMs
    this.#poll = poll
    this.#counters.connect(() => this.#look())
  }

  /** Begins a new slice: what ran before does not count. */
  restart(): void {
    this.#turn++
  }

  /** The next guard looks at once. */
  hurry(): void {
    this.#counters.spend()
  }

  /** Gives the number of guards to pass before the next look. */
  #look(): number {
    const run = currentRun()
    this.#poll?.()
    if (run?.stopped) throw run.stopped
    const now = performance.now()
    if (this.#sliceTurn !== this.#turn) {
      this.#sliceTurn = this.#turn
      this.#sliceStart = now
      setImmediate(() => this.#turn++)
    } else this.#adapt(now - this.#lastLook)
    this.#lastLook = now
    const limit = run?.cpuMs ?? this.#cpuMs
    if (now - this.#sliceStart > limit) {
      throw new CellStopped("timeout", `the code ran for more than ${limit} ms without yielding`)
    }
    return this.#budget
  }

  /** Light loops look at the clock rarely, heavy ones often. */
  #adapt(elapsed: number): void {
    if (elapsed > 2 * interval) this.#budget = Math.max(1, Math.floor((this.#budget * interval) / elapsed))
    else if (elapsed < interval / 2) this.#budget = Math.min(100_000, this.#budget * 2)
  }
}

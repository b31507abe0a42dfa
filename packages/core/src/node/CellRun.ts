/**
 * One cell while it runs, and which cell the code that is running now belongs to.
 *
 * The run is the value of an `AsyncLocalStorage`, so timers and continuations that a cell leaves behind still know
 * where they come from, also when cells of several notebooks take turns in one process.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import type { CellProblem } from "../Cell.ts"
import { Output } from "./Output.ts"

/**
 * Thrown inside a cell that must not go on. Catching it in the cell does not help: the next loop or call throws it
 * again.
 */
export class CellStopped extends Error {
  readonly #stage: CellProblem["stage"]

  constructor(stage: CellProblem["stage"], message: string) {
    super(message)
    this.name = stage === "interrupted" ? "Interrupted" : "TimeoutError"
    this.#stage = stage
  }

  get stage(): CellProblem["stage"] {
    return this.#stage
  }

  /** Unlike `instanceof`, asks nothing of what a cell has thrown. */
  static is(error: unknown): error is CellStopped {
    return typeof error === "object" && error !== null && #stage in error
  }
}

/** How long the code of one context may go on at all. */
export interface Life {
  /** Set when the context is gone. */
  over: CellStopped | undefined
}

/**
 * What the parts of a notebook need to know of a cell. It outlives the cell where that left timers or promises behind.
 */
export class CellRun {
  /** Identity of the notebook, so that a stray failure is told to its own session. */
  readonly notebook: object
  readonly id: number
  /** Milliseconds that code may run without yielding to the event loop. */
  readonly cpuMs: number
  readonly stdout: Output
  readonly stderr: Output
  readonly #life: Life
  #stopped: CellStopped | undefined

  constructor(
    notebook: object,
    life: Life,
    id: number,
    limits: { readonly cpuMs: number; readonly outputBytes: number },
    show?: (text: string) => void
  ) {
    this.notebook = notebook
    this.id = id
    this.cpuMs = limits.cpuMs
    this.stdout = new Output(limits.outputBytes, show)
    this.stderr = new Output(limits.outputBytes, show)
    this.#life = life
  }

  /** Once set, the code gets no further than its next loop, call or output. */
  get stopped(): CellStopped | undefined {
    return this.#stopped ?? this.#life.over
  }

  stop(reason: CellStopped): void {
    this.#stopped ??= reason
  }
}

const storage = new AsyncLocalStorage<CellRun>()

/** The run whose code is on the stack, or which armed the timer or promise that is. */
export const currentRun = (): CellRun | undefined => storage.getStore()

/** Calls `f` as code of `run`. */
export const runAs = <A>(run: CellRun, f: () => A): A => storage.run(run, f)

/** Calls `f` as code of the application: what it leaves behind is not the cell's. */
export const runOutside = <A>(f: () => A): A => storage.exit(f)

/**
 * Cells that run again from their record after their process was lost: which one may, and what becomes of it.
 */
import { type Diverged, RuntimeError } from "@daylight/core"
import * as Effect from "effect/Effect"
import { lostAgain } from "./Failures.ts"
import type { Journal } from "./Journal.ts"

type Verdict = "live" | Diverged

/** A record that the next attempt at its cell has to follow. */
export interface Rerun {
  readonly journal: Journal
  readonly verdict: PromiseWithResolvers<Verdict>
}

export class Reruns {
  /** Of the cell that was running when the process was lost. */
  #lost: Journal | undefined
  /** The last cell of which a first attempt was begun here. */
  #begun: number | undefined
  #armed: Rerun | undefined
  #running: { readonly rerun: Rerun; readonly isLive: () => boolean } | undefined

  begin(cell: number): void {
    this.#begun = cell
  }

  /**
   * While this host lives it knows more of the lost cell than the log does; of a cell that this host did not begin
   * the log is all there is.
   */
  arm(written: () => Journal | undefined): Effect.Effect<Verdict, RuntimeError> {
    let journal = this.#lost
    try {
      journal ??= written()
    } catch (error) {
      return noRecord(`the record of a cell cannot be followed: ${(error as Error).message}`)
    }
    if (journal === undefined || (journal !== this.#lost && journal.cell === this.#begun)) {
      return noRecord("there is no record of a cell to run again")
    }
    const verdict = Promise.withResolvers<Verdict>()
    verdict.promise.catch(() => {}) // told to whoever runs the effect
    this.#armed = { journal, verdict }
    return Effect.tryPromise({ try: () => verdict.promise, catch: (error) => error as RuntimeError })
  }

  /** The record that this cell has to follow. Whatever was kept for another one is not kept any longer. */
  take(cell: number): Rerun | undefined {
    const armed = this.#armed?.journal.cell === cell ? this.#armed : undefined
    this.forget()
    return armed
  }

  forget(): void {
    this.#armed = undefined
    this.#lost = undefined
  }

  /** `isLive`: all of the record has been followed. */
  follow(rerun: Rerun, isLive: () => boolean): void {
    this.#running = { rerun, isLive }
  }

  /** What the record has that the attempt has not come to. */
  get missing(): Omit<Diverged, "came"> | undefined {
    return this.#running?.rerun.journal.missing
  }

  /** Something came from the process. */
  look(): void {
    if (this.#running?.isLive() === true) this.end("live")
  }

  end(verdict: Verdict): void {
    this.#running?.rerun.verdict.resolve(verdict)
    this.#running = undefined
  }

  /** The process is gone. `journal`: of the cell that may run again. */
  lose(journal: Journal | undefined, rerun = this.#running?.rerun): void {
    this.#lost = journal
    rerun?.verdict.reject(lostAgain())
    this.#running = undefined
  }
}

const noRecord = (detail: string) => Effect.fail(new RuntimeError({ reason: { _tag: "Crashed", detail } }))

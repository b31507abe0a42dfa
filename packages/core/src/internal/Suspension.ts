import type * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

/** Whether a run stands still because nobody answered in time, and the way to wait until it goes on. */
export class Suspension {
  readonly #latch = Latch.makeUnsafe(true)
  #suspended = false

  get isSuspended(): boolean {
    return this.#suspended
  }

  /** Completes at once, or when the run is continued. */
  get active(): Effect.Effect<void> {
    return this.#latch.await
  }

  suspend(): void {
    this.#suspended = true
    this.#latch.closeUnsafe()
  }

  /** Takes the word back at once; who waits goes on with `release`. */
  resume(): void {
    this.#suspended = false
  }

  release(): void {
    this.#latch.openUnsafe()
  }
}

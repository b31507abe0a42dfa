import * as Effect from "effect/Effect"

/** Measures time without what goes by while a person is asked. */
export class ActiveClock {
  readonly #now: () => number
  readonly #started: number
  #pauses = 0
  #pausedSince = 0
  #pausedFor = 0

  constructor(now: () => number) {
    this.#now = now
    this.#started = now()
  }

  /** Milliseconds by the wall clock. */
  get elapsed(): number {
    return this.#now() - this.#started
  }

  /** Milliseconds of activity. */
  get active(): number {
    const paused = this.#pauses > 0 ? this.#now() - this.#pausedSince : 0
    return this.elapsed - this.#pausedFor - paused
  }

  /** Pauses nest: several calls may be asked about at once. */
  pause(on: boolean): void {
    if (on) {
      if (this.#pauses++ === 0) this.#pausedSince = this.#now()
    } else if (--this.#pauses === 0) {
      this.#pausedFor += this.#now() - this.#pausedSince
    }
  }

  /** Completes once `millis` of activity have gone by. */
  until(millis: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const left = millis - this.active
      return left <= 0 ? Effect.void : Effect.flatMap(Effect.sleep(Math.max(1, left)), () => this.until(millis))
    })
  }
}

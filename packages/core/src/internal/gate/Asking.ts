import * as Effect from "effect/Effect"

/** What it does to a run, and to the runs that wait for it, that a person is asked. */
export interface Asking {
  /** Stops their clocks. Nests. */
  readonly pause: (on: boolean) => void
  /** Suspends a run whose patience ends, as often as it is continued. Never completes. */
  readonly impatience: Effect.Effect<never>
  /** Completes at once, unless a run is suspended: then when it is continued. */
  readonly active: Effect.Effect<void>
}

/** A run of a child and the one of its parent that waits for it. */
export const together = (one: Asking | undefined, other: Asking | undefined): Asking | undefined =>
  one === undefined || other === undefined ? one ?? other : {
    pause: (on) => {
      one.pause(on)
      other.pause(on)
    },
    impatience: Effect.raceFirst(one.impatience, other.impatience),
    active: Effect.andThen(one.active, other.active)
  }

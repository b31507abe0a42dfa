/**
 * Wakes those who wait for something to be written. A wake-up may come for nothing, and is never missed: whoever
 * listens looks, waits, and looks again.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import type { SessionKey } from "./Backend.ts"

export type Topic = "events" | "mail"

export interface Listener {
  /** Returns once something may have been written since it returned last; at once for the first time. */
  readonly changed: Effect.Effect<void>
}

export class Wake {
  readonly #listeners = new Map<string, Set<Latch.Latch>>()
  readonly #busy = Latch.makeUnsafe(false)

  /** Returns when somebody listens. */
  get wanted(): Effect.Effect<void> {
    return this.#busy.await
  }

  listen(topic: Topic, session: SessionKey): Effect.Effect<Listener, never, Scope.Scope> {
    const name = nameOf(topic, session)
    return Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => {
          const latch = Latch.makeUnsafe(true)
          const latches = this.#listeners.get(name) ?? new Set()
          this.#listeners.set(name, latches.add(latch))
          this.#busy.openUnsafe()
          return latch
        }),
        (latch) => Effect.sync(() => this.#forget(name, latch))
      ),
      (latch) => ({ changed: Effect.andThen(latch.await, latch.close) })
    )
  }

  tell(topic: Topic, session: SessionKey): void {
    for (const latch of this.#listeners.get(nameOf(topic, session)) ?? []) latch.openUnsafe()
  }

  /** Where it is not known what was written. */
  tellAll(topic: Topic): void {
    for (const [name, latches] of this.#listeners) {
      if (name.startsWith(topic)) { for (const latch of latches) latch.openUnsafe() }
    }
  }

  #forget(name: string, latch: Latch.Latch): void {
    const latches = this.#listeners.get(name)
    latches?.delete(latch)
    if (latches?.size === 0) this.#listeners.delete(name)
    if (this.#listeners.size === 0) this.#busy.closeUnsafe()
  }
}

const nameOf = (topic: Topic, session: SessionKey) => `${topic} ${session}`

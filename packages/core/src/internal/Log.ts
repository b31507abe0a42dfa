import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Event } from "../Event.ts"
import type { Live, Origin } from "../EventBus.ts"
import type { Journal } from "../SessionStore.ts"
import type { StoreError } from "../StoreError.ts"
import type { Vault } from "./gate/Vault.ts"

/**
 * The one writer of a session. `note` gives an event its place, `commit` makes it and all noted before it durable, and
 * only then are they published. A store that cannot write ends the session through `broken`, never through a cell that
 * could catch it.
 */
export class Log {
  readonly #journal: Journal
  readonly #origin: Origin
  readonly #publish: (live: Live) => void
  readonly #vault: Vault
  readonly #broken = Deferred.makeUnsafe<never, StoreError>()
  /** Place of the last event that is durable. */
  last = 0

  constructor(journal: Journal, origin: Origin, publish: (live: Live) => void, vault: Vault) {
    this.#journal = journal
    this.#origin = origin
    this.#publish = publish
    this.#vault = vault
  }

  /** Fails as soon as an event could not be written. */
  get broken(): Effect.Effect<never, StoreError> {
    return Deferred.await(this.#broken)
  }

  /** What is written holds no secret. */
  redacted<A>(data: A): A {
    return this.#vault.redacted(data)
  }

  /** Gives the place of the event. */
  note(event: Event): number {
    return this.#journal.note(this.redacted(event))
  }

  commit(...events: ReadonlyArray<Event>): Effect.Effect<void, StoreError> {
    return Effect.map(this.#journal.append(this.redacted(events)), (written) => {
      this.last = written.at(-1)?.seq ?? this.last
      for (const recorded of written) this.#publish({ _tag: "Recorded", origin: this.#origin, recorded })
    })
  }

  /**
   * For places where no failure may pass, such as inside a host call: the effect never returns, and the session ends.
   */
  commitOrEnd(...events: ReadonlyArray<Event>): Effect.Effect<void> {
    return Effect.catch(this.commit(...events), (error) => {
      Deferred.doneUnsafe(this.#broken, Effect.fail(error))
      return Effect.never
    })
  }
}

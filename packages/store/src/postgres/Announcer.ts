/**
 * Tells other processes what was written, after it is durable, so that nobody waits for it; and hears what others tell.
 * A process may die in between, so those who follow a log look for themselves now and then.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { SessionKey } from "../internal/Backend.ts"
import type { Topic, Wake } from "../internal/Wake.ts"
import type { PostgresDatabase } from "./PostgresDatabase.ts"

export class Announcer {
  readonly #db: PostgresDatabase
  readonly #wake: Wake
  readonly #waiting = new Set<string>()
  readonly #something = Latch.makeUnsafe(false)

  private constructor(db: PostgresDatabase, wake: Wake) {
    this.#db = db
    this.#wake = wake
  }

  /** Works until the scope closes. */
  static make(db: PostgresDatabase, wake: Wake): Effect.Effect<Announcer, never, Scope.Scope> {
    const announcer = new Announcer(db, wake)
    const fibers = [announcer.#speak, announcer.#listen, announcer.#look].map((fiber) => Effect.forkScoped(fiber))
    return Effect.as(Effect.all(fibers, { discard: true }), announcer)
  }

  announce(topic: Topic, session: SessionKey): void {
    this.#wake.tell(topic, session)
    this.#waiting.add(`${topic} ${session}`)
    this.#something.openUnsafe()
  }

  /** What comes while others are being told goes out together. */
  get #speak(): Effect.Effect<never> {
    return Effect.forever(Effect.gen({ self: this }, function*() {
      yield* this.#something.await
      yield* this.#something.close
      const payloads = [...this.#waiting]
      this.#waiting.clear()
      yield* Effect.catch(
        this.#db.announce(payloads),
        (error) => Effect.logDebug(`others were not told: ${error.message}`)
      )
    }))
  }

  get #listen(): Effect.Effect<never> {
    const heard = Effect.scoped(Effect.gen({ self: this }, function*() {
      const announcements = yield* this.#db.announcements
      // What was told before is not heard any more.
      this.#wake.tellAll("events")
      this.#wake.tellAll("mail")
      while (true) {
        const { payload } = yield* Queue.take(announcements)
        const [topic, session] = payload.split(" ")
        this.#wake.tell(topic as Topic, Number(session))
      }
    }))
    const again = Effect.catch(
      heard,
      (error) => Effect.andThen(Effect.logDebug(`listening again: ${String(error)}`), Effect.sleep("100 millis"))
    )
    return Effect.forever(again)
  }

  get #look(): Effect.Effect<never> {
    return Effect.forever(
      this.#wake.wanted.pipe(
        Effect.andThen(Effect.sleep("1 second")),
        Effect.andThen(Effect.sync(() => this.#wake.tellAll("events")))
      )
    )
  }
}

/**
 * The journal of a claimed session. Places are given at once; what is appended while a write is under way goes out
 * together with the next one. A journal that failed to write is finished: what was noted or appended after is not in
 * the log, so nothing may follow it. The next claim begins at what is durable.
 */
import {
  type Event,
  eventVersion,
  type Journal,
  type Recorded,
  type StoredEvent,
  type StoreError,
  type Tally,
  toStored
} from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import type { Backend, Claim } from "./Backend.ts"
import { batchOf, type Placed } from "./Batches.ts"
import { signalsOf } from "./Signals.ts"

export class OpenJournal implements Journal {
  readonly signals: Journal["signals"]
  readonly #backend: Backend
  readonly #claim: Claim
  readonly #now: () => number
  readonly #turn = Semaphore.makeUnsafe(1)
  /** Not written yet, in order. */
  #pending: Array<Placed> = []
  /** Not given back by an append yet, in order. */
  #unreported: Array<Recorded> = []
  /** The last that was given a place. */
  #last: Pick<Recorded, "seq" | "time">
  #durable: number
  #tally: Tally | undefined
  #failure: StoreError | undefined

  constructor(backend: Backend, claim: Claim, now: () => number) {
    this.#backend = backend
    this.#claim = claim
    this.#now = now
    this.#last = claim
    this.#durable = claim.seq
    this.#tally = claim.tally
    this.signals = signalsOf(backend, claim)
  }

  get session() {
    return this.#claim.session
  }

  readonly note = (event: Event): number => {
    const stored = Effect.runSync(Effect.result(this.#encode(event)))
    if (Result.isFailure(stored)) {
      this.#failure ??= stored.failure
      return this.#last.seq + 1
    }
    return this.#place(event, stored.success)
  }

  readonly append: Journal["append"] = (events) =>
    Effect.flatMap(
      Effect.forEach(events, (event) => this.#encode(event)),
      (stored) => Effect.uninterruptible(this.#appendEncoded(events, stored))
    )

  #appendEncoded(events: ReadonlyArray<Event>, stored: ReadonlyArray<StoredEvent>) {
    return Effect.suspend(() => {
      events.forEach((event, index) => this.#place(event, stored[index]!))
      const mine = this.#unreported
      this.#unreported = []
      const upTo = this.#last.seq
      return Effect.as(this.#turn.withPermit(Effect.suspend(() => this.#write(upTo))), mine)
    })
  }

  /** Copied by being encoded: whoever gave the event may change it afterwards. */
  #encode(event: Event): Effect.Effect<StoredEvent, StoreError> {
    return toStored(this.#at(event))
  }

  #at(event: Event): Recorded {
    return {
      session: this.session,
      seq: this.#last.seq + 1,
      time: Math.max(this.#now(), this.#last.time),
      v: eventVersion,
      event
    }
  }

  #place(event: Event, { json }: StoredEvent): number {
    const recorded = this.#at(event)
    const { seq, time, v } = recorded
    this.#last = recorded
    this.#pending.push({ recorded, stored: { seq, time, v, json } })
    this.#unreported.push(recorded)
    return seq
  }

  #write(upTo: number): Effect.Effect<void, StoreError> {
    if (this.#failure !== undefined) return Effect.fail(this.#failure)
    if (this.#durable >= upTo) return Effect.void
    const written = this.#pending
    this.#pending = []
    const batch = batchOf(this.#tally, written)
    if (batch === undefined) return Effect.die(new Error(`session ${this.session} has no SessionOpened`))
    return Effect.matchEffect(this.#backend.write(this.#claim, this.#durable, batch), {
      onFailure: (error) => {
        this.#failure = error
        return Effect.fail(error)
      },
      onSuccess: () => {
        this.#durable += written.length
        this.#tally = batch.tally
        return Effect.void
      }
    })
  }
}

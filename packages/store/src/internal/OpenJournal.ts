/**
 * The journal of a claimed session. Places are given at once; what is appended while a write is under way goes out
 * together with the next one. A journal that failed to write is finished: what was noted or appended after is not in
 * the log, so nothing may follow it. The next claim begins at what is durable.
 */
import {
  type Event,
  eventVersion,
  type Journal,
  jsonOfOwn,
  type Recorded,
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
    const json = jsonOfOwn(event)
    if (json !== undefined) return this.#place(event, json)
    const stored = Effect.runSync(Effect.result(this.#encode(event)))
    if (Result.isSuccess(stored)) return this.#place(event, stored.success)
    // Told with the next append, which it would have been written with.
    this.#failure ??= stored.failure
    return this.#last.seq + 1
  }

  readonly append: Journal["append"] = (events) =>
    Effect.suspend(() => {
      const plain = events.map(jsonOfOwn)
      return plain.every((json) => json !== undefined)
        ? this.#appendEncoded(events, plain)
        : Effect.flatMap(
          Effect.forEach(events, (event) => this.#encode(event)),
          (json) => this.#appendEncoded(events, json)
        )
    })

  #appendEncoded(events: ReadonlyArray<Event>, json: ReadonlyArray<string>) {
    return Effect.uninterruptible(Effect.suspend(() => {
      events.forEach((event, index) => this.#place(event, json[index]!))
      const mine = this.#unreported
      this.#unreported = []
      const upTo = this.#last.seq
      return Effect.as(this.#turn.withPermit(Effect.suspend(() => this.#write(upTo))), mine)
    }))
  }

  /** Copied by being encoded: whoever gave the event may change it afterwards. */
  #encode(event: Event): Effect.Effect<string, StoreError> {
    return Effect.map(toStored(this.#at(event)), ({ json }) => json)
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

  #place(event: Event, json: string): number {
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

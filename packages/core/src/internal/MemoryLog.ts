import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Event, eventVersion, type Recorded } from "../Event.ts"
import type { SessionId } from "../Ids.ts"
import type { Journal, Signal } from "../SessionStore.ts"
import { addToTally, searchable, type Tally } from "../SessionSummary.ts"
import { fromStored, isOwnEvent, type StoredEvent, toStored } from "../StoredEvent.ts"
import { StoreError } from "../StoreError.ts"
import type { Listed } from "./ListPage.ts"

const holder = "this process"

/** One session in memory: its events, who owns it, who follows it and what was sent to it. */
export class MemoryLog {
  readonly #session: SessionId
  readonly #now: () => number
  readonly #records: Array<Recorded> = []
  readonly #followers = new Set<(record: Recorded) => void>()
  /** Signals that no owner has taken yet. */
  readonly #mail: Array<Signal> = []
  readonly #onMail = new Set<() => void>()
  /** What came from elsewhere, in the words of the version that wrote it. */
  #restored: ReadonlyArray<StoredEvent> = []
  #tally: Tally | undefined
  #text = ""
  /** Raised with each owner and at the end: a journal of an earlier owner can write nothing. */
  #fence = 0
  #held = false

  constructor(session: SessionId, now: () => number) {
    this.#session = session
    this.#now = now
  }

  get listed(): ReadonlyArray<Listed> {
    if (this.#tally === undefined) return []
    return [{ tally: this.#tally, text: this.#text, owner: this.#held ? { holder, until: this.#now() } : undefined }]
  }

  durable(after: number): ReadonlyArray<Recorded> {
    return this.#records.slice(after)
  }

  get stored(): Effect.Effect<ReadonlyArray<StoredEvent>, StoreError> {
    const restored = this.#restored
    return Effect.map(Effect.forEach(this.durable(restored.length), toStored), (rest) => [...restored, ...rest])
  }

  send(signal: Signal): void {
    this.#mail.push(signal)
    for (const tell of this.#onMail) tell()
  }

  get claim(): Effect.Effect<Journal, StoreError, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.suspend(() => {
        if (this.#held) return this.#fail({ _tag: "Held", holder, until: this.#now() })
        this.#held = true
        return Effect.succeed(this.#journal(++this.#fence))
      }),
      () =>
        Effect.sync(() => {
          this.#held = false
        })
    )
  }

  /** Fails while somebody owns it; after that no journal of it can write any more. */
  get end(): Effect.Effect<void, StoreError> {
    return Effect.suspend(() => {
      if (this.#held) return this.#fail({ _tag: "Held", holder, until: this.#now() })
      this.#fence++
      return Effect.void
    })
  }

  /** A log that was written elsewhere. */
  fill(log: ReadonlyArray<StoredEvent>): Effect.Effect<void, StoreError> {
    return Effect.flatMap(Effect.forEach(log, (stored) => fromStored(this.#session, stored)), (records) => {
      const gap = records.findIndex(({ seq }, index) => seq !== index + 1)
      if (records[0]?.event._tag !== "SessionOpened" || gap >= 0) {
        return this.#fail({ _tag: "Invalid", detail: `a log is SessionOpened and what follows, without gaps` })
      }
      this.#restored = log
      this.#write(records)
      return Effect.void
    })
  }

  /** What is there, then what comes, without a gap between the two. */
  followed(after: number): Stream.Stream<Recorded> {
    return Stream.callback((queue) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const tell = (record: Recorded) => void Queue.offerUnsafe(queue, record)
          for (const record of this.durable(after)) tell(record)
          this.#followers.add(tell)
          return tell
        }),
        (tell) => Effect.sync(() => void this.#followers.delete(tell))
      )
    )
  }

  #journal(fence: number): Journal {
    let pending: Array<Recorded> = []
    let next = this.#records.length + 1
    const owns = () => fence === this.#fence && this.#held
    const place = (event: Event): number => {
      const before = (pending.at(-1) ?? this.#records.at(-1))?.time ?? 0
      pending.push({ session: this.#session, seq: next, time: Math.max(this.#now(), before), v: eventVersion, event })
      return next++
    }
    const append = (events: ReadonlyArray<Event>) =>
      Effect.suspend(() => {
        if (!owns()) return this.#fenced(next - pending.length)
        for (const event of events) place(event)
        const written = pending
        pending = []
        this.#write(written)
        return Effect.succeed(written)
      })
    return {
      session: this.#session,
      note: place,
      append: (events) =>
        events.every(isOwnEvent)
          ? append(events)
          : Effect.flatMap(Effect.forEach(events, (event) => this.#accept(event)), append),
      signals: this.#signals(() => owns() ? undefined : this.#fenced(next - pending.length))
    }
  }

  /**
   * What an application hands over is checked and copied: it may give what does not fit, and may go on using what it
   * gave. The engine's own events are not: they cost a copy each.
   */
  #accept(event: Event): Effect.Effect<Event, StoreError> {
    if (isOwnEvent(event)) return Effect.succeed(event)
    const record: Recorded = { session: this.#session, seq: this.#records.length + 1, time: 0, v: eventVersion, event }
    return toStored(record).pipe(
      Effect.flatMap((stored) => fromStored(this.#session, stored)),
      // What was encoded is known.
      Effect.map((copy) => copy.event as Event)
    )
  }

  #write(records: ReadonlyArray<Recorded>): void {
    for (const record of records) {
      this.#records.push(record)
      this.#tally = addToTally(this.#tally, record)
      const text = searchable(record)
      if (text !== undefined) this.#text += `${text}\n`
      for (const tell of this.#followers) tell(record)
    }
  }

  #signals(lost: () => Effect.Effect<never, StoreError> | undefined): Journal["signals"] {
    return Stream.callback((queue) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const offered = new Set<Signal>()
          const tell = () => {
            for (const signal of this.#mail) {
              if (offered.has(signal)) continue
              offered.add(signal)
              Queue.offerUnsafe(queue, { signal, taken: Effect.suspend(() => lost() ?? this.#take(signal)) })
            }
          }
          this.#onMail.add(tell)
          tell()
          return tell
        }),
        (tell) => Effect.sync(() => void this.#onMail.delete(tell))
      )
    )
  }

  #take(signal: Signal): Effect.Effect<void> {
    return Effect.sync(() => {
      const at = this.#mail.indexOf(signal)
      if (at >= 0) this.#mail.splice(at, 1)
    })
  }

  #fenced(expectedSeq: number) {
    return this.#fail({ _tag: "Fenced", expectedSeq, actualSeq: this.#records.length })
  }

  #fail(reason: StoreError["reason"]) {
    return Effect.fail(new StoreError({ session: this.#session, reason }))
  }
}

/**
 * Logs as streams: what is there in pages, and then, if followed, what comes.
 */
import { fromStored, type Recorded, type SessionId, type StoredEvent, type StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Backend, SessionKey } from "./Backend.ts"

/** Events of one query. */
const pageSize = 500

/** The log as it is when it is read. */
export const storedEvents = (
  backend: Backend,
  session: SessionId,
  after: number
): Stream.Stream<StoredEvent, StoreError> =>
  Stream.unwrap(
    Effect.map(backend.key(session), (key) =>
      Stream.paginate(after, (from) =>
        Effect.map(
          pageOf(backend, session, key, from, pageSize),
          ({ events, more }) => [events, more ? Option.some(events.at(-1)!.seq) : Option.none()] as const
        )))
  )

/** Never ends. */
export const followedEvents = (
  backend: Backend,
  session: SessionId,
  after: number
): Stream.Stream<StoredEvent, StoreError> =>
  Stream.unwrap(Effect.gen(function*() {
    const key = yield* backend.key(session)
    const { changed } = yield* backend.wake.listen("events", key)
    return Stream.paginate(after, (from) =>
      Effect.flatMap(pageOf(backend, session, key, from, pageSize), ({ events }) =>
        Effect.as(
          events.length === 0 ? changed : Effect.void,
          [events, Option.some(events.at(-1)?.seq ?? from)] as const
        )))
  }))

export const decoded = (
  session: SessionId,
  events: Stream.Stream<StoredEvent, StoreError>
): Stream.Stream<Recorded, StoreError> => Stream.mapEffect(events, (stored) => fromStored(session, stored))

interface EventPage {
  readonly events: ReadonlyArray<StoredEvent>
  readonly more: boolean
}

/** Where a part of the storage is damaged, what stands before it is still given. */
const pageOf = (
  backend: Backend,
  session: SessionId,
  key: SessionKey,
  after: number,
  limit: number
): Effect.Effect<EventPage, StoreError> =>
  Effect.catchIf(
    Effect.map(backend.events(session, key, after, limit), (events): EventPage => ({
      events,
      more: events.length === limit
    })),
    (error: StoreError) => error.reason._tag === "Corrupt" && limit > 1,
    () => pageOf(backend, session, key, after, limit >> 1)
  )

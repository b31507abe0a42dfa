/**
 * A store of sessions, made of a database.
 */
import {
  type BlobRef,
  eventVersion,
  fromStored,
  type Recorded,
  type SessionStore,
  StoreError,
  toStored
} from "@daylight/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import type { Backend, Batch, Claim } from "./Backend.ts"
import { batchOf } from "./Batches.ts"
import { OpenJournal } from "./OpenJournal.ts"
import { decoded, followedEvents, storedEvents } from "./Reading.ts"
import { encodeSignal } from "./Signals.ts"

export const makeStore = Effect.fnUntraced(function*(backend: Backend) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  /** Set when the store closes: with it ends its lease, so that all it holds is free. */
  let over = false
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      over = true
    })
  )

  const owning = (claim: Effect.Effect<Claim, StoreError>) =>
    Effect.map(
      Effect.acquireRelease(claim, (owned) =>
        // The lease runs out by itself where the database cannot be told.
        Effect.suspend(() =>
          over ? Effect.void : Effect.catch(
            backend.release(owned),
            (error) => Effect.logWarning(`session ${owned.session} could not be given back: ${error.message}`)
          )
        )),
      (owned) => new OpenJournal(backend, owned, now)
    )

  const store: SessionStore["Service"] = {
    create: (session, event) =>
      Effect.suspend(() => {
        const opened: Recorded = { session, seq: 1, time: now(), v: eventVersion, event }
        const claim = Effect.flatMap(batchOfFirst(opened), (batch) => backend.add(session, batch, true))
        return Effect.map(owning(claim), (journal) => Object.assign(journal, { opened }))
      }),
    claim: (session) => owning(backend.claim(session)),
    read: (session, { after = 0, follow = false } = {}) =>
      decoded(session, follow ? followedEvents(backend, session, after) : storedEvents(backend, session, after)),
    list: (query) => backend.list(query),
    send: (session, signal) => Effect.flatMap(encodeSignal(session, signal), (json) => backend.send(session, json)),
    remove: (session) => backend.remove(session),
    putBlob: (bytes, mediaType) =>
      Effect.suspend(() => {
        const hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`
        const ref: BlobRef = { hash, bytes: bytes.length, mediaType }
        return Effect.as(backend.putBlob(ref, bytes), ref)
      }),
    getBlob: (ref) => backend.getBlob(ref),
    dump: (session) => storedEvents(backend, session, 0),
    restore: Effect.fnUntraced(function*(session, events) {
      const all = yield* Stream.runCollect(events)
      const placed = yield* Effect.forEach(
        all,
        (stored) => Effect.map(fromStored(session, stored), (recorded) => ({ recorded, stored }))
      )
      const gap = all.findIndex(({ seq }, index) => seq !== index + 1)
      const batch = batchOf(undefined, placed)
      if (placed[0]?.recorded.event._tag !== "SessionOpened" || batch === undefined || gap >= 0) {
        const detail = "a log is SessionOpened and what follows, without gaps"
        return yield* new StoreError({ session, reason: { _tag: "Invalid", detail } })
      }
      yield* backend.add(session, batch, false)
    })
  }
  return store
})

const batchOfFirst = (recorded: Recorded): Effect.Effect<Batch, StoreError> =>
  Effect.map(toStored(recorded), (stored) => batchOf(undefined, [{ recorded, stored }])!)

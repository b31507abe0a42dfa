import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Event, Recorded } from "../Event.ts"
import type { BlobRef, SessionId } from "../Ids.ts"
import { Platform } from "../Platform.ts"
import type { Journal, SessionQuery, SessionStore, Signal } from "../SessionStore.ts"
import { summarise, type SessionSummary } from "../SessionSummary.ts"
import { StoreError } from "../StoreError.ts"

/** One session: its events, who owns it, who follows it and what was sent to it. */
interface Log {
  readonly session: SessionId
  readonly records: Array<Recorded>
  readonly followers: Set<(record: Recorded) => void>
  /** Signals that no owner has taken yet. */
  readonly mail: Array<Signal>
  onMail: (() => void) | undefined
  summary: SessionSummary | undefined
  /** How many events are durable; later ones were only noted. */
  durable: number
  /** Raised with each owner: a journal of an earlier one can write nothing. */
  fence: number
  held: boolean
}

const version = 1

/** The store of `SessionStore.layerMemory`. */
export const makeMemoryStore: Effect.Effect<SessionStore["Service"]> = Effect.gen(function*() {
  const clock = yield* Clock.Clock
  const platform = yield* Platform
  const logs = new Map<SessionId, Log>()
  const blobs = new Map<string, Uint8Array>()

  const fail = (session: SessionId, reason: StoreError["reason"]) => Effect.fail(new StoreError({ session, reason }))
  const find = (session: SessionId) =>
    Effect.suspend(() => {
      const log = logs.get(session)
      return log === undefined ? fail(session, { _tag: "NotFound" }) : Effect.succeed(log)
    })

  const claim = (log: Log) =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        if (log.held) return fail(log.session, { _tag: "Held", holder: "this process", until: clock.currentTimeMillisUnsafe() })
        log.held = true
        return Effect.succeed(journalOf(log, ++log.fence, () => clock.currentTimeMillisUnsafe()))
      }),
      () => Effect.sync(() => { log.held = false })
    )

  return {
    create: (session, opened) =>
      Effect.suspend(() => {
        if (logs.has(session)) return fail(session, { _tag: "AlreadyExists" })
        const log: Log = {
          session, records: [], followers: new Set(), mail: [], onMail: undefined, summary: undefined, durable: 0, fence: 0, held: false
        }
        logs.set(session, log)
        return Effect.tap(claim(log), (journal) => journal.append([opened]))
      }),
    claim: (session) => Effect.flatMap(find(session), claim),
    read: (session, { after = 0, follow = false } = {}) =>
      Stream.unwrap(Effect.map(find(session), (log) => follow ? followed(log, after) : Stream.fromIterable(log.records.slice(after, log.durable)))),
    list: (query) => Effect.sync(() => page([...logs.values()].flatMap((log) => log.summary ?? []), query)),
    send: (session, signal) =>
      Effect.map(find(session), (log) => {
        log.mail.push(signal)
        log.onMail?.()
      }),
    remove: (session) =>
      Effect.flatMap(find(session), (log) =>
        log.held
          ? fail(session, { _tag: "Held", holder: "this process", until: clock.currentTimeMillisUnsafe() })
          : Effect.sync(() => void logs.delete(session))),
    putBlob: (bytes, mediaType) =>
      Effect.sync((): BlobRef => {
        const hash = `sha256:${platform.sha256(bytes)}`
        if (!blobs.has(hash)) blobs.set(hash, bytes.slice())
        return { hash, bytes: bytes.length, mediaType }
      }),
    getBlob: (ref) =>
      Effect.suspend(() => {
        const bytes = blobs.get(ref.hash)
        return bytes === undefined
          ? Effect.fail(new StoreError({ reason: { _tag: "NotFound" } }))
          : Effect.succeed(bytes)
      })
  }
})

const journalOf = (log: Log, fence: number, now: () => number): Journal => {
  const place = (event: Event): Recorded => {
    const record: Recorded = { session: log.session, seq: log.records.length + 1, time: now(), v: version, event }
    log.records.push(record)
    return record
  }
  return {
    session: log.session,
    note: (event) => place(event).seq,
    append: (events) =>
      Effect.suspend(() => {
        if (fence !== log.fence || !log.held) {
          return Effect.fail(new StoreError({
            session: log.session,
            reason: { _tag: "Fenced", expectedSeq: log.durable + 1, actualSeq: log.records.length }
          }))
        }
        for (const event of events) place(event)
        const written = log.records.slice(log.durable)
        log.durable = log.records.length
        for (const record of written) {
          log.summary = summarise(log.summary, record)
          for (const tell of log.followers) tell(record)
        }
        return Effect.succeed(written)
      }),
    signals: Stream.callback((queue) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const offered = new Set<Signal>()
          log.onMail = () => {
            for (const signal of log.mail) {
              if (offered.has(signal)) continue
              offered.add(signal)
              Queue.offerUnsafe(queue, { signal, taken: Effect.sync(() => void log.mail.splice(log.mail.indexOf(signal), 1)) })
            }
          }
          log.onMail()
        }),
        () => Effect.sync(() => { log.onMail = undefined })
      ))
  }
}

/** What is there, then what comes, without a gap between the two. */
const followed = (log: Log, after: number): Stream.Stream<Recorded> =>
  Stream.callback((queue) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const tell = (record: Recorded) => void Queue.offerUnsafe(queue, record)
        for (const record of log.records.slice(after, log.durable)) tell(record)
        log.followers.add(tell)
        return tell
      }),
      (tell) => Effect.sync(() => void log.followers.delete(tell))
    ))

const page = (rows: ReadonlyArray<SessionSummary>, query: SessionQuery) => {
  const wanted = rows.filter((row) => matches(row, query)).sort((a, b) => b.updated - a.updated)
  const from = query.cursor === undefined ? 0 : Number(query.cursor)
  const to = from + (query.limit ?? 100)
  return { items: wanted.slice(from, to), next: to < wanted.length ? String(to) : undefined }
}

const matches = (row: SessionSummary, query: SessionQuery): boolean =>
  (query.agent === undefined || row.agent === query.agent) &&
  (query.status === undefined || row.status === query.status) &&
  (query.reason === undefined || row.reason === query.reason) &&
  (query.parent === undefined || row.parent === query.parent) &&
  (query.since === undefined || row.updated >= query.since) &&
  (query.minUsd === undefined || (row.usd ?? 0) >= query.minUsd) &&
  (query.text === undefined || row.title.toLowerCase().includes(query.text.toLowerCase())) &&
  Object.entries(query.labels ?? {}).every(([key, value]) => row.labels[key] === value)

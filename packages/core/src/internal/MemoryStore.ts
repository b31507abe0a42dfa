import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { BlobRef, SessionId } from "../Ids.ts"
import { Platform } from "../Platform.ts"
import type { SessionStore } from "../SessionStore.ts"
import { blobsIn } from "../StoredEvent.ts"
import { StoreError } from "../StoreError.ts"
import { pageOf } from "./ListPage.ts"
import { MemoryLog } from "./MemoryLog.ts"

interface Blob {
  readonly bytes: Uint8Array
  readonly put: number
}

/** The session that will refer to a blob has this long to do so, in milliseconds. */
const orphanAge = 3_600_000

/** The store of `SessionStore.layerMemory`. */
export const makeMemoryStore: Effect.Effect<SessionStore["Service"]> = Effect.gen(function*() {
  const clock = yield* Clock.Clock
  const platform = yield* Platform
  const now = () => clock.currentTimeMillisUnsafe()
  const logs = new Map<SessionId, MemoryLog>()
  const blobs = new Map<string, Blob>()

  const find = (session: SessionId) =>
    Effect.suspend(() => {
      const log = logs.get(session)
      return log === undefined ? fail(session, { _tag: "NotFound" }) : Effect.succeed(log)
    })

  const add = (session: SessionId) =>
    Effect.suspend(() => {
      if (logs.has(session)) return fail(session, { _tag: "AlreadyExists" })
      const log = new MemoryLog(session, now)
      logs.set(session, log)
      return Effect.succeed(log)
    })

  const drop = (session: SessionId) => Effect.sync(() => void logs.delete(session))

  const stored = (session: SessionId) => Effect.flatMap(find(session), (log) => log.stored)

  /** Blobs that nobody refers to. */
  const sweep = Effect.gen(function*() {
    const old = [...blobs].filter(([, { put }]) => put <= now() - orphanAge)
    if (old.length === 0) return
    const used = new Set<string>()
    for (const session of logs.keys()) {
      for (const event of yield* stored(session)) for (const hash of blobsIn(event)) used.add(hash)
    }
    for (const [hash] of old) if (!used.has(hash)) blobs.delete(hash)
  })

  return {
    create: (session, opened) =>
      Effect.flatMap(add(session), (log) =>
        Effect.flatMap(log.claim, (journal) =>
          journal.append([opened]).pipe(
            Effect.onError(() => drop(session)),
            Effect.map(([first]) => ({ ...journal, opened: first! }))
          ))),
    claim: (session) => Effect.flatMap(find(session), (log) => log.claim),
    read: (session, { after = 0, follow = false } = {}) =>
      Stream.unwrap(
        Effect.map(find(session), (log) => follow ? log.followed(after) : Stream.fromIterable(log.durable(after)))
      ),
    list: (query) => Effect.suspend(() => pageOf([...logs.values()].flatMap((log) => log.listed), query)),
    send: (session, signal) => Effect.map(find(session), (log) => log.send(signal)),
    remove: (session) =>
      find(session).pipe(
        Effect.flatMap((log) => log.end),
        Effect.andThen(drop(session)),
        Effect.andThen(sweep)
      ),
    putBlob: (bytes, mediaType) =>
      Effect.sync((): BlobRef => {
        const hash = `sha256:${platform.sha256(bytes)}`
        blobs.set(hash, { bytes: blobs.get(hash)?.bytes ?? bytes.slice(), put: now() })
        return { hash, bytes: bytes.length, mediaType }
      }),
    getBlob: ({ hash }) =>
      Effect.suspend(() => {
        const blob = blobs.get(hash)
        return blob === undefined
          ? Effect.fail(new StoreError({ reason: { _tag: "NotFound" } }))
          : Effect.succeed(blob.bytes.slice())
      }),
    dump: (session) => Stream.unwrap(Effect.map(stored(session), Stream.fromIterable)),
    restore: Effect.fnUntraced(function*(session, events) {
      if (logs.has(session)) return yield* fail(session, { _tag: "AlreadyExists" })
      const all = yield* Stream.runCollect(events)
      const log = yield* add(session)
      yield* Effect.onError(log.fill(all), () => drop(session))
    })
  }
})

const fail = (session: SessionId, reason: StoreError["reason"]) => Effect.fail(new StoreError({ session, reason }))

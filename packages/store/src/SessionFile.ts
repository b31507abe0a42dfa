/**
 * One session as one file, with the blobs it refers to: lines of JSON that any store takes back. Events stand in it as
 * they are kept, so that what a later version wrote comes through an earlier one unharmed.
 *
 * ```
 * {"daylight":"session","version":1,"session":"analyst-1"}
 * {"seq":1,"time":1764460800000,"v":1,"event":{"_tag":"SessionOpened",...}}
 * {"blob":"sha256:...","data":"<base64>"}
 * {"end":{"events":1,"blobs":1}}
 * ```
 *
 * A large blob takes several lines. The last line shows that nothing was cut off.
 */
import { type BlobRef, blobsIn, SessionId, SessionStore, type StoredEvent, StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { SessionFileReader } from "./internal/SessionFileReader.ts"

const version = 1

/** Bytes of a blob in one line; a multiple of three, so that the base64 of the lines can be joined. */
const blobLine = 768 * 1024

/** The lines of the file, each with its line break. Fails with `NotFound` if there is no such session. */
export const exportSession = (session: SessionId): Stream.Stream<string, StoreError, SessionStore> =>
  Stream.unwrap(Effect.map(SessionStore, (store) => {
    const blobs = new Set<string>()
    let events = 0
    const eventLines = Stream.map(store.dump(session), (event) => {
      for (const hash of blobsIn(event)) blobs.add(hash)
      events++
      return eventLine(event)
    })
    const blobLines = Stream.suspend(() =>
      Stream.flatMap(Stream.fromIterable([...blobs]), (hash) => linesOfBlob(store, hash))
    )
    const end = Stream.suspend(() => Stream.make(JSON.stringify({ end: { events, blobs: blobs.size } })))
    // The first event is read before the first line is given: an empty file is never begun.
    return Stream.map(
      Stream.concat(headed(session, eventLines), Stream.concat(blobLines, end)),
      (line) => `${line}\n`
    )
  }))

/**
 * Puts a session from such lines, in whichever pieces they come, under its own id or another one. All of it or nothing.
 * Fails with `AlreadyExists` if the id is taken, `Invalid` for what is no such file, or one that was cut off or
 * altered.
 */
export const importSession = <E, R>(
  text: Stream.Stream<string, E, R>,
  options: { readonly as?: SessionId | undefined } = {}
): Effect.Effect<SessionId, StoreError | E, SessionStore | R> =>
  Effect.gen(function*() {
    const store = yield* SessionStore
    const reader = new SessionFileReader(version)
    yield* Stream.runForEach(Stream.splitLines(text), (line) =>
      Effect.flatMap(reader.take(line), (blob) => blob === undefined ? Effect.void : putBlob(store, blob)))
    const { events, session } = yield* reader.end
    const id = options.as ?? SessionId.make(session)
    yield* store.restore(id, Stream.fromIterable(events))
    return id
  })

const headed = <E>(session: SessionId, lines: Stream.Stream<string, E>): Stream.Stream<string, E> => {
  let begun = false
  const header = JSON.stringify({ daylight: "session", version, session })
  return Stream.map(lines, (line) => {
    if (begun) return line
    begun = true
    return `${header}\n${line}`
  })
}

/** The event is last and as it is: what reads it takes the text itself. */
const eventLine = ({ json, seq, time, v }: StoredEvent): string =>
  `{"seq":${seq},"time":${JSON.stringify(time)},"v":${v},"event":${json}}`

const linesOfBlob = (store: SessionStore["Service"], hash: string): Stream.Stream<string, StoreError> =>
  Stream.unwrap(
    store.getBlob({ hash, bytes: 0, mediaType: "" }).pipe(
      Effect.map((bytes) => {
        const count = Math.max(1, Math.ceil(bytes.length / blobLine))
        return Stream.map(Stream.range(0, count - 1), (n) => {
          const part = Buffer.from(bytes.subarray(n * blobLine, (n + 1) * blobLine)).toString("base64")
          return JSON.stringify({ blob: hash, data: part, ...(n < count - 1 && { more: true }) })
        })
      }),
      // The session is worth more than a blob that is gone.
      Effect.catchIf(
        (error) => error.reason._tag === "NotFound",
        () => Effect.succeed(Stream.make(JSON.stringify({ blob: hash, missing: true })))
      )
    )
  )

const putBlob = (
  store: SessionStore["Service"],
  { bytes, hash }: { readonly hash: string; readonly bytes: Uint8Array }
): Effect.Effect<BlobRef, StoreError> =>
  Effect.filterOrFail(store.putBlob(bytes, ""), (ref) => ref.hash === hash, (ref) => {
    const detail = `the blob ${hash} was altered: its content has the hash ${ref.hash}`
    return new StoreError({ reason: { _tag: "Invalid", detail } })
  })

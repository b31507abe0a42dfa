import { SessionId, SessionStore, type StoredEvent, type StoreError } from "@daylight/core"
import { exportSession, importSession, SqliteStore } from "@daylight/store"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { opened, runStarted, type Store, warned } from "./events.ts"

const session = SessionId.make("s/1")
const sqlite = SqliteStore.layer({ filename: ":memory:" })
const memory = SessionStore.layerMemory

const on = <A, E>(
  layer: Layer.Layer<SessionStore, StoreError>,
  body: (store: Store) => Effect.Effect<A, E, SessionStore>
) => Effect.runPromise(Effect.provide(Effect.flatMap(SessionStore, body), layer))

const written = Stream.mkString(exportSession(session))
const taken = (text: string, options = {}) => importSession(Stream.make(text), options)

/** Bytes that take more than one line, and no bytes. */
const blobs = [Uint8Array.from({ length: 2_000_000 }, (_, n) => (n * 13) % 256), new Uint8Array(0)]

const sample = (store: Store) =>
  Effect.scoped(Effect.gen(function*() {
    const journal = yield* store.create(session, opened({ labels: { team: "ops" } }))
    const content = yield* Effect.forEach(blobs, (bytes) =>
      Effect.map(store.putBlob(bytes, "image/png"), (blob) => ({ _tag: "Media" as const, blob })))
    const text = { _tag: "Text" as const, text: 'line\u2028 one\r\n\u0000 \ud800 "hash":"sha256:' + "0".repeat(64) }
    yield* journal.append([{ ...runStarted(""), prompt: { _tag: "User", content: [text, ...content] } }, warned(1)])
    return yield* Stream.runCollect(store.read(session))
  }))

describe("a session as a file", () => {
  test.each([["memory", "SQLite", memory, sqlite], ["SQLite", "memory", sqlite, memory]] as const)(
    "goes from %s to %s with its blobs, and is the same file again",
    async (_, __, from, to) => {
      const { before, file } = await on(from, (store) =>
        Effect.gen(function*() {
          const before = yield* sample(store)
          return { before, file: yield* written }
        }))
      await on(to, (store) =>
        Effect.gen(function*() {
          expect(yield* taken(file)).toBe(session)
          expect(yield* Stream.runCollect(store.read(session))).toEqual(before)
          expect(yield* written).toBe(file)
          expect((yield* store.list({ labels: { team: "ops" } })).items[0]).toMatchObject({ session, seq: 3 })
          for (const bytes of blobs) {
            const ref = yield* store.putBlob(bytes, "")
            expect((yield* store.getBlob(ref)).length).toBe(bytes.length)
          }
        }))
      expect(file.split("\n").length).toBeGreaterThan(8)
    }
  )

  test("comes in pieces of any size, and under another name", () =>
    on(sqlite, (store) =>
      Effect.gen(function*() {
        yield* sample(store)
        const file = yield* written
        const pieces = file.match(/[\s\S]{1,7919}/g)!
        const as = SessionId.make("copy")
        expect(yield* importSession(Stream.fromIterable(pieces), { as })).toBe(as)
        const copy = yield* Stream.runCollect(store.dump(as))
        expect(copy).toEqual(yield* Stream.runCollect(store.dump(session)))
      })))

  test("keeps what a later version wrote byte for byte", async () => {
    const newer: ReadonlyArray<StoredEvent> = [
      {
        seq: 1,
        time: 1,
        v: 7,
        json: `{"_tag":"SessionOpened","agent":"a","definition":"d","workItem":"w","labels":{},"new":{"b":1e2,"1":2}}`
      },
      { seq: 2, time: 1.5, v: 8, json: `{"_tag":"NeverHeardOf", "spaced" : [ 1.0, "\\u00e9" ]}` }
    ]
    const file = await on(
      memory,
      (store) => Effect.andThen(store.restore(session, Stream.fromIterable(newer)), written)
    )
    await on(sqlite, (store) =>
      Effect.gen(function*() {
        yield* taken(file)
        expect(yield* Stream.runCollect(store.dump(session))).toEqual(newer)
        expect(yield* written).toBe(file)
      }))
  })

  test("may have been laid out anew", async () => {
    const file = await on(memory, (store) => Effect.andThen(sample(store), written))
    const spaced = file.trim().split("\n").map((line) =>
      JSON.stringify(JSON.parse(line), undefined, 1).replaceAll("\n", " ")
    ).join("\r\n\r\n")
    await on(sqlite, () =>
      Effect.gen(function*() {
        yield* taken(spaced)
        expect(yield* written).toBe(file)
      }))
  })

  test("is refused where it is no such file, was cut off or altered, and leaves nothing", async () => {
    const file = await on(memory, (store) => Effect.andThen(sample(store), written))
    const lines = file.trimEnd().split("\n")
    const without = (index: number) => lines.toSpliced(index, 1).join("\n")
    const refusals: ReadonlyArray<readonly [string, string, string]> = [
      ["nothing", "", "the file is empty"],
      ["something else", "hello\n", "line 1 is not the first line of a session file"],
      ["a later format", file.replace('"version":1', '"version":2'), "of version 2 and this program knows up to 1"],
      ["cut off at a line", lines.slice(0, -2).join("\n"), "the file was cut off after line"],
      ["cut off in a line", file.slice(0, 300), "line 3 is no line of a session file"],
      ["an event less", without(2), "of 3 events and 2 blobs, 2 and 2 are in the file"],
      [
        "a blob less",
        without(lines.findIndex((line) => line.includes('"more"'))),
        "was altered: its content has the hash"
      ],
      ["an event twice", lines.toSpliced(2, 1, lines[1]!).join("\n"), "a log is SessionOpened and what follows"]
    ]
    await on(sqlite, (store) =>
      Effect.gen(function*() {
        for (const [what, text, told] of refusals) {
          const error = yield* Effect.flip(taken(text))
          const { items } = yield* store.list({})
          expect([what, error.message, items]).toEqual([what, expect.stringContaining(told), []])
          expect(error).toMatchObject({ _tag: "StoreError", reason: { _tag: "Invalid" } })
        }
      }))
  })

  test("does not replace a session, and is not begun for one that is not there", () =>
    on(sqlite, (store) =>
      Effect.gen(function*() {
        expect(yield* Effect.flip(written)).toMatchObject({ reason: { _tag: "NotFound" } })
        yield* sample(store)
        expect(yield* Effect.flip(taken(yield* written))).toMatchObject({ reason: { _tag: "AlreadyExists" } })
      })))

  test("is written although a blob is gone", async () => {
    const file = await on(memory, (store) =>
      Effect.gen(function*() {
        const blob = { hash: `sha256:${"a".repeat(64)}`, bytes: 3, mediaType: "text/plain" }
        const prompt = { _tag: "User" as const, content: [{ _tag: "Media" as const, blob }] }
        yield* Effect.scoped(
          Effect.flatMap(store.create(session, opened()), (journal) => journal.append([{ ...runStarted(""), prompt }]))
        )
        return yield* written
      }))
    expect(file).toContain(`"missing":true`)
    await on(sqlite, () =>
      Effect.gen(function*() {
        yield* taken(file)
        expect(yield* written).toBe(file)
      }))
  })
})

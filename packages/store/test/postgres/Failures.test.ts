/**
 * What goes wrong with a server: it is told by type, and nothing that was acknowledged is lost or written twice.
 */
import { SessionId } from "@daylight/core"
import { PostgresStore, type PostgresStoreOptions } from "@daylight/store/postgres"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { opened, runStarted, type Store, warned } from "../events.ts"
import { LossyProxy } from "./LossyProxy.ts"
import { type Server, serverIsThere, startServer } from "./server.ts"

const session = SessionId.make("s")

let server: Server
beforeAll(async () => {
  if (serverIsThere) server = await startServer()
}, 60_000)
afterAll(() => server?.dispose())

let schemas = 0
const using = <A, E>(
  options: Partial<PostgresStoreOptions>,
  body: (store: Store, options: PostgresStoreOptions) => Effect.Effect<A, E, Scope.Scope>
) => {
  const all = { url: server.url, schema: `failures_${++schemas}`, ...options }
  return Effect.runPromise(Effect.scoped(Effect.flatMap(PostgresStore.make(all), (store) => body(store, all))))
}

const logOf = (store: Store, id = session) => Stream.runCollect(store.read(id))

describe.skipIf(!serverIsThere)("a server that restarts in the middle of appends", () => {
  test(
    "holds every acknowledged event once, and appends go on",
    () =>
      using({ patience: "20 seconds", lease: "1 minute" }, (store) =>
        Effect.gen(function*() {
          const journal = yield* store.create(session, opened())
          const acknowledged: Array<number> = []
          const writing = yield* Effect.forkChild(
            Effect.gen(function*() {
              for (let n = 1; n <= 400; n++) {
                const written = yield* journal.append([warned(n)])
                acknowledged.push(...written.map(({ seq }) => seq))
                yield* Effect.sleep("2 millis")
              }
            }),
            { startImmediately: true }
          )
          const following = yield* Effect.forkChild(
            Stream.runCollect(Stream.take(store.read(session, { follow: true }), 401)).pipe(
              Effect.retry({ times: 20 })
            ),
            { startImmediately: true }
          )
          yield* Effect.sleep("100 millis")
          for (let round = 0; round < 2; round++) {
            yield* Effect.promise(() => server.stop())
            yield* Effect.promise(() => server.start())
            yield* Effect.sleep("100 millis")
          }
          yield* Fiber.join(writing)
          expect(acknowledged).toEqual(Array.from({ length: 400 }, (_, n) => n + 2))
          const log = yield* logOf(store)
          expect(log.map(({ event }) => "used" in event ? event.used : 0)).toEqual(
            Array.from({ length: 401 }, (_, n) => n)
          )
          expect((yield* Fiber.join(following)).map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq))
        })),
    60_000
  )

  test(
    "fails as Unavailable when patience ends",
    () =>
      using({ patience: "300 millis" }, (store) =>
        Effect.gen(function*() {
          const journal = yield* store.create(session, opened())
          yield* Effect.promise(() => server.stop())
          const error = yield* Effect.flip(journal.append([warned(1)]))
          yield* Effect.promise(() => server.start())
          expect(error).toMatchObject({
            reason: { _tag: "Unavailable", detail: expect.stringContaining("does the server run") }
          })
          expect(yield* logOf(store)).toHaveLength(1)
        })),
    60_000
  )
})

describe.skipIf(!serverIsThere)("an answer that is lost after the server did what it was told", () => {
  test("is not taken for a failure, and nothing is done twice", async () => {
    const proxy = await LossyProxy.start(server.url)
    await using({ url: proxy.url }, (store, options) =>
      Effect.gen(function*() {
        const direct = yield* PostgresStore.make({ ...options, url: server.url })
        proxy.loseNext("SessionOpened")
        const journal = yield* store.create(session, opened())
        for (let n = 1; n <= 5; n++) {
          proxy.loseNext(`\\"used\\":${n},`)
          yield* journal.append([warned(n)])
        }
        proxy.loseNext(`"by":"ann"`)
        yield* store.send(session, { _tag: "Interrupt", by: "ann" })
        yield* store.send(session, { _tag: "Interrupt", by: "ben" })
        expect(proxy.lost).toBe(7)
        expect((yield* logOf(direct)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
        const signals = yield* Stream.runCollect(Stream.take(journal.signals, 2))
        expect(signals.map(({ signal }) => signal.by)).toEqual(["ann", "ben"])
      }))
    await proxy.close()
  }, 30_000)
})

describe.skipIf(!serverIsThere)("many sessions at once", () => {
  test("200 append at the same time, and no update is lost", () =>
    using({}, (store) =>
      Effect.gen(function*() {
        const names = Array.from({ length: 200 }, (_, n) => SessionId.make(`many-${n}`))
        yield* Effect.forEach(
          names,
          (name) =>
            Effect.gen(function*() {
              const journal = yield* store.create(name, opened())
              for (let n = 1; n <= 10; n++) {
                journal.note(warned(n))
                yield* journal.append([warned(n)])
              }
            }),
          { concurrency: "unbounded", discard: true }
        )
        for (const name of names) {
          const log = yield* logOf(store, name)
          expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1))
        }
        const rows = (yield* store.list({ limit: 500 })).items
        expect(rows.map(({ seq }) => seq)).toEqual(names.map(() => 21))
      })), 60_000)
})

describe.skipIf(!serverIsThere)("opening", () => {
  const failure = (options: Partial<PostgresStoreOptions>) =>
    using(options, () => Effect.void).then(() => undefined, (error) => error)

  test("says what is wrong with an address, a password or a name", async () => {
    const brief = { patience: 100 }
    expect(await failure({ ...brief, url: "postgres://daylight:secret@127.0.0.1:1/postgres" }))
      .toMatchObject({ reason: { _tag: "Unavailable", detail: expect.stringContaining("does the server run") } })
    expect(await failure({ ...brief, url: server.url.replace("secret", "wrong") }))
      .toMatchObject({ reason: { _tag: "Unavailable", detail: expect.stringContaining("password") } })
    expect(await failure({ schema: "No-Name" })).toMatchObject({ reason: { _tag: "Invalid" } })
  })

  test("refuses a schema of a newer version and leaves it as it is", async () => {
    const schema = "newer"
    await using({ schema }, (store) => store.create(session, opened()))
    await server.run(`INSERT INTO ${schema}.migrations (version) VALUES (99)`)
    expect((await failure({ schema })).message).toContain(
      "is of version 99 and this program knows up to 1: update the program"
    )
    expect(await server.run(`SELECT count(*)::integer AS count FROM ${schema}.events`)).toEqual([{ count: 1 }])
  })

  test("many open a new schema at once", async () => {
    const schema = "fresh"
    const lists = await Promise.all(Array.from({ length: 6 }, () => using({ schema }, (store) => store.list({}))))
    expect(lists.map(({ items }) => items)).toEqual([[], [], [], [], [], []])
  })

  test("a damaged event is named, and what stands before it is given", () =>
    using({ schema: "damaged" }, (store) =>
      Effect.gen(function*() {
        const journal = yield* store.create(session, opened())
        yield* journal.append([warned(1), runStarted("hello")])
        yield* Effect.promise(() => server.run(`UPDATE damaged.events SET json = '{' WHERE seq = 3`))
        expect(yield* Stream.runCollect(Stream.take(store.read(session), 2))).toHaveLength(2)
        expect(yield* Effect.flip(logOf(store))).toMatchObject({ reason: { _tag: "Corrupt", seq: 3 } })
      })))
})

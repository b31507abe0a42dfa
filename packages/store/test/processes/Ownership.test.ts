/**
 * Sessions across processes that die, sleep and compete: in one file, and on one server.
 */
import { SessionId } from "@daylight/core"
import { SqliteStore } from "@daylight/store"
import { PostgresStore } from "@daylight/store/postgres"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { callEnded, opened, type Store, warned } from "../events.ts"
import { type Server, serverIsThere, startServer } from "../postgres/server.ts"
import { Child } from "./Child.ts"

const session = SessionId.make("s")
const processes: Array<Child> = []
const writer = (...args: ReadonlyArray<string>) => {
  const started = new Child("writer.ts", ...args)
  processes.push(started)
  return started
}
afterEach(async () => {
  for (const each of processes.splice(0)) await each.kill()
})

let server: Server
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "daylight-processes-"))
  if (serverIsThere) server = await startServer()
}, 60_000)
afterAll(async () => {
  await server?.dispose()
  rmSync(folder, { recursive: true })
})

let count = 0
/** Where the packages bring no server, what is skipped is named in the tests of the server itself. */
const kinds = [
  {
    name: "SQLite",
    /** A new one for each test. */
    place: () => join(folder, `${++count}.db`),
    connect: (place: string) => SqliteStore.make({ filename: place })
  },
  {
    name: "Postgres",
    place: () => `${server.url}#test_${++count}`,
    connect: (place: string) => PostgresStore.make({ url: place.split("#")[0]!, schema: place.split("#")[1] })
  }
].filter(({ name }) => name === "SQLite" || serverIsThere)

describe.each(kinds)("across processes, $name", ({ connect, place }) => {
  const using = <A, E>(at: string, body: (store: Store) => Effect.Effect<A, E, Scope.Scope>) =>
    Effect.runPromise(Effect.scoped(Effect.flatMap(connect(at), body)))
  const logOf = (store: Store) => Stream.runCollect(store.read(session))

  test("a session that outlives its store is free at once, and nobody is warned", async () => {
    const at = place()
    const warnings: Array<unknown> = []
    const logger = Logger.make(({ message }) => void warnings.push(message))
    await Effect.runPromise(
      Effect.scoped(Effect.gen(function*() {
        const outer = yield* Effect.scope
        yield* Effect.scoped(
          Effect.flatMap(
            connect(at),
            (store) => Effect.provideService(store.create(session, opened()), Scope.Scope, outer)
          )
        )
      })).pipe(Effect.provide(Logger.layer([logger])))
    )
    expect(warnings).toEqual([])
    await using(at, (store) => store.claim(session))
  })

  test("a kill loses nothing that was acknowledged, and the session is free at once", async () => {
    const at = place()
    for (let round = 1; round <= 3; round++) {
      const child = writer(at, session, round === 1 ? "create" : "claim")
      await child.writes(20 + round * 37)
      await child.kill()
      await using(at, (store) =>
        Effect.gen(function*() {
          const log = yield* logOf(store)
          expect(log.length).toBeGreaterThanOrEqual(child.acknowledged)
          expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
          // Each append is there whole: a note, a start and an end.
          expect((log.length - 1) % 3).toBe(0)
          expect((yield* store.list({})).items[0]).toMatchObject({ seq: log.length, session })
          const journal = yield* store.claim(session)
          expect((yield* journal.append([warned(1), warned(2), warned(3)])).at(-1)!.seq).toBe(log.length + 3)
        }))
    }
  })

  test("one owner at a time: the other is told who it is", async () => {
    const at = place()
    const child = writer(at, session, "create")
    await child.writes(10)
    const held = await using(at, (store) => Effect.flip(store.claim(session)))
    expect(held.reason).toMatchObject({ _tag: "Held", holder: expect.stringContaining("process ") })
    expect(held.message).toMatch(/held by process \d+ on .+ until \d{4}-/)
    await child.writes(child.acknowledged + 10)
    expect(child.lines.at(-1)).toMatch(/^written/)
  })

  test("a process that slept longer than its lease can write nothing", async () => {
    const at = place()
    // It sleeps between two appends, where it keeps nobody from the file.
    const child = writer(at, session, "create", "600", "20")
    await child.writes(10)
    child.stop()
    await new Promise((resolve) => setTimeout(resolve, 900))
    await using(at, (store) =>
      Effect.gen(function*() {
        const journal = yield* store.claim(session)
        const [last] = yield* journal.append([warned(-1)])
        child.wake()
        expect(yield* Effect.promise(() => child.line("failed"))).toContain("StoreError Fenced")
        const log = yield* logOf(store)
        expect(log.at(-1)).toEqual(last)
        expect(child.acknowledged).toBeLessThan(log.length)
      }))
  })

  test("another process follows and interrupts; what nobody took waits for the next owner", async () => {
    const at = place()
    const child = writer(at, session, "create")
    await child.line("owned")
    await using(at, (store) =>
      Effect.gen(function*() {
        const seen = yield* Stream.runCollect(Stream.take(store.read(session, { follow: true }), 50))
        expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
        for (const by of ["ann", "ben"]) yield* store.send(session, { _tag: "Interrupt", by })
        yield* Effect.promise(() => child.kill())
        const journal = yield* store.claim(session)
        const signals = yield* Stream.runCollect(Stream.take(journal.signals, 2))
        expect(signals.map(({ signal }) => signal.by)).toEqual(["ann", "ben"])
        yield* journal.append([callEnded("unknown")])
      }))
  })

  test("of many that claim a dead one's session, one gets it", async () => {
    const at = place()
    const first = writer(at, session, "create")
    await first.writes(5)
    await first.kill()
    const children = Array.from({ length: 4 }, () => writer(at, session, "claim", "15000", "20"))
    const answers = await Promise.all(
      children.map((child) => Promise.race([child.line("owned"), child.line("failed")]))
    )
    expect(answers.toSorted()).toEqual([...Array(3).fill(expect.stringContaining("StoreError Held")), "owned"])
    const owner = children.find(({ lines }) => lines[0] === "owned")!
    await owner.writes(owner.acknowledged + 3)
  })
})

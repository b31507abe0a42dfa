/**
 * What goes wrong with a file: it is told by type, and nothing that was acknowledged is lost.
 */
import { SessionId, type SessionStore, StoreError } from "@daylight/core"
import { SqliteStore, type SqliteStoreOptions } from "@daylight/store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { existsSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, test } from "vitest"
import { opened, runStarted, warned } from "../events.ts"
import { folder } from "./storage.ts"

const session = SessionId.make("s")
type Store = SessionStore["Service"]

/** A file of its own, gone afterwards. */
const inFile = (body: (filename: string) => Effect.Effect<void, unknown, Scope.Scope>) =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(folder, (path) => body(join(path, "sessions.db")))))

/** Opens, and closes when the body is done. */
const using = <A, E>(options: SqliteStoreOptions, body: (store: Store) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.scoped(Effect.flatMap(SqliteStore.make(options), body))

const logOf = (store: Store) => Stream.runCollect(store.read(session))

/** A session of `1 + events` events. */
const write = (options: SqliteStoreOptions, events: number) =>
  using(options, (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(session, opened())
      for (let n = 1; n <= events; n++) yield* journal.append([runStarted(`${n} ${"x".repeat(2_000)}`)])
    }))

describe("a full disk", () => {
  test("fails as Full, keeps all that was acknowledged, and goes on when there is room", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        let acknowledged = 1
        yield* using({ filename, maxBytes: 600_000 }, (store) =>
          Effect.gen(function*() {
            const journal = yield* store.create(session, opened())
            const blob = yield* Effect.flip(store.putBlob(new Uint8Array(2_000_000), "application/octet-stream"))
            expect(blob.reason._tag).toBe("Full")
            const write = Effect.gen(function*() {
              while (true) {
                yield* journal.append([runStarted("x".repeat(3_000))])
                acknowledged++
              }
            })
            const error = yield* Effect.flip(write)
            expect(error).toBeInstanceOf(StoreError)
            expect(error.reason).toMatchObject({ _tag: "Full", detail: expect.stringContaining("raise maxBytes") })
            // What came after what was refused is not taken either: there would be a hole in the log.
            expect((yield* Effect.flip(journal.append([warned(1)]))).reason._tag).toBe("Full")
            expect(acknowledged).toBeGreaterThan(10)
            expect(yield* logOf(store)).toHaveLength(acknowledged)
          }))
        yield* using({ filename }, (store) =>
          Effect.gen(function*() {
            expect(yield* logOf(store)).toHaveLength(acknowledged)
            const journal = yield* store.claim(session)
            yield* journal.append([warned(1)])
          }))
      })
    ))
})

test("a store without a file says what is missing", () =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const error = yield* Effect.flip(SqliteStore.make({ path: "sessions.db" } as never))
    expect(error.reason).toMatchObject({
      _tag: "Unavailable",
      detail: expect.stringContaining('{ filename: "sessions.db" }')
    })
  }))))

describe("a store opened read-only", () => {
  test("reads and lists, and says what it is when it is to write", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        yield* write({ filename }, 3)
        yield* using({ filename, readOnly: true }, (store) =>
          Effect.gen(function*() {
            expect(yield* logOf(store)).toHaveLength(4)
            expect((yield* store.list({})).items).toHaveLength(1)
            for (
              const attempt of [
                store.claim(session),
                store.create(SessionId.make("t"), opened()),
                store.send(session, { _tag: "Interrupt", by: "ann" }),
                store.remove(session),
                store.putBlob(new Uint8Array(1), "")
              ]
            ) {
              const error = yield* Effect.flip(
                Effect.asVoid(attempt as Effect.Effect<unknown, StoreError, Scope.Scope>)
              )
              expect(error).toMatchObject({
                reason: { _tag: "Unavailable", detail: expect.stringContaining("read-only") }
              })
            }
          }))
      })
    ))

  test("is not made where there is none", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(using({ filename, readOnly: true }, () => Effect.void))
        expect(error).toMatchObject({
          reason: { _tag: "Unavailable", detail: expect.stringContaining("does the file exist") }
        })
        expect(existsSync(filename)).toBe(false)
      })
    ))
})

describe("a damaged file", () => {
  test("gives what stands before the damage, and then names the event", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        yield* write({ filename }, 200)
        damage(filename, "events")
        yield* using({ filename, readOnly: true }, (store) =>
          Effect.gen(function*() {
            const read: Array<number> = []
            const error = yield* Effect.flip(
              Stream.runForEach(store.read(session), ({ seq }) => Effect.sync(() => void read.push(seq)))
            )
            expect(error.reason).toMatchObject({ _tag: "Corrupt", seq: read.length + 1 })
            expect(error.message).toMatch(/event \d+ cannot be read: .*malformed/)
            expect(read).toEqual(Array.from({ length: read.length }, (_, n) => n + 1))
          }))
      })
    ))

  test("that is no database is told from one", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        writeFileSync(filename, "certainly not a database, but long enough to look at".repeat(100))
        const error = yield* Effect.flip(using({ filename }, () => Effect.void))
        expect(error.reason._tag).toBe("Corrupt")
        expect(readFileSync(filename, "utf8")).toContain("certainly not")
      })
    ))

  test("with an event of this version that does not fit fails at that event", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        yield* write({ filename }, 3)
        const db = new DatabaseSync(filename)
        db.exec(`UPDATE events SET json = '{"_tag":"LimitWarned"}' WHERE seq = 3`)
        db.close()
        yield* using({ filename }, (store) =>
          Effect.gen(function*() {
            expect(yield* Effect.flip(logOf(store))).toMatchObject({ session, reason: { _tag: "Corrupt", seq: 3 } })
            expect(yield* Stream.runCollect(Stream.take(store.read(session), 2))).toHaveLength(2)
            expect(yield* Stream.runCollect(store.dump(session))).toHaveLength(4)
          }))
      })
    ))
})

describe("a locked file", () => {
  test("is waited for, without holding up the process", () =>
    inFile((filename) =>
      using({ filename }, (store) =>
        Effect.gen(function*() {
          const journal = yield* store.create(session, opened())
          const other = new DatabaseSync(filename)
          other.exec("BEGIN IMMEDIATE")
          let ticks = 0
          const ticking = setInterval(() => ticks++, 5)
          setTimeout(() => other.exec("COMMIT"), 300)
          yield* journal.append([warned(1)])
          clearInterval(ticking)
          other.close()
          expect(ticks).toBeGreaterThan(10)
          expect(yield* logOf(store)).toHaveLength(2)
        }))
    ))

  test("fails as Unavailable when patience ends, and reading goes on", () =>
    inFile((filename) =>
      using({ filename, patience: "200 millis" }, (store) =>
        Effect.gen(function*() {
          const journal = yield* store.create(session, opened())
          const other = new DatabaseSync(filename)
          other.exec("BEGIN IMMEDIATE")
          const error = yield* Effect.flip(journal.append([warned(1)]))
          expect(error.reason).toMatchObject({
            _tag: "Unavailable",
            detail: expect.stringContaining("another process keeps it locked")
          })
          expect(yield* logOf(store)).toHaveLength(1)
          other.exec("COMMIT")
          other.close()
        }))
    ))
})

test("a folder that cannot be made is named", () =>
  inFile((file) =>
    Effect.gen(function*() {
      writeFileSync(file, "")
      // A file is in its place; and the system makes none.
      const places = process.platform === "linux" ? [file, "/proc/none"] : [file]
      for (const place of places) {
        const error = yield* Effect.flip(using({ filename: join(place, "a", "b.db") }, () => Effect.void))
        expect(error.reason._tag).toBe("Unavailable")
        expect(error.message).toContain(place)
      }
    })
  ))

describe("versions", () => {
  test("a file of a newer version is refused and left as it is", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        yield* write({ filename }, 1)
        const db = new DatabaseSync(filename)
        db.exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        const before = readFileSync(filename)
        for (const readOnly of [false, true]) {
          const error = yield* Effect.flip(using({ filename, readOnly }, () => Effect.void))
          expect(error.message).toContain("is of version 99 and this program knows up to 2: update the program")
        }
        expect(readFileSync(filename).equals(before)).toBe(true)
      })
    ))

  test("a database of something else is refused and left as it is", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        const db = new DatabaseSync(filename)
        db.exec("CREATE TABLE customers (name TEXT)")
        db.close()
        const error = yield* Effect.flip(using({ filename }, () => Effect.void))
        expect(error.message).toContain("is a database of something else: choose another file")
        const after = new DatabaseSync(filename)
        expect(after.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "customers" }])
        after.close()
      })
    ))

  test("many open a new file at once", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        const stores = yield* Effect.all(Array.from({ length: 8 }, () => SqliteStore.make({ filename })), {
          concurrency: "unbounded"
        })
        yield* stores[0]!.create(session, opened())
        for (const store of stores) expect(yield* logOf(store)).toHaveLength(1)
      })
    ))
})

describe("a clock that is set back", () => {
  test("never makes time run backwards in a log, and loses no session", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        let now = Date.now()
        const clock: Clock.Clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
        const hour = 3_600_000
        const body = Effect.gen(function*() {
          const [ours, theirs] = [yield* SqliteStore.make({ filename }), yield* SqliteStore.make({ filename })]
          const journal = yield* ours.create(session, opened())
          now -= hour
          yield* journal.append([warned(1)])
          const log = yield* logOf(ours)
          expect(log[1]!.time).toBe(log[0]!.time)
          // A lease that seems to last an hour is cut down to what it was for: a dead owner does not keep its sessions.
          const first = yield* Effect.flip(theirs.claim(session))
          const second = yield* Effect.flip(theirs.claim(session))
          expect(first.reason).toMatchObject({ _tag: "Held" })
          expect((second.reason as { until: number }).until).toBe(now + 15_000)
          now += 20_000
          const taken = yield* theirs.claim(session)
          expect((yield* taken.append([warned(2)]))[0]!.time).toBe(log[0]!.time)
          expect((yield* Effect.flip(journal.append([warned(3)]))).reason._tag).toBe("Fenced")
        })
        yield* Effect.provideService(body, Clock.Clock, clock)
      })
    ))
})

describe("blobs", () => {
  test("are once in the file, and go with the last session that refers to them, after an hour", () =>
    inFile((filename) =>
      Effect.gen(function*() {
        let now = Date.now()
        const clock: Clock.Clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
        const body = Effect.gen(function*() {
          const store = yield* SqliteStore.make({ filename })
          const bytes = Uint8Array.from({ length: 1_000_000 }, (_, n) => (n * 7) % 251)
          const blob = yield* store.putBlob(bytes, "image/png")
          const prompt = { _tag: "User" as const, content: [{ _tag: "Media" as const, blob }] }
          for (const name of ["a", "b"]) {
            const id = SessionId.make(name)
            yield* Effect.scoped(
              Effect.flatMap(store.create(id, opened()), (journal) => journal.append([{ ...runStarted(""), prompt }]))
            )
            yield* store.putBlob(bytes, "image/png")
          }
          expect(statSync(filename).size + statSync(`${filename}-wal`).size).toBeLessThan(3_000_000)
          now += 2 * 3_600_000
          yield* store.remove(SessionId.make("a"))
          expect(yield* store.getBlob(blob)).toEqual(bytes)
          yield* store.remove(SessionId.make("b"))
          expect((yield* Effect.flip(store.getBlob(blob))).reason._tag).toBe("NotFound")
          // One that nobody came to refer to goes when the file is opened later.
          const orphan = yield* store.putBlob(new Uint8Array([1]), "")
          now += 2 * 3_600_000
          const again = yield* SqliteStore.make({ filename })
          expect((yield* Effect.flip(again.getBlob(orphan))).reason._tag).toBe("NotFound")
        })
        yield* Effect.provideService(body, Clock.Clock, clock)
      })
    ))
})

/** Overwrites a page in the middle of a table. */
const damage = (filename: string, table: string) => {
  const db = new DatabaseSync(filename)
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  const pages = db.prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path").all(table)
  db.close()
  const page = Number(pages[Math.floor(pages.length / 2)]!["pageno"])
  const handle = openSync(filename, "r+")
  writeSync(handle, Buffer.alloc(4_096, 0xff), 0, 4_096, (page - 1) * 4_096)
}

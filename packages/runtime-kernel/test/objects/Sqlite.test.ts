import { Binding, type Bound } from "@daylight/core"
import { DatabaseSync } from "node:sqlite"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openSession, type Session } from "../support/session.ts"

describe("a database of node:sqlite", () => {
  const db = new DatabaseSync(":memory:")
  let session: Session
  beforeAll(async () => {
    session = await openSession({
      bindings: [
        Binding.variable("db", db) as Bound,
        Binding.type(DatabaseSync) as Bound,
        Binding.variable("half", (n: number) => n / 2) as Bound
      ]
    })
  })
  afterAll(async () => {
    await session?.close()
    db.close()
  })

  const gives = (what: string, code: string, expected: unknown): void => {
    it(what, async () => assert.deepStrictEqual(await session.value(code), expected), 20_000)
  }

  gives(
    "runs statements and says what they changed",
    `db.exec("create table t (id integer primary key, name text, data blob, x real)")
    const insert = db.prepare("insert into t (name, data, x) values (?, ?, ?)")
    const first = insert.run("one", new Uint8Array([1, 2]), 1.5); const second = insert.run("two", null, null)
    ;[first, second.changes, insert.run("three", new Uint8Array(), 2 ** 40).lastInsertRowid]`,
    [{ lastInsertRowid: 1, changes: 1 }, 1, 3]
  )
  gives(
    "gives rows: one, all, none, and step by step",
    `const by = db.prepare("select id, name from t where id = $id")
    const stepped = []; for (const row of db.prepare("select name from t order by id").iterate()) { stepped.push(row.name); if (stepped.length === 2) break }
    ;[by.get({ $id: 1 }), by.get({ id: 2 }).name, by.get({ $id: 99 }), db.prepare("select id from t").all().length, stepped]`,
    [{ id: 1, name: "one" }, "two", undefined, 3, ["one", "two"]]
  )
  gives(
    "keeps bytes and large numbers",
    `const big = db.prepare("select 9007199254740993 as n"); big.setReadBigInts(true)
    const { data } = db.prepare("select data from t where id = 1").get();
    [big.get().n, data instanceof Uint8Array, [...data], data.buffer.byteLength, big.sourceSQL, big.columns().map(({ name }) => name)]`,
    [9007199254740993n, true, [1, 2], 2, "select 9007199254740993 as n", ["n"]]
  )
  gives(
    "throws its errors with their codes",
    "let wrong; try { db.exec('nonsense') } catch (error) { wrong = [error instanceof Error, error.code, error.errcode, error.message.includes('syntax error')] }\nwrong",
    [true, "ERR_SQLITE_ERROR", 1, true]
  )
  gives(
    "has transactions",
    `const names = () => db.prepare("select count(*) n from t").get().n; const before = names()
    db.exec("begin"); db.exec("delete from t"); const during = [names(), db.isTransaction]; db.exec("rollback");
    [before === names(), during, db.isTransaction]`,
    [true, [0, true], false]
  )
  gives(
    "calls functions of the host",
    "db.function('half', half); db.prepare('select half(84) v').get().v",
    42
  )
  gives(
    "cannot call a function of the cell, which could not run meanwhile, and says so",
    `db.function("twice", (n) => n * 2); let told; try { db.prepare("select twice(21) v").get() } catch (error) { told = [error.name, error.reason?._tag] }
    db.aggregate("total", { start: 0, step: (a, b) => a + b }); let alsoTold; try { db.prepare("select total(id) v from t").get() } catch (error) { alsoTold = error.reason?._tag ?? error.message }
    ;[told, alsoTold, db.prepare("select 1 v").get().v]`,
    [["HostCallError", "Reentrant"], "Reentrant", 1]
  )
  gives(
    "is made, closed and disposed of from the cell",
    `const own = new DatabaseSync(":memory:"); own.exec("create table a (b)"); const is = own instanceof DatabaseSync
    { using scratch = new DatabaseSync(":memory:"); scratch.exec("create table a (b)") }
    const wasOpen = own.isOpen; own.close(); [is, wasOpen, own.isOpen]`,
    [true, true, false]
  )
  gives(
    "is the same object wherever it is found",
    "const holder = { db }; const list = [db, db]; [holder.db === db, list[0] === list[1], new Map([[db, 1]]).get(db), new Set([db, holder.db]).size]",
    [true, true, 1, 1]
  )

  it("has its statements after the process was lost", async () => {
    await session.value("const kept = db.prepare('select count(*) n from t'); kept.get().n")
    await session.kill()
    assert.deepStrictEqual(await session.value("[kept.get().n, by.get({ $id: 1 }).name]"), [3, "one"])
  })
})

import { Binding, type Bound } from "@daylight/core"
import * as Effect from "effect/Effect"
import { DatabaseSync } from "node:sqlite"
import { assert, it } from "vitest"
import { until, withSession } from "../support/session.ts"

it("a cell at work on a live database is killed in its middle, and the work goes on from there", async () => {
  const db = new DatabaseSync(":memory:")
  db.exec("create table visits (n integer, at real)")
  const count = (): number => Number(db.prepare("select count(*) as n from visits").get()!["n"])
  const code = `const insert = db.prepare("insert into visits values (?, ?)")
    for (let n = 0; n < 40; n++) {
      insert.run(n, Math.random())
      await new Promise((done) => setTimeout(done, 3))
    }
    db.prepare("select count(*) as n, count(distinct n) as kinds, sum(at) as sum from visits").get()`
  await withSession({ bindings: [Binding.variable("db", db) as Bound] }, async (session) => {
    await session.value("const kept = 'kept'")
    let attempt = session.run(code, { cell: 2, seed: "visits" })
    for (const rows of [5, 20]) {
      await until(() => count() >= rows)
      await session.kill()
      assert.strictEqual((await attempt).report.problem?.name, "Crash")
      const verdict = Effect.runPromise(session.runtime.replay!([]))
      attempt = session.run(code, { cell: 2, seed: "visits" })
      assert.strictEqual(await verdict, "live")
    }
    const { report, value } = await attempt
    assert.isUndefined(report.problem)
    const { kinds, n } = value as { readonly kinds: number; readonly n: number }
    assert.deepStrictEqual([n, kinds, count()], [40, 40, 40])
    assert.strictEqual(await session.value("kept + insert.run(99, 0).changes"), "kept1")
  })
}, 30_000)

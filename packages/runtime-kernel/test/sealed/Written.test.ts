import { Binding, type Bound } from "@daylight/core"
import * as Effect from "effect/Effect"
import { assert, it } from "vitest"
import { until, withSession } from "../support/session.ts"

class Box {
  n = 0;
  [name: string]: unknown
  tick(): number {
    return ++this.n
  }
}

it("a cell that writes objects to live ones goes on from its middle, whatever crossed before it", async () => {
  const box = new Box()
  await withSession({ bindings: [Binding.variable("box", box) as Bound] }, async (session) => {
    // Objects and errors that cross are numbered by the process, and the next process begins anew.
    await session.value("box.a = { x: 1 }; box.b = [2]; box.error = new Error('kept'); ({ value: [1] })")
    const code = `box.c = { z: 3 }; box.worse = new RangeError("written"); box.tick()
      await new Promise((done) => setTimeout(done, 200))
      box.d = [4]; box.tick(); [box.n, box.c.z]`
    const lost = session.start(code)
    await until(() => box.n === 1)
    await session.kill()
    assert.strictEqual((await lost.ran).report.problem?.name, "Crash")
    const verdict = Effect.runPromise(session.runtime.replay!([]))
    const { report, value } = await session.run(code, { cell: 2, seed: "seed 2" })
    assert.strictEqual(await verdict, "live")
    assert.deepStrictEqual([report.problem, value], [undefined, [2, 3]])
    assert.deepStrictEqual([box.n, box["c"], box["d"]], [2, { z: 3 }, [4]])
  })
})

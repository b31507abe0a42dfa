/**
 * What SIGINT breaks off: native calls that no guard sees. The process and its namespaces stay.
 */
import { Binding, type Bound } from "@daylight/core"
import { assert, describe, it } from "@effect/vitest"
import { pause, type Session, withSession } from "./support/session.ts"

const exploding = "/^(?=(a+))(a+)+\\1c$/.test('a'.repeat(40) + 'b')"

/** None of them ends by itself within a minute. */
const endless: Readonly<Record<string, string>> = {
  "a regular expression that explodes": exploding,
  "a sort that calls back": "for (;;) Array.from({ length: 5e5 }, () => Math.random()).sort((x, y) => x - y)",
  "a sort of numbers": "const a = new Float64Array(1e6).map(() => Math.random()); for (;;) a.slice().sort()",
  "a join": "for (;;) new Array(2 ** 22).join('abc')",
  "a number of many digits": "(10n ** 60000000n).toString()",
  "JSON": "const a = Array.from({ length: 1e5 }, (_, i) => ({ i })); for (;;) JSON.stringify(a)"
}

const places: Readonly<Record<string, (code: string) => string>> = {
  "in the first turn": (code) => code,
  "after an await": (code) => `await null;\n${code}`,
  "after a call of the host": (code) => `await tools.later();\n${code}`,
  "in a timer": (code) => `await new Promise(() => setTimeout(() => { ${code} }, 1))`
}

const failed = Promise.withResolvers<unknown>()
const tools = {
  later: () => new Promise((done) => setTimeout(done, 1)),
  each: async (call: () => unknown) => call(),
  fail: async (call: () => Promise<unknown>) => call().catch(failed.resolve)
}
const bindings = [Binding.variable("tools", tools) as Bound]

/** All is as it was before a cell that was broken off. */
const isWell = async (session: Session, pid: number | undefined) => {
  assert.strictEqual(session.state().pid, pid)
  assert.deepStrictEqual(await session.value("kept.n++; kept"), { n: 8 })
  assert.strictEqual(await session.value("(await tools.each(() => 'called')) + closure()"), "called1")
}

const begin = async (session: Session) => {
  await session.value("let kept = { n: 7 }; const closure = (() => { let n = 0; return () => ++n })()")
  return session.state().pid
}

describe("a native call that takes too long", () => {
  for (const [what, code] of Object.entries(endless)) {
    it(
      `${what} is broken off; what cannot be in a snapshot is there`,
      () =>
        withSession({ bindings }, async (session) => {
          const pid = await begin(session)
          const problem = await session.problem(code, { cpu: "300 millis", time: "20 seconds" })
          assert.deepStrictEqual([problem.stage, problem.name], ["timeout", "TimeoutError"])
          assert.include(problem.message, "300 ms")
          await isWell(session, pid)
        }),
      30_000
    )
  }

  for (const [where, wrap] of Object.entries(places)) {
    it(`${where} is broken off`, () =>
      withSession({ bindings }, async (session) => {
        const pid = await begin(session)
        const problem = await session.problem(wrap(exploding), { cpu: "200 millis", time: "20 seconds" })
        assert.deepStrictEqual([problem.stage, problem.name], ["timeout", "TimeoutError"])
        await isWell(session, pid)
      }), 30_000)
  }

  it("is broken off by an interrupt as well", () =>
    withSession({ bindings }, async (session) => {
      const pid = await begin(session)
      const { interrupt } = session.start(exploding, { cpu: "1 minute", time: "1 minute" })
      await pause(100)
      const began = performance.now()
      await interrupt()
      assert.isBelow(performance.now() - began, 4_000)
      await isWell(session, pid)
    }))

  it("in a callback fails the call of the host", () =>
    withSession({ bindings }, async (session) => {
      const pid = await begin(session)
      const problem = await session.problem(
        `tools.fail(() => ${exploding}); await new Promise(() => {})`,
        { cpu: "200 millis", time: "20 seconds" }
      )
      assert.strictEqual(problem.stage, "timeout")
      assert.strictEqual((await failed.promise as Error).name, "Interrupted")
      await isWell(session, pid)
    }))

  it("does no harm to a namespace in the same process", () =>
    withSession({ bindings }, async (session) => {
      const pid = await begin(session)
      await withSession({ near: session, bindings }, async (other) => {
        await begin(other)
        assert.strictEqual(other.state().pid, pid)
        const { ran } = other.start(
          "await tools.later(); kept.n += 0; await new Promise((done) => setTimeout(done, 700))\nkept.n"
        )
        const problem = await session.problem(exploding, { cpu: "200 millis", time: "20 seconds" })
        assert.strictEqual(problem.stage, "timeout")
        assert.strictEqual((await ran).value, 7)
        await isWell(other, pid)
      })
      await isWell(session, pid)
    }))

  it("is a matter of its cell only: the signal does nothing to a kernel that waits", () =>
    withSession({ bindings }, async (session) => {
      const pid = await begin(session)
      process.kill(pid!, "SIGINT")
      await pause(50)
      assert.strictEqual(await session.value("await tools.later(); 1"), 1)
      await isWell(session, pid)
    }))
})

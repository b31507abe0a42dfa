/** Sub-agents in a sealed replay: each runs again on its own, from what it was asked, told and answered. */
import { Agent, type AgentOptions, Binding } from "@daylight/core"
import { FakeModel, Replay, ScriptedModel } from "@daylight/evals"
import type { Cassette } from "@daylight/evals/cassette"
import { KernelRuntime } from "@daylight/runtime-kernel"
import * as Schema from "effect/Schema"
import { beforeEach, describe, expect, it } from "vitest"
import { isSame, previews, recordOf } from "./support/sealed.ts"

/** What the application was asked for. A replay leaves it empty. */
const asked: Array<string> = []
beforeEach(() => void asked.splice(0))

const fetchRow = Binding.func(async (id: number) => {
  asked.push(`row ${id}`)
  await new Promise((done) => setTimeout(done, 5 - id))
  return { id, price: id * 10 }
}, { name: "fetchRow" })

const root = (cells: ReadonlyArray<string>, bindings: ReadonlyArray<Binding>): AgentOptions => ({
  name: "boss",
  model: ScriptedModel.layer([...cells.map((code) => ({ code })), "All done."]),
  runtime: KernelRuntime.layer({ spare: false }),
  bindings
})

const child = (
  name: string,
  replies: Parameters<typeof ScriptedModel.layer>[0],
  bindings = [fetchRow] as ReadonlyArray<Binding>
) => Agent.make({ name, model: ScriptedModel.layer(replies), bindings })

const replayed = async (agent: () => AgentOptions, sessions: number): Promise<Cassette> => {
  const cassette = await recordOf(agent())
  const { length } = asked
  await isSame(agent(), cassette, sessions)
  expect(asked.slice(length)).toEqual([])
  return cassette
}

describe("a sub-agent in a sealed replay", () => {
  it("runs its cells again, with what was set on it, as often as it was asked", async () => {
    const cassette = await replayed(
      () =>
        root([
          'const rows = [{ x: 1 }, { x: undefined }]\ncleaner.vars.rows = rows\nawait cleaner.ask("Clean the rows.")',
          'cleaner.vars.rows = [{ x: 3 }]\nconst more = await cleaner.ask("And these.")\n;[more, (await cleaner.vars.clean).length].join()'
        ], [
          Binding.agent(
            "cleaner",
            child("tidy", [
              { code: "const clean = rows.filter(({ x }) => x !== undefined)\nconst at = Date.now()\nclean.length" },
              "Cleaned.",
              { code: "clean.push(...rows, await fetchRow(1))\n;[clean.length, Math.random()].join()" },
              "Cleaned again."
            ])
          )
        ]),
      2
    )
    expect(cassette.sessions?.map(({ agent, session }) => [session, agent.join("/")])).toEqual([
      ["", "boss"],
      ["cleaner", "boss/tidy"]
    ])
    expect(previews(cassette)).toEqual([
      ": Cleaned.",
      ": Cleaned again.,3",
      "cleaner: 1",
      expect.stringMatching(/^cleaner: 3,0\.\d+$/)
    ])
  })

  it("is told from others of the same kind that worked at the same time", async () => {
    // The same question to each, and another answer to each: whose it is decides what its cell does.
    const worker = () => {
      let count = 0
      return Agent.make({
        name: "worker",
        model: FakeModel.layer([
          { when: { step: 1 }, reply: "Done." },
          { when: {}, reply: () => ({ code: `const row = await fetchRow(${++count})\nrow.price + Math.random()` }) }
        ]),
        bindings: [fetchRow]
      })
    }
    const agent = () => {
      const one = worker()
      return root(
        ['const all = await Promise.all([a, b, c].map((each) => each.ask("Work.")))\nall.join()'],
        ["a", "b", "c"].map((name) => Binding.agent(name, one))
      )
    }
    const cassette = await replayed(agent, 4)
    const own = previews(cassette).slice(1).map((text) => text.slice(0, 4)).sort()
    expect(own.map((text) => text.slice(0, 1))).toEqual(["a", "b", "c"])
  })

  it("may have sub-agents of its own", async () => {
    const cassette = await replayed(() => {
      const inner = child("inner", [{ code: "(await fetchRow(2)).price" }, "It is 20."])
      const outer = child("outer", [{ code: 'await inner.ask("How much?")' }, "20."], [Binding.agent("inner", inner)])
      return root(['await outer.ask("What does it cost?")'], [Binding.agent("outer", outer)])
    }, 3)
    expect(previews(cassette)).toEqual([": 20.", "outer: It is 20.", "outer/inner: 20"])
  })

  it("has its functions called, although it shared a process with its caller", async () => {
    const each = Binding.func(async (f: (x: number) => Promise<number>) => [await f(1), await f(2)], { name: "each" })
    const inner = "let seen = 0\nawait each(async (x) => { seen += x; return (await fetchRow(x)).price })\nseen"
    const cassette = await replayed(
      () =>
        root(['let own = 0\nawait each(async (x) => { own += x })\n;[await helper.ask("One."), own].join()'], [
          each,
          Binding.agent("helper", child("helper", [{ code: inner }, "1."], [each, fetchRow]))
        ]),
      2
    )
    expect(previews(cassette)).toEqual([": 1.,3", "helper: 3"])
  })

  it("that fails is the same failure for its caller", async () => {
    const code =
      'let seen\ntry { await helper.ask("One.") } catch (error) { seen = [error.name, error.outcome.reason].join() }\nseen'
    const cassette = await replayed(
      () => root([code, 'await helper.ask("Two.")'], [Binding.agent("helper", child("helper", []))]),
      2
    )
    expect(previews(cassette)[0]).toBe(": OutcomeError,model_error")
  })

  it("answers with a value where a cell gave it a schema", async () => {
    const Report = Schema.toStandardSchemaV1(Schema.Struct({ total: Schema.Number }))
    const agent = (bindings: ReadonlyArray<Binding>) =>
      root(['const { total } = await counter.ask("Count.", Report)\ntotal'], [
        Binding.agent("counter", child("counter", [{ code: "finish({ total: (await fetchRow(3)).price })" }])),
        ...bindings
      ])
    const cassette = await replayed(() => agent([Binding.variable("Report", Report)]), 2)
    expect(previews(cassette)[0]).toBe(": 30")
    const two = agent([Binding.variable("Report", Report), Binding.variable("Another", Report)])
    await expect(Replay.run({ agent: two, cassette, depth: "sealed" })).rejects.toMatchObject({
      _tag: "InvalidInput",
      problem: "a cell gave boss/counter a schema for its answer"
    })
  })

  it("is told apart in the report: whose it is, which run and step, and how much of all differs", async () => {
    const agent = () =>
      root(['await helper.ask("One.")', 'await helper.ask("Two.")'], [
        Binding.agent(
          "helper",
          child("helper", [{ code: "(await fetchRow(1)).id" }, "1.", { code: "(await fetchRow(2)).id" }, "2."])
        )
      ])
    const cassette = await recordOf(agent())
    const cells = cassette.cells?.map((cell) => ({
      ...cell,
      events: cell.events.map((event) =>
        event._tag === "CallStarted" && event.path === "fetchRow" && cell.cell === 2
          ? { ...event, args: [{ _tag: "Json", value: 9 } as const] }
          : event
      )
    }))
    const report = await Replay.run({ agent: agent(), cassette: { ...cassette, cells }, depth: "sealed" })
    expect(report).toMatchObject({ same: false, sessions: 2, unused: 1 })
    expect(report.cells).toHaveLength(1)
    expect(report.misses).toHaveLength(1)
    expect(report.divergence).toMatchObject({
      agent: ["boss", "helper"],
      run: 2,
      step: 1,
      path: "$.args[0]",
      expected: 9,
      came: 2
    })
    expect(report.divergence?.report).toContain("call 0 (fetchRow) of cell 2 of boss/helper, run 2, step 1")
    // The caller's own course is as it was: it got the recorded answers.
    expect(report.outcomes.map(({ reason }) => reason)).toEqual(["completed"])
  })

  it("that is not there any more is an error that names it; a live variable is one as well", async () => {
    const agent = (name = "helper") =>
      root(['await helper.ask("One.")'], [Binding.agent(name, child("helper", [{ code: "1" }, "1."]))])
    const cassette = await recordOf(agent())
    await expect(Replay.run({ agent: { ...agent(), bindings: [] }, cassette, depth: "sealed" })).rejects.toMatchObject({
      problem: "boss has no sub-agent under the name helper"
    })
    const live = root(['helper.vars.f = () => 1\nawait helper.ask("One.")'], [
      Binding.agent("helper", child("helper", [{ code: "typeof f" }, "1."]))
    ])
    await expect(Replay.run({ agent: live, cassette: await recordOf(live), depth: "sealed" })).rejects.toMatchObject({
      _tag: "InvalidInput",
      subject: "variable f of boss/helper"
    })
  })
})

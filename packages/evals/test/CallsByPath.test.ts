/** Calls of cells that a replay takes from the recording, leaves to the application, or gives to a function. */
import { Agent, type AgentOptions, Binding } from "@daylight/core"
import { currentRun } from "@daylight/core/node"
import { createAgent } from "@daylight/core/promise"
import { type CallRules, Recorder, Replay, ScriptedModel } from "@daylight/evals"
import { type Cassette, parseCassette, printCassette } from "@daylight/evals/cassette"
import { KernelRuntime } from "@daylight/runtime-kernel"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { beforeEach, describe, expect, it } from "vitest"
import { recordOf } from "./support/sealed.ts"

/** What the application was asked for. */
const asked: Array<string> = []
beforeEach(() => void asked.splice(0))

let count = 0
const db = {
  find: async (filter: object) => {
    asked.push(`find ${JSON.stringify(filter)}`)
    return [{ at: new Date(0), tags: new Set(["a"]) }]
  },
  size: () => 3
}

const bindings = () => [
  Binding.func((from: string, options?: object) => {
    asked.push(`pay ${from} ${JSON.stringify(options)}`)
    return ++count
  }, { name: "pay", parameters: ["from", "options"], effect: "external" }),
  Binding.func(() => {
    asked.push("broken")
    throw Object.assign(new RangeError("out of order"), { code: "E_ORDER", retry: { after: 2 } })
  }, { name: "broken" }),
  Binding.func(() => {
    asked.push("now")
    return 1_000
  }, { name: "now", effect: "none" }),
  Binding.variable("db", db, { contract: { find: {}, size: { effect: "none" } } })
]

const agent = (cells: ReadonlyArray<string>, options: Partial<AgentOptions> = {}): AgentOptions => ({
  name: "clerk",
  model: ScriptedModel.layer([...cells.map((code) => ({ code })), "Done."]),
  runtime: VmRuntime.layer,
  bindings: bindings(),
  ...options
})

const code = [
  'const first = await pay("EUR", { to: "USD", when: new Date(5) })\nfirst',
  'const [a, b, c] = await Promise.all([pay("A"), pay("A"), pay("B")])\n;[a - first, b - first, c - first].join()',
  "try { await broken() } catch (error) { console.log(error instanceof Error, error.name, error.message, error.code, error.retry.after) }",
  '[now() + db.size(), (await db.find({ b: 1, a: [undefined, -0] }))[0].tags.has("a")].join()'
]

const all: CallRules = { "**": "recorded" }

/** The same recording, in which a model says something else. */
const said = (cassette: Cassette, from: string, to: string): Cassette => {
  expect(JSON.stringify(cassette.answers)).toContain(from)
  return {
    ...cassette,
    answers: cassette.answers.map((answer) => ({
      ...answer,
      parts: answer.parts.map((part) =>
        part._tag === "ActionDelta" ? { ...part, json: part.json.replace(from, to) } : part
      )
    }))
  }
}

describe.each([
  ["vm", VmRuntime.layer],
  ["kernel", KernelRuntime.layer({ spare: false })]
])("calls of a replay on the %s runtime", (_, runtime) => {
  it("come from the recording: values, equal ones in order, errors; the application is not asked", async () => {
    count = 0
    const cassette = await recordOf(agent(code, { runtime }))
    expect(asked).toHaveLength(7)
    asked.length = 0
    count = 100
    const report = await Replay.run({ agent: agent(code, { runtime }), cassette, calls: all })
    expect(report.divergence?.report).toBeUndefined()
    expect(report).toMatchObject({ same: true, calls: [], unusedCalls: 0, unused: 0, misses: [] })
    expect(asked).toEqual([])
  })

  it("are refused where they are not recorded: a typed error in the cell, and a place that differs", async () => {
    const cassette = said(await recordOf(agent(code, { runtime })), "USD", "GBP")
    asked.length = 0
    const problems: Array<unknown> = []
    const report = await Replay.run({
      agent: agent(code, { runtime }),
      cassette,
      calls: { pay: "recorded" },
      watch: (live) => {
        const event = live._tag === "Recorded" ? live.recorded.event : undefined
        if (event?._tag === "CallEnded" && event.error) problems.push(event.error)
      }
    })
    expect(problems).toMatchObject([{
      name: "HostCallError",
      message: expect.stringMatching(
        /^pay: there is no record of this call; the nearest is pay\("EUR", .*USD.*\) of cell 1, .*recorded "USD", came "GBP"$/
      )
    }])
    expect(report.same).toBe(false)
    expect(report.divergence).toMatchObject({
      path: "$.args[1].to",
      expected: "USD",
      came: "GBP",
      agent: ["clerk"],
      run: 1,
      step: 1
    })
    expect(report.divergence?.report).toContain("call 0 (pay) of cell 1 of clerk, run 1, step 1 was not recorded.")
    expect(report.calls).toHaveLength(1)
    expect(asked).toEqual([])
  })
})

describe("calls of a replay", () => {
  it("are live or faked, path by path; what is named whole goes before a pattern, all others are live", async () => {
    count = 0
    const cassette = await recordOf(agent(code))
    asked.length = 0
    const faked: Array<unknown> = []
    const find = async (...args: ReadonlyArray<unknown>) => {
      faked.push(args)
      // It runs as the application does: what it leaves behind is not the cell's.
      expect(currentRun()).toBeUndefined()
      return [{ at: new Date(1), tags: new Set(["a"]) }]
    }
    const report = await Replay.run({
      agent: agent(code),
      cassette,
      calls: { "db.*": "recorded", "db.find": find, "pay": "recorded" }
    })
    expect(report.divergence?.report).toBeUndefined()
    expect(faked).toEqual([[{ b: 1, a: [undefined, -0] }]])
    expect(asked).toEqual(["broken", "now"])
    asked.length = 0
    // One part of a path is no more than one.
    await Replay.run({ agent: agent(code), cassette, calls: { "*": "recorded" } })
    expect(asked).toEqual([expect.stringMatching(/^find /)])
  })

  it("count as used up after the last, and answer again where that is asked for", async () => {
    const twice =
      'const sum = await pay("A")\nlet more = ""\ntry { more = await pay("A") } catch (error) { more = error.reason._tag }\nmore'
    const once = await recordOf(agent(['await pay("A")']))
    const cassette = { ...once, answers: (await recordOf(agent([twice]))).answers }
    const report = await Replay.run({ agent: agent([twice]), cassette, calls: all })
    expect(report.calls).toHaveLength(1)
    expect(report.divergence?.report).toContain("was made once more than it was recorded")
    const again = await Replay.run({ agent: agent([twice]), cassette, calls: all, repeat: true })
    expect(again.calls).toEqual([])
  })

  it("give each caller a copy, so that what a cell changes stays its own", async () => {
    const list = Binding.func(() => [1], { name: "list" })
    const one = agent(["const rows = await list()\nrows.push(2)\nrows.length"], { bindings: [list] })
    const cassette = await recordOf(one)
    const run = () => Replay.run({ agent: one, cassette, calls: all })
    expect((await run()).divergence?.report).toBeUndefined()
    expect((await run()).divergence?.report).toBeUndefined()
  })

  it("leave live what cells do with objects that have no contract", async () => {
    class Counter {
      count = 0
      next() {
        asked.push("next")
        return new Counter()
      }
    }
    const one = () =>
      agent(['counter.next()\nawait pay("A")\ncounter.count'], {
        runtime: KernelRuntime.layer({ spare: false }),
        bindings: [...bindings(), Binding.variable("counter", new Counter())]
      })
    const cassette = await recordOf(one())
    expect(asked).toEqual(["next", "pay A undefined"])
    const report = await Replay.run({ agent: one(), cassette, calls: all })
    expect(report.divergence?.report).toBeUndefined()
    expect(asked).toEqual(["next", "pay A undefined", "next"])
    // Nor is it missed where it is not used.
    const { cells = [] } = cassette
    const more = cells.map((cell) => ({
      ...cell,
      events: cell.events.flatMap((event) =>
        event._tag === "CallStarted" && event.path === "counter.next" ? [event, event] : [event]
      )
    }))
    expect(await Replay.run({ agent: one(), cassette: { ...cassette, cells: more }, calls: all })).toMatchObject({
      same: true,
      unusedCalls: 0
    })
  })

  it("keep what an effect gave after its schema had changed it", async () => {
    const dated = Binding.func(() => {
      asked.push("dated")
      return "1970-01-01T00:00:00.000Z"
    }, { name: "dated", output: Schema.DateFromString })
    const one = agent(["(await dated()).getTime()"], { bindings: [dated] })
    const cassette = await recordOf(one)
    expect(printCassette(cassette)).toContain("Devalue")
    const report = await Replay.run({ agent: one, cassette, calls: all })
    expect(report.divergence?.report).toBeUndefined()
    expect(asked).toEqual(["dated"])
  })

  it("name what was not made, when nothing else differs", async () => {
    let isFirst = true
    // What the cell does hangs on a live value, and what the model is told does not.
    const flag = Binding.func(() => isFirst, { name: "flag", effect: "none" })
    const one = agent(['if (flag()) await pay("A")\n"same"'], { bindings: [...bindings(), flag] })
    const cassette = await recordOf(one)
    isFirst = false
    const report = await Replay.run({ agent: one, cassette, calls: { pay: "recorded" } })
    expect(report).toMatchObject({ same: false, unusedCalls: 1, unused: 0, misses: [] })
    expect(report.divergence?.report).toBe('1 recorded call was not made: pay("A") of cell 1')
    // Nobody said that this path is recorded; and a replay that was stopped has not come to it.
    expect(await Replay.run({ agent: one, cassette, calls: { now: "recorded" } })).toMatchObject({ same: true })
    expect(await Replay.run({ agent: one, cassette, calls: { pay: "recorded" }, to: 1 })).toMatchObject({
      same: true,
      unusedCalls: 1
    })
  })

  it("refuse a result that is recorded by reference only, with what to do", async () => {
    class Account {}
    const open = Binding.func(() => new Account(), { name: "open" })
    const one = agent(["const account = await open()\n1"], { bindings: [open] })
    const cassette = await recordOf(one)
    const report = await Replay.run({ agent: one, cassette, calls: all })
    expect(report.divergence?.report).toContain(
      "it gave a Account, which the recording has by reference only. Let it be live, or fake it."
    )
    expect((await Replay.run({ agent: one, cassette, calls: { open: () => new Account(), "**": "recorded" } })).same)
      .toBe(true)
  })

  it("know secrets and functions among the arguments", async () => {
    const send = Binding.func((token: string, each: unknown) => {
      asked.push(`${token} ${typeof each}`)
      return "sent"
    }, { name: "send" })
    const one = (token: string) =>
      agent(["await send(key, (x) => x)"], { bindings: [send, Binding.secret("key", () => token)] })
    const cassette = await recordOf(one("hidden-value-1"))
    expect(asked).toEqual(["hidden-value-1 function"])
    // The secret of now is another, and has the same name.
    const report = await Replay.run({ agent: one("hidden-value-2"), cassette, calls: all })
    expect(report.divergence?.report).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  it.each([
    ["vm", VmRuntime.layer],
    ["kernel", KernelRuntime.layer({ spare: false })]
  ])("of sub-agents as well; the sub-agents run again, on the %s runtime", async (_, runtime) => {
    const worker = Agent.make({
      name: "worker",
      model: ScriptedModel.layer([{ code: 'await pay("W", {})' }, "Paid."]),
      bindings: bindings()
    })
    const boss = (cells: ReadonlyArray<string>) =>
      agent(cells, { name: "boss", runtime, bindings: [...bindings(), Binding.agent("helper", worker)] })
    const cells = ['await pay("W", {})', 'await helper.ask("Pay.")']
    count = 0
    const cassette = await recordOf(boss(cells))
    asked.length = 0
    const watched: Array<string> = []
    const report = await Replay.run({
      agent: boss(cells),
      cassette,
      calls: all,
      watch: (live) => {
        const event = live._tag === "Recorded" ? live.recorded.event : undefined
        if (event?._tag === "CellEnded") watched.push(`${live.origin.agent.join("/")} ${event.report.preview}`)
      }
    })
    expect(report.divergence?.report).toBeUndefined()
    expect(watched).toEqual(["boss 1", "boss/worker 2", "boss Paid."])
    expect(asked).toEqual([])

    const missed = await Replay.run({
      agent: boss(cells),
      cassette: { ...cassette, cells: cassette.cells?.filter(({ session }) => session === "") },
      calls: all
    })
    expect(missed.divergence).toMatchObject({ agent: ["boss", "worker"], run: 1, step: 1 })
    expect(missed.divergence?.report).toContain("call 0 (pay) of cell 1 of boss/worker, run 1, step 1 was not recorded")
    const left = await Replay.run({
      agent: boss(cells),
      cassette: {
        ...cassette,
        cells: cassette.cells?.flatMap((cell) => cell.session === "helper" ? [cell, cell] : [cell])
      },
      calls: all
    })
    expect(left.divergence).toMatchObject({ agent: ["boss", "worker"] })
    expect(left.divergence?.report).toBe(
      '1 recorded call was not made: pay("W", {}) of cell 1 of boss/worker'
    )
    expect(asked).toEqual([])
  })

  it("keep the decisions of people, and refuse an effect that nobody had allowed", async () => {
    const wire = Binding.func((to: string) => asked.push(to), { name: "wire", approval: true })
    const one = agent(['await wire("A")'], { bindings: [wire] })
    const approvals: AgentOptions["approvals"] = {
      ask: () => Effect.succeed({ decision: { _tag: "Allow", scope: "once" }, by: "somebody" })
    }
    const cassette = await recordOf({ ...one, approvals })
    expect(asked).toEqual(["A"])
    const report = await Replay.run({ agent: one, cassette, calls: all })
    expect(report.divergence?.report).toBeUndefined()
    expect(asked).toEqual(["A"])
  })

  it("in a fork are recorded up to the cell at which it goes on, live from there", async () => {
    const cells = ['await pay("A")', 'await pay("B")']
    count = 0
    const cassette = await recordOf(agent(cells))
    asked.length = 0
    const { agent: forked, calls, misses, outcome } = await Replay.fork({
      agent: agent(cells),
      cassette,
      at: 1,
      calls: all,
      model: ScriptedModel.layer([{ code: 'await pay("C")' }, "On my own."])
    })
    await using _ = forked
    expect({ calls, misses, text: outcome.text }).toEqual({ calls: [], misses: [], text: "On my own." })
    expect(asked).toEqual(["pay C undefined"])
  })

  it.each<[string, CallRules, RegExp, Partial<Parameters<typeof Replay.run>[0]>?]>([
    ["a rule that is none", { pay: "record" as "recorded" }, /pay is "record"\. Use "live", "recorded" or a function/],
    ["a name that nobody has", { pya: "recorded" }, /no agent has pya bound/],
    ["a method without a contract", { "orders.map": () => [] }, /orders\.map has no contract.*contract of orders/],
    ["an object without one", { "orders.*": "recorded" }, /orders\.\* has no contract/],
    ["depth sealed", { pay: "recorded" }, /depth sealed takes every call/, { depth: "sealed" }]
  ])("are refused before anything runs: %s", async (_, calls, problem, options) => {
    const one = agent(["1"], { bindings: [...bindings(), Binding.variable("orders", [1])] })
    const cassette = await recordOf(one)
    await expect(Replay.run({ agent: one, cassette, calls, ...options })).rejects.toThrow(problem)
  })

  it("need a recording that has calls, unless all of them are faked", async () => {
    const recorder = Recorder.make()
    await using handle = createAgent({ ...agent(["now()"]), services: recorder.services })
    await handle.run("Go.")
    const cassette = parseCassette(printCassette(recorder.recording().cassette), "without")
    const run = (calls: CallRules) => Replay.run({ agent: agent(["now()"]), cassette, calls })
    await expect(run(all)).rejects.toThrow(/holds no host calls.*Record with \{ calls: true \}/)
    expect((await run({ now: () => 1_000 })).same).toBe(true)
    expect((await run({ now: () => 2_000 })).same).toBe(false)
  })
})

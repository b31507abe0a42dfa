/** What comes to a cell besides the answers of its calls, in a replay in which the application takes no part. */
import { type AgentHandle, type AgentOptions, type Approvals, Binding } from "@daylight/core"
import { Replay, ScriptedModel } from "@daylight/evals"
import type { Cassette, RecordedCell } from "@daylight/evals/cassette"
import { KernelRuntime } from "@daylight/runtime-kernel"
import * as Effect from "effect/Effect"
import { DatabaseSync } from "node:sqlite"
import { beforeEach, describe, expect, it } from "vitest"
import { isSame, previews, recordOf } from "./support/sealed.ts"

/** What the application was asked for. A replay leaves it empty. */
const asked: Array<string> = []
beforeEach(() => void asked.splice(0))

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

const agent = (cells: ReadonlyArray<string>, options: Partial<AgentOptions> = {}): AgentOptions => ({
  name: "worker",
  model: ScriptedModel.layer([...cells.map((code) => ({ code })), "Done."]),
  runtime: KernelRuntime.layer({ spare: false }),
  ...options,
  bindings: [
    Binding.func(async (what: string, ms: number) => {
      asked.push(what)
      await pause(ms)
      return what
    }, { name: "slow" }),
    Binding.func(async (each: (x: number) => Promise<number>) => {
      asked.push("twice")
      return [await each(1), await each(2)]
    }, { name: "twice" }),
    Binding.func(async () => {
      asked.push("numbers")
      return (async function*() {
        for (const x of [1, 2, 3]) {
          asked.push(`number ${x}`)
          await pause(2)
          yield x
        }
      })()
    }, { name: "numbers" }),
    Binding.func((name: string) => {
      asked.push("profile")
      return { name, born: new Date(0), email: undefined, tags: new Set(["a", "b"]), big: 2n ** 70n }
    }, { name: "profile" }),
    ...options.bindings ?? []
  ]
})

const wait = (ms: number) => `await new Promise((done) => setTimeout(done, ${ms}))`

/** Records the cells and replays them with an application that has nothing to say. */
const followed = async (
  cells: ReadonlyArray<string>,
  options?: Partial<AgentOptions>,
  use?: (handle: AgentHandle) => Promise<unknown>
): Promise<Cassette> => {
  const cassette = await recordOf(agent(cells, options), use)
  const { length } = asked
  await isSame(agent(cells, { ...options, approvals: undefined }), cassette)
  expect(asked.slice(length)).toEqual([])
  return cassette
}

describe("a cell that is replayed sealed", () => {
  it("sees the same clock, chance and timers", async () => {
    const cassette = await followed([
      `const seen = [Date.now(), Math.random(), crypto.randomUUID(), performance.now(), new Date()]
${wait(3)}
seen.push(Date.now(), Math.random())
const first = await Promise.race([slow("slow", 30), new Promise((done) => setTimeout(done, 5, "timer"))])
JSON.stringify([...seen, first, new Date()])`,
      "[seen.length, Date.now(), Math.random()].join()"
    ])
    expect(previews(cassette)[0]).toContain("timer")
    expect(previews(cassette)[1]).toMatch(/^: 7,\d{13},0\.\d+$/)
  })

  it("gets its answers in the order in which they came", async () => {
    const cassette = await followed([
      `const order = []
await Promise.all([slow("a", 25), slow("b", 15), slow("c", 2)].map(async (each) => order.push(await each)))
order.join()`
    ])
    expect(previews(cassette)).toEqual([": c,b,a"])
  })

  it("has its functions called, and steps through streams of the host", async () => {
    const cassette = await followed([
      `let sum = 0
const both = await twice(async (x) => { ${wait(2)}; return x * 10 })
for await (const x of await numbers()) sum += x
;[...both, sum].join()`
    ])
    expect(previews(cassette)).toEqual([": 10,20,6"])
  })

  it("gets values that JSON has no word for", async () => {
    const cassette = await followed([
      'const { big, born, email, name, tags } = await profile("Ada")\n;[name, born.getTime(), "email" in profile, email, [...tags].join("+"), big].join()'
    ])
    expect(previews(cassette)).toEqual([": Ada,0,false,,a+b,1180591620717411303424"])
  })

  it("sees the keys of what it gets in their order", async () => {
    const bindings = [Binding.func(async () => ({ z: 1, a: { y: 2, b: 3 } }), { name: "record" })]
    const cassette = await followed(["JSON.stringify(await record())"], { bindings })
    expect(previews(cassette)).toEqual([': {"z":1,"a":{"y":2,"b":3}}'])
  })

  it("gets large results", async () => {
    const bindings = [Binding.func(async () => Array.from({ length: 5_000 }, (_, i) => ({ i })), { name: "many" })]
    const cassette = await followed(["const rows = await many()\nrows.at(-1).i"], { bindings })
    expect(previews(cassette)).toEqual([": 4999"])
  })

  it("finds what an earlier cell left behind where it was", async () => {
    const cassette = await followed([
      'let ticks = 0\nconst each = setInterval(() => ticks++, 3)\nconst late = slow("late", 30)\nticks',
      `${wait(20)}\nclearInterval(each)\n;[await late, ticks > 1, ticks].join()`
    ])
    expect(previews(cassette)[1]).toMatch(/^: late,true,\d+$/)
  })

  it("finds variables that the application set: before, between and in the middle of runs", async () => {
    const model = ScriptedModel.layer([
      { code: "limit + 1" },
      "One.",
      { code: "limit" },
      { code: 'let seen = limit\nwhile (seen === 2) { await slow("look", 5); seen = limit }\nseen' },
      "Two."
    ])
    const cassette = await followed([], { model }, async (handle) => {
      handle.vars["limit"] = 1
      await handle.run("First.")
      handle.vars["limit"] = 2
      const second = handle.run("Second.")
      while (!asked.includes("look")) await pause(1)
      handle.vars["limit"] = { at: new Date(0) }
      await second
    })
    expect(cassette.runs.map(({ variables }) => variables?.map(({ name }) => name))).toEqual([["limit"], ["limit"]])
    expect(previews(cassette)).toEqual([": 2", ": 2", ": { at: 1970-01-01T00:00:00.000Z }"])
  })

  it("is refused what it was refused, and told what people answered", async () => {
    const approvals: Approvals = {
      ask: ({ question }) =>
        Effect.succeed({
          decision: question === undefined
            ? { _tag: "Deny", why: "not today" }
            : { _tag: "Answer", value: { _tag: "Json", value: "blue" } },
          by: "ann"
        })
    }
    const cassette = await followed(
      [
        `let why
try { await risky() } catch (error) { why = error.reason.why }
const colour = await ask("Which colour?")
${wait(2)}
;[why, colour, await slow("after", 1)].join()`
      ],
      { approvals, bindings: [Binding.func(() => void asked.push("risky"), { name: "risky", approval: true })] }
    )
    expect(previews(cassette)).toEqual([": not today,blue,after"])
    expect(asked).toEqual(["after"])
  })

  it("works on a database of the host that is not there any more", async () => {
    const db = new DatabaseSync(":memory:")
    const cells = [
      `db.exec("create table t (x integer)")
const insert = db.prepare("insert into t values (?)")
for (const x of [1, 2, 3]) insert.run(x)`,
      'const rows = db.prepare("select sum(x) as sum from t").all()\nrows[0].sum',
      '[...db.prepare("select x from t").iterate()].map(({ x }) => x).join()'
    ]
    const declaration = "declare const db: { exec(sql: string): void; prepare(sql: string): any }"
    const opened: Array<string> = []
    const resource = (open: () => DatabaseSync) =>
      Binding.resource(
        "db",
        Effect.sync(() => {
          opened.push("db")
          return open()
        }),
        { declaration }
      )
    const cassette = await recordOf(agent(cells, { bindings: [resource(() => db)] }))
    expect(previews(cassette).slice(1)).toEqual([": 6", ": 1,2,3"])
    expect(opened).toHaveLength(1)
    const gone = () => {
      throw new Error("there is no database")
    }
    await isSame(agent(cells, { bindings: [resource(gone)] }), cassette)
    expect(opened).toHaveLength(1)
  })

  it("is cancelled where it was", async () => {
    const cassette = await recordOf(agent(['await slow("a", 1)\nawait slow("endless", 60_000)']), async (handle) => {
      const stop = new AbortController()
      const run = handle.run("Go.", { signal: stop.signal })
      while (!asked.includes("endless")) await pause(1)
      stop.abort()
      expect((await run).reason).toBe("cancelled")
    })
    const { outcomes } = await isSame(agent(['await slow("a", 1)\nawait slow("endless", 60_000)']), cassette)
    expect(outcomes[0]?.reason).toBe("cancelled")
  })
})

const changed = (cassette: Cassette, change: (events: RecordedCell["events"]) => RecordedCell["events"]): Cassette => ({
  ...cassette,
  cells: cassette.cells?.map((cell) => ({ ...cell, events: change(cell.events) }))
})

describe("a cell that leaves its recording", () => {
  const cells = [`await slow("a", 1)\n${wait(1)}\nawait slow("b", 1)`]

  it("is told: whose, which run and step, which call, what was expected and what came", async () => {
    const cassette = await recordOf(agent(cells))
    const other = changed(
      cassette,
      (events) =>
        events.map((event) =>
          event._tag === "CallStarted" && event.ordinal === 2
            ? { ...event, args: [{ _tag: "Json", value: "c" }, event.args[1]!] }
            : event
        )
    )
    const report = await Replay.run({ agent: agent(cells), cassette: other, depth: "sealed" })
    expect(report.divergence).toMatchObject({
      agent: ["worker"],
      run: 1,
      step: 1,
      path: "$.args[0]",
      expected: "c",
      came: "b",
      report:
        'call 2 (slow) of cell 1 of worker, run 1, step 1 differs from the recording at $.args[0]: expected "c", came "b"'
    })
    expect(report.cells).toHaveLength(1)
  })

  it("is told of a timer that is not there any more, and of one call too many", async () => {
    const cassette = await recordOf(agent(cells))
    const timer = changed(
      cassette,
      (events) => events.map((event) => event._tag === "TimerFired" ? { ...event, ordinal: 7 } : event)
    )
    const without = await Replay.run({ agent: agent(cells), cassette: timer, depth: "sealed" })
    expect(without.divergence?.report).toContain("call or timer 7 of cell 1")
    const last = changed(cassette, (events) => events.filter((event) => !("ordinal" in event) || event.ordinal !== 2))
    const more = await Replay.run({ agent: agent(cells), cassette: last, depth: "sealed" })
    expect(more.divergence).toMatchObject({ expected: undefined, came: { path: "slow", args: ["b", 1] } })
    expect(more.divergence?.report).toContain("call 2 (slow) of cell 1")
  })

  it("is told where it gives something else for no recorded reason", async () => {
    const cassette = await recordOf(agent(["Date.now()"]))
    const other = changed(
      cassette,
      (events) => events.map((event) => event._tag === "CellEnded" ? { ...event, entropy: [5, 1] } : event)
    )
    const report = await Replay.run({ agent: agent(["Date.now()"]), cassette: other, depth: "sealed" })
    expect(report.divergence).toMatchObject({ path: "$.preview", came: "5" })
    expect(report.divergence?.report).toContain("what it gave of cell 1 of worker")
  })

  it("is told of a result that was too large for the recording as soon as it looks into it", async () => {
    const bindings = [Binding.func(async () => Array.from({ length: 1_500_000 }, (_, i) => i), { name: "many" })]
    await followed(["await many()\n7"], { bindings })
    const looks = ["const rows = await many()\nrows.length"]
    const cassette = await recordOf(agent(looks, { bindings }))
    const report = await Replay.run({ agent: agent(looks, { bindings }), cassette, depth: "sealed" })
    expect(report.divergence?.report).toContain("Array(1500000).length")
  })

  it("is refused with a typed error where a variable was set to something that cannot be rebuilt", async () => {
    const cassette = await recordOf(agent(["typeof live"]), async (handle) => {
      handle.vars["live"] = new DatabaseSync(":memory:")
      await handle.run("Go.")
    })
    await expect(Replay.run({ agent: agent(["typeof live"]), cassette, depth: "sealed" })).rejects.toMatchObject({
      _tag: "InvalidInput",
      subject: "variable live of worker",
      problem: expect.stringContaining("was set to a live or large object (DatabaseSync)")
    })
  })
})

/** The log of a session has all that a cell saw: in another process, and with nothing but the log, it is the same. */
import {
  Binding,
  type Boundary,
  type Event,
  HostCallError,
  type Recorded,
  SessionId,
  SessionStore
} from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"
import { KernelRuntime } from "../../src/index.ts"
import { openSession, pause, program, type Session } from "../support/session.ts"

type Of<Tag extends Event["_tag"]> = Extract<Event, { readonly _tag: Tag }>

const bindings = (calls: Array<string>) => [
  Binding.func(async (what: string, ms: number) => {
    calls.push(what)
    await pause(ms)
    return what
  }, { name: "slow" }),
  Binding.func((x: number) => {
    calls.push("next")
    return x + 1
  }, { name: "next", effect: "none" }),
  Binding.func((x: unknown) => {
    throw new TypeError(`not ${String(x)}`)
  }, { name: "fails" }),
  Binding.func(async (each: (x: number) => Promise<number>) => {
    calls.push("twice")
    return [await each(1), await each(2)]
  }, { name: "twice" }),
  Binding.func(async () => {
    calls.push("numbers")
    return (async function*() {
      for (const x of [1, 2, 3]) yield x
    })()
  }, { name: "numbers" })
]

/** Runs the cells one after the other, and gives the log as the store has it. */
const record = async (cells: ReadonlyArray<string>, calls: Array<string> = []): Promise<ReadonlyArray<Recorded>> => {
  const store = Context.get(
    await Effect.runPromise(Layer.buildWithScope(SessionStore.layerMemory, Scope.makeUnsafe())),
    SessionStore
  )
  await using agent = createAgent({
    name: "course",
    id: "course",
    model: ScriptedModel.layer([...cells.map((code) => ({ code })), "done"]),
    runtime: KernelRuntime.layer({ program, spare: false }),
    bindings: bindings(calls),
    store: Layer.succeed(SessionStore, store)
  })
  assert.strictEqual((await agent.run("Go.")).reason, "completed")
  return Effect.runPromise(Stream.runCollect(store.read(SessionId.make("course"))))
}

const all = <Tag extends Event["_tag"]>(events: ReadonlyArray<Recorded>, tag: Tag): ReadonlyArray<Of<Tag>> =>
  events.flatMap(({ event }) => event._tag === tag ? [event as Of<Tag>] : [])

/** Nobody may be asked: all that a cell wants is in its record. */
const silent = (asked: Array<string>): Boundary => ({
  invoke: ({ path }) => {
    asked.push(path)
    return Effect.fail(new HostCallError({ path, reason: { _tag: "NotRecorded", key: path } }))
  }
})

/** The cells of the log, in a namespace of a new process. */
const again = async (
  events: ReadonlyArray<Recorded>,
  use: (replayed: {
    readonly previews: ReadonlyArray<string>
    readonly verdicts: ReadonlyArray<unknown>
    readonly asked: ReadonlyArray<string>
  }) => void
) => {
  const asked: Array<string> = []
  const session: Session = await openSession({
    bindings: bindings([]) as never,
    boundary: silent(asked),
    program
  })
  try {
    const previews: Array<string> = []
    const verdicts: Array<unknown> = []
    let from = 0
    for (const { cell, code, seed } of all(events, "CellStarted")) {
      const end = events.findIndex(({ event }) => event._tag === "CellEnded" && event.cell === cell)
      const verdict = Effect.runPromise(session.runtime.replay!(events.slice(from, end + 1)))
      const { report } = await session.run(code, { cell, seed })
      previews.push(report.problem?.message ?? report.preview)
      verdicts.push(await verdict)
      from = end + 1
    }
    use({ previews, verdicts, asked })
  } finally {
    await session.close()
  }
}

const wait = (ms: number) => `await new Promise((done) => setTimeout(done, ${ms}))`

const followed = async (cells: ReadonlyArray<string>) => {
  const events = await record(cells)
  const ended = all(events, "CellEnded")
  await again(events, ({ asked, previews, verdicts }) => {
    assert.deepStrictEqual(asked, [])
    assert.deepStrictEqual(previews, ended.map(({ report }) => report.problem?.message ?? report.preview))
    assert.deepStrictEqual(verdicts, cells.map(() => "live"))
  })
  return events
}

const unpacked = (readings: ReadonlyArray<number>): ReadonlyArray<number> => {
  const all: Array<number> = []
  for (let i = 0; i < readings.length; i += 2) all.push(...Array<number>(readings[i + 1]!).fill(readings[i]!))
  return all
}

describe("clock readings", () => {
  it("of a cell are in its log, in order: those before, between and after its calls and timers", async () => {
    const events = await record([
      `const seen = [performance.now()]
const see = () => seen.push(performance.now())
await slow("a", 2)
see(); see()
${wait(2)}
see()
next(1)
see()
await crypto.subtle.digest("SHA-256", new Uint8Array(8))
see()
try { fails(1) } catch {}
await slow("b", 2)
see()
${wait(2)}
see()
throw new Error(seen.join())`
    ])
    const [end] = all(events, "CellEnded")
    const seen = end!.report.problem!.message.split(",").map(Number)
    const carried = events.flatMap(({ event }) => "entropy" in event ? unpacked(event.entropy ?? []) : [])
    assert.deepStrictEqual(carried, seen)
    assert.isAbove(unpacked(end!.entropy).length, 1)
  })

  it("of a cell that makes no call are in the log as well", async () => {
    const events = await followed(["const times = [Date.now(), Date.now()]\ntimes.join()"])
    assert.strictEqual(unpacked(all(events, "CellEnded")[0]!.entropy).length, 2)
  })
})

describe("a cell that is run again from its log, in another process", () => {
  it("sees the same chance, time and order", async () => {
    const events = await followed([
      `const digest = async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(text.length * 100_000)))[0]
const seen = [Date.now(), Math.random(), crypto.randomUUID(), performance.now(), new Date()]
seen.push(await Promise.race([slow("slow", 15), slow("quick", 1), new Promise((done) => setTimeout(done, 8, "timer"))]))
seen.push(await Promise.race(["a", "bb", "ccc"].map(digest)), performance.now())
seen.push(await twice(async (x) => { ${wait(2)}; return x * 10 + next(x) }))
for await (const x of await numbers()) seen.push(x, Date.now())
await Promise.all([slow("x", 9), slow("y", 6), slow("z", 3)].map(async (each) => seen.push(await each, Math.random())))
try { fails(seen.length) } catch (error) { seen.push(error instanceof TypeError, error.message) }
seen.push([Date.now(), Math.random(), crypto.randomUUID(), performance.now(), new Date()])
JSON.stringify(seen)`,
      "[Date.now(), Math.random(), seen.length]"
    ])
    assert.strictEqual(all(events, "CallbackCalled").length, 2)
  })

  it("has what an earlier cell left behind in its place, and nothing else of it", async () => {
    const events = await followed([
      `let ticks = 0
const each = setInterval(() => ticks++, 3)
const late = slow("late", 40)
const never = setTimeout(() => { ticks += 1000 }, 60)
const forgotten = setTimeout(() => { ticks += 100_000 }, 600_000)
ticks`,
      `${wait(20)}
ticks`,
      `clearInterval(each)
const end = await late
;[end, ticks, Math.random()].join()`,
      `${wait(60)}
ticks`
    ])
    assert.isAbove(all(events, "TimerFired").length, 4)
  })

  it("says what was expected and what came where the cell is another one", async () => {
    const events = await record([`await slow("a", 1)\n${wait(1)}\nawait slow("b", 1)`])
    const other = (from: string, to: string) =>
      events.map((recorded): Recorded =>
        recorded.event._tag === "CellStarted"
          ? { ...recorded, event: { ...recorded.event, code: recorded.event.code.replace(from, to) } }
          : recorded
      )
    const call = (what: string, after: number) => ({ path: "slow", operation: "call", args: [what, 1], after })
    await again(other('slow("b"', 'slow("c"'), ({ verdicts }) =>
      assert.deepStrictEqual(verdicts, [
        { _tag: "Diverged", ordinal: 2, expected: call("b", 2), came: call("c", 2) }
      ]))
    await again(other('await slow("b", 1)', "7"), ({ verdicts }) =>
      assert.deepStrictEqual(verdicts, [
        { _tag: "Diverged", ordinal: 2, expected: "slow", came: "the end of the cell" }
      ]))
    await again(
      other(wait(1), "await 1"),
      ({ verdicts }) => assert.deepInclude(verdicts[0], { _tag: "Diverged", ordinal: 1 })
    )
  })
})

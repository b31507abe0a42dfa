/** Cells run again in a kernel, with recorded models and recorded host calls: the application takes no part. */
import { type Approvals, Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { Recorder, Replay, ScriptedModel } from "@daylight/evals"
import { parseCassette, printCassette } from "@daylight/evals/cassette"
import { KernelRuntime } from "@daylight/runtime-kernel"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

const calls: Array<string> = []

const agent = (rate = 2, code = 'const rate = await exchange("EUR", { to: "USD" })\n70 * rate') => ({
  name: "analyst",
  model: ScriptedModel.layer([
    { code },
    { code: "try { await broken() } catch (error) { console.log(error.name, error.message) }\nawait when()" },
    { code: '(await Promise.all([exchange("A"), exchange("B")])).join()' },
    "Done."
  ]),
  runtime: KernelRuntime.layer({ spare: false }),
  bindings: [
    Binding.func((from: string, options?: object) => {
      calls.push(`exchange ${from} ${JSON.stringify(options)}`)
      return rate
    }, { name: "exchange", parameters: ["from", "options"] }),
    Binding.func(() => {
      calls.push("broken")
      throw Object.assign(new RangeError("out of order"), { code: "E_ORDER" })
    }, { name: "broken" }),
    Binding.func(() => {
      calls.push("when")
      return new Date(0)
    }, { name: "when", approval: true })
  ]
})

const record = async () => {
  const recorder = Recorder.make({ calls: true })
  const approvals: Approvals = {
    ask: () => Effect.succeed({ decision: { _tag: "Allow", scope: "once" }, by: "somebody" })
  }
  await using handle = createAgent({ ...agent(), approvals, services: recorder.services })
  const outcome = await handle.run("Go.")
  expect(outcome.reason).toBe("completed")
  return parseCassette(printCassette(recorder.recording().cassette), "sealed")
}

describe("depth sealed", () => {
  it("has the same outcome, and calls nothing of the application", async () => {
    const cassette = await record()
    const paths = cassette.cells?.flatMap(({ events }) =>
      events.flatMap((event) => event._tag === "CallStarted" ? [event.path] : [])
    )
    expect(paths).toEqual(["exchange", "broken", "when", "exchange", "exchange"])
    calls.length = 0
    // Even if the application would now answer something else, it is not asked.
    const report = await Replay.run({ agent: agent(3), cassette, depth: "sealed" })
    expect(report.divergence?.report).toBeUndefined()
    expect(report.same).toBe(true)
    expect(calls).toEqual([])
  })

  it("says where a cell asks for something else", async () => {
    const cassette = await record()
    const answers = cassette.answers.map((answer, index) =>
      index > 0 ? answer : {
        ...answer,
        parts: answer.parts.map((part) =>
          part._tag === "ActionDelta" ? { ...part, json: part.json.replace("USD", "GBP") } : part
        )
      }
    )
    calls.length = 0
    const report = await Replay.run({ agent: agent(), cassette: { ...cassette, answers }, depth: "sealed" })
    expect(report.same).toBe(false)
    expect(report.divergence).toMatchObject({ path: "$.args[1].to", expected: "USD", came: "GBP" })
    expect(report.divergence).toMatchObject({ agent: ["analyst"], run: 1, step: 1 })
    expect(report.divergence?.report).toContain("call 0 (exchange) of cell 1 of analyst, run 1, step 1")
    expect(calls).toEqual([])
  })
})

describe("the course of a sealed cell", () => {
  const script = [
    {
      code: `const seen = [Math.random(), Date.now()]
const first = await Promise.race([slow("slow"), slow("quick")])
await slow("last")
;[...seen, first].join()`
    },
    "Done."
  ]
  const racing = (wait: (what: string) => number) => ({
    name: "racer",
    model: ScriptedModel.layer(script),
    runtime: KernelRuntime.layer({ spare: false }),
    bindings: [Binding.func(async (what: string) => {
      calls.push(what)
      await new Promise((done) => setTimeout(done, wait(what)))
      return what
    }, { name: "slow" })]
  })

  it("is the same again: randomness, clock and who came first", async () => {
    const recorder = Recorder.make({ calls: true })
    const previews: Array<string> = []
    await using handle = createAgent({
      ...racing((what) => ({ quick: 1, slow: 20, last: 80 })[what]!),
      services: recorder.services
    })
    expect((await handle.run("Go.")).reason).toBe("completed")
    const cassette = parseCassette(printCassette(recorder.recording().cassette), "course")
    expect(cassette.cells).toHaveLength(1)
    calls.length = 0
    const report = await Replay.run({
      agent: racing(() => 1),
      cassette,
      depth: "sealed",
      watch: (live) => {
        if (live._tag === "Recorded" && live.recorded.event._tag === "CellEnded") {
          previews.push(live.recorded.event.report.preview)
        }
      }
    })
    expect(report.divergence?.report).toBeUndefined()
    expect(previews[0]).toMatch(/^0\.\d+,\d{13},quick$/)
    expect(calls).toEqual([])
  })
})

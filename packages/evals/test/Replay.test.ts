/** Recorded runs, run again: to the end, to a step, on from a cell. */
import { type Approvals, Binding, type UserPrompt } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { Recorder, type RecorderOptions, Replay, ScriptedModel } from "@daylight/evals"
import { parseCassette, printCassette } from "@daylight/evals/cassette"
import * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import { Socket } from "node:net"
import { afterEach, describe, expect, it, vi } from "vitest"
import * as z from "zod"
import { ordersAgent, type OrdersOptions } from "./support/Orders.ts"

const prompts = ["Which region grew fastest?"]

const record = async (
  options: OrdersOptions = {},
  asked: ReadonlyArray<UserPrompt> = prompts,
  settings: RecorderOptions = { calls: true },
  answer?: any
) => {
  const recorder = Recorder.make(settings)
  await using agent = createAgent({ ...ordersAgent(options), services: recorder.services })
  for (const prompt of asked) await agent.run(prompt, { answer })
  return parseCassette(printCassette(recorder.recording().cassette), "recording")
}

/** A model that may not be asked, with a layer that may not even be built. */
const forbidden = Layer.effectDiscard(Effect.die(new Error("the model was built"))) as any

describe("Replay.run", () => {
  it("gives the same outcome without building any model", async () => {
    const cassette = await record()
    const calls: Array<string> = []
    const report = await Replay.run({ agent: ordersAgent({ calls, model: forbidden }), cassette })
    expect(report.divergence).toBeUndefined()
    expect(report).toMatchObject({ same: true, unused: 0, misses: [] })
    expect(report.outcomes[0]).toMatchObject({
      reason: "completed",
      text: "North grew fastest: 70.",
      cells: 4,
      steps: 5
    })
    expect(calls).toEqual(["EUR-USD"])
  })

  it("opens no socket", async () => {
    const cassette = await record()
    const sockets = vi.spyOn(Socket.prototype, "connect")
    await Replay.run({ agent: ordersAgent({ model: forbidden }), cassette })
    expect(sockets).not.toHaveBeenCalled()
  })

  it("says the first step that differs, what was expected and what came", async () => {
    const cassette = await record()
    const bindings = ordersAgent().bindings!.map((binding) =>
      binding.name === "orders" ? Binding.variable("orders", [{ id: 1, region: "north", total: 31 }]) : binding
    )
    const report = await Replay.run({ agent: ordersAgent({ bindings }), cassette })
    expect(report.same).toBe(false)
    expect(report.divergence?.step).toBe(1)
    expect(report.divergence?.path).toMatch(/^\$\.messages\[0\]/)
    expect(report.divergence?.report).toContain("Array[1]")
  })

  it("counts answers that nobody asked for", async () => {
    const cassette = await record()
    const extra = { ...cassette.answers[0]!, key: `${cassette.answers[0]!.key}x` }
    const report = await Replay.run({
      agent: ordersAgent(),
      cassette: { ...cassette, answers: [...cassette.answers, extra] }
    })
    expect(report).toMatchObject({
      same: false,
      unused: 1,
      divergence: { report: "1 recorded answer was not asked for" }
    })
  })

  it("goes to a step and no further", async () => {
    const cassette = await record()
    const cells: Array<string> = []
    const report = await Replay.run({
      agent: ordersAgent(),
      cassette,
      to: 2,
      watch: (live) => {
        if (live._tag === "Recorded" && live.recorded.event._tag === "CellEnded") {
          cells.push(live.recorded.event.report.preview)
        }
      }
    })
    expect(report.outcomes[0]?.reason).toBe("cancelled")
    expect(report.divergence).toBeUndefined()
    expect(cells).toHaveLength(2)
  })

  it("runs several prompts of one session, also equal ones", async () => {
    const script = ["One.", "Two.", "Three."]
    const cassette = await record({ script }, ["Count.", "Count.", "Count."])
    const report = await Replay.run({ agent: ordersAgent({ script }), cassette })
    expect(report.same).toBe(true)
    expect(report.outcomes.map(({ text }) => text)).toEqual(["One.", "Two.", "Three."])
  })

  it("says again all that somebody said, also where it looks like what the engine adds", async () => {
    const prompt = ["What does this mean?", "<answer>42</answer>"]
    for (const bindings of [ordersAgent().bindings!, []]) {
      const cassette = await record({ script: ["Nothing."], bindings }, [prompt])
      expect(cassette.runs[0]?.prompt.content.map((part) => part._tag === "Text" && part.text)).toEqual(prompt)
      expect((await Replay.run({ agent: ordersAgent({ bindings }), cassette })).same).toBe(true)
    }
  })

  it("needs the schema that the recorded run had, and gives its answer", async () => {
    const answer = z.object({ region: z.string() })
    const cassette = await record({ script: [{ code: "finish({ region: 'north' })" }] }, prompts, {}, answer)
    await expect(Replay.run({ agent: ordersAgent(), cassette })).rejects.toThrow(/schema for its answer/)
    const report = await Replay.run({ agent: ordersAgent(), cassette, answer })
    expect(report.outcomes[0]?.answer).toEqual({ region: "north" })
    expect(report.same).toBe(true)
  })

  it("repeats recorded failures without waiting for what was waited for", async () => {
    const busy = { fail: { _tag: "RateLimited", detail: "slow down", retryAfterMs: 60_000 } } as const
    const { Resilience } = await import("@daylight/core")
    const { Model } = await import("@daylight/core")
    const quick = Layer.succeed(Resilience, (model) =>
      Model.resilient({
        ...model,
        stream: (request) => model.stream(request)
      }, { retry: { base: 0, patience: "2 minutes" } }))
    const script = [{ fail: { _tag: "Overloaded", detail: "busy" } } as const, "Done."]
    const recorder = Recorder.make()
    await using agent = createAgent({
      ...ordersAgent({ script }),
      services: Layer.provideMerge(recorder.services, quick)
    })
    expect((await agent.run("Go.")).text).toBe("Done.")
    const { cassette } = recorder.recording()
    expect(cassette.answers.map(({ end, ordinal }) => [typeof end, ordinal])).toEqual([["object", 0], ["string", 1]])
    const slow = {
      ...cassette,
      answers: cassette.answers.map((given) =>
        typeof given.end === "object" ? { ...given, end: { failed: busy.fail } } : given
      )
    }
    const began = Date.now()
    const report = await Replay.run({ agent: ordersAgent({ script }), cassette: slow })
    expect(report.outcomes[0]?.text).toBe("Done.")
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  it("decides as people decided, and asks nobody", async () => {
    const { Binding } = await import("@daylight/core")
    const script = [
      { code: "await mail('a')" },
      { code: "try { await mail('b') } catch (error) { error.message }" },
      "Done."
    ]
    const sent: Array<string> = []
    const bindings = [
      Binding.func((to: string) => void sent.push(to), { name: "mail", parameters: ["to"], approval: true })
    ]
    const approvals: Approvals = {
      ask: ({ call }) =>
        Effect.succeed({
          decision: call.args[0] === "a" ? { _tag: "Allow", scope: "once" } : { _tag: "Deny", why: "not that one" },
          by: "ann"
        })
    }
    const cassette = await record({ script, bindings, approvals })
    expect(cassette.decisions?.map(({ by, decision, path }) => [by, decision._tag, path])).toEqual([[
      "ann",
      "Allow",
      "mail"
    ], ["ann", "Deny", "mail"]])
    sent.length = 0
    const report = await Replay.run({ agent: ordersAgent({ script, bindings }), cassette })
    expect(report.divergence?.report).toBeUndefined()
    expect(sent).toEqual(["a"])
  })

  it("refuses depth sealed in this process, with the reason", async () => {
    const cassette = await record()
    await expect(Replay.run({ agent: ordersAgent(), cassette, depth: "sealed" })).rejects.toThrow(/kernel runtime/)
  })

  it("refuses depth sealed where no calls were recorded", async () => {
    const cassette = await record({}, prompts, {})
    await expect(Replay.run({ agent: ordersAgent(), cassette, depth: "sealed" })).rejects.toThrow(/calls: true/)
  })
})

describe("Replay.fork", () => {
  it("follows the recording up to a cell and goes on with another model", async () => {
    const cassette = await record()
    const requests: Array<any> = []
    const model = ScriptedModel.layer([{ code: "sums.south" }, "South, after all.", "As I said."], { requests })
    const { agent, misses, outcome } = await Replay.fork({
      agent: ordersAgent({ model: forbidden }),
      cassette,
      at: 2,
      model
    })
    await using _ = agent
    expect(misses).toEqual([])
    expect(outcome).toMatchObject({ reason: "completed", text: "South, after all.", steps: 4, cells: 3 })
    expect(requests[0].messages).toHaveLength(5)
    expect((await agent.run("Sure?")).text).toBe("As I said.")
    expect(await agent.retrieve("rate")).toBe(1.1)
  })
})

afterEach(() => vi.restoreAllMocks())

/** Trouble on purpose: the same for the same seed, and an agent that outlives it. */
import { type AgentOptions, createAgent } from "@daylight/core/promise"
import { Model, Resilience } from "@daylight/core"
import { type FaultKind, FaultPlan, Faults, Recorder, Replay, ScriptedModel } from "@daylight/evals"
import * as Layer from "effect/Layer"
import OpenAI from "openai"
import { describe, expect, it, vi } from "vitest"
import { ordersAgent } from "./support/Orders.ts"

/** Patience without waiting. */
const quick = Layer.succeed(
  Resilience,
  (model) => Model.resilient(model, { retry: { base: 0 }, watchdog: { idle: "50 millis" } })
)

const run = async (options: Partial<AgentOptions> = {}, services: Layer.Layer<never> = quick) => {
  await using agent = createAgent({ ...ordersAgent(), ...options, services })
  return await agent.run("Which region grew fastest?")
}

describe("a plan", () => {
  const kinds = (seed: number) => {
    const plan = new FaultPlan<number>({
      seed,
      rules: [{ kind: "429", at: { probability: 0.3 } }, { kind: "500", match: (n) => n % 2 === 1, at: [1, 3] }]
    })
    for (let n = 0; n < 40; n++) plan.next(n)
    return plan.struck
  }

  it("is the same for the same seed, and another for another", () => {
    expect(kinds(7)).toEqual(kinds(7))
    expect(kinds(7)).not.toEqual(kinds(8))
  })

  it("counts the requests that a rule is for", () => {
    const plan = new FaultPlan<number>({
      seed: 1,
      rules: [{ kind: "500", match: (n) => n % 2 === 1, at: [1, 3], after: 0.5 }]
    })
    for (let n = 0; n < 10; n++) plan.next(n)
    expect(plan.struck).toEqual([{ kind: "500", after: 0.5, request: 3 }, { kind: "500", after: 0.5, request: 7 }])
  })
})

describe("an agent outlives", () => {
  const clean = run()
  it.each<FaultKind>(["429", "500", "529", "timeout", "stall", "truncate", "reset", "cut-utf8"])(
    "%s, at any step",
    async (kind) => {
      for (const [step, after] of [[0, 0], [0, 0.3], [2, 0], [4, 0.5]] as const) {
        const plan = Faults.plan({ seed: step, rules: [{ kind, at: step, after }] })
        const outcome = await run({ model: Faults.model(ordersAgent().model as Layer.Layer<Model>, plan) })
        expect(Faults.harm(await clean, outcome)).toEqual([])
        expect(plan.struck).toHaveLength(1)
      }
    }
  )

  it("slow, at any step, and is late by as much as was said", async () => {
    const plan = Faults.plan({ seed: 1, rules: [{ kind: "slow", at: [0, 2], lateMs: 1 }] })
    const outcome = await run({ model: Faults.model(ordersAgent().model as Layer.Layer<Model>, plan) })
    expect(Faults.harm(await clean, outcome)).toEqual([])
    expect(plan.struck).toMatchObject([{ kind: "slow", lateMs: 1, request: 0 }, { kind: "slow", request: 2 }])
    // A model that is slower than the watchdog is patient is left.
    const late = Faults.plan({ seed: 1, rules: [{ kind: "slow", at: 0, lateMs: 60_000 }] })
    const saved = await run({ model: Faults.model(ordersAgent().model as Layer.Layer<Model>, late) })
    expect(Faults.harm(await clean, saved)).toEqual([])
    expect(saved.durationMs).toBeLessThan(30_000)
  })

  it("actions of one id, in one answer and over several", async () => {
    const plan = Faults.plan({ seed: 1, rules: [{ kind: "duplicate-action-id", at: { probability: 1 } }] })
    const outcome = await run({ model: Faults.model(ordersAgent().model as Layer.Layer<Model>, plan) })
    expect(Faults.harm(await clean, outcome)).toEqual([])
    expect(plan.struck).toHaveLength(5)
    const asked: Array<string> = []
    const two = ScriptedModel.layer([
      { calls: ["EUR", "USD"].map((from) => ({ name: "exchange", input: { from, to: "GBP" } })) },
      "Done."
    ])
    const model = Faults.model(two, Faults.plan({ seed: 1, rules: [{ kind: "duplicate-action-id" }] }))
    expect((await run({ ...ordersAgent({ calls: asked, action: "functions" }), model })).text).toBe("Done.")
    expect(asked).toEqual(["EUR-GBP", "USD-GBP"])
  })

  it("what was recorded, struck by a plan", async () => {
    const recorder = Recorder.make()
    const expected = await run({}, Layer.provideMerge(recorder.services, quick))
    const plan = Faults.plan({ seed: 3, rules: [{ kind: "529", at: { probability: 0.4 } }] })
    const { replayModel } = await import("./support/Replayed.ts")
    const cassette = recorder.recording().cassette
    const outcome = await run({ model: Faults.model(replayModel(cassette), plan) })
    expect(plan.struck.length).toBeGreaterThan(0)
    expect(Faults.harm(expected, outcome)).toEqual([])
    expect((await Replay.run({ agent: ordersAgent(), cassette })).same).toBe(true)
  })
})

describe("harm", () => {
  it("is told by its place, and more steps are none", () => {
    expect(Faults.harm({ reason: "completed", text: "a" }, { reason: "completed", text: "b" })).toEqual([{
      path: "$.text",
      expected: "a",
      came: "b"
    }])
    expect(Faults.harm({ reason: "completed", text: "a", answer: 1 }, { reason: "limit", text: "a" })).toHaveLength(2)
  })
})

describe("on the bytes", () => {
  const events = ["Grü", "ße"].map((content) =>
    `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta: { content } }] })}\n\n`
  )
  const sent = `${events.join("")}data: [DONE]\n\n`
  const server = async () => new Response(sent, { headers: { "content-type": "text/event-stream" } })
  const ask = async (kind: FaultKind, after: number) => {
    const plan = new FaultPlan<Request>({ seed: 1, rules: [{ kind, after }] })
    const client = new OpenAI({ apiKey: "none", maxRetries: 0, fetch: Faults.fetch(server as typeof fetch, plan) })
    const stream = await client.chat.completions.create({ model: "m", messages: [], stream: true })
    let text = ""
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ""
    return text
  }

  it("cuts at every byte without harm", async () => expect(await ask("rechunk", 0)).toBe("Grüße"))
  it("sends an event twice", async () => expect(await ask("duplicate-event", 0.1)).toBe("GrüGrüße"))
  it("breaks off inside of a character", async () => {
    await expect(ask("cut-utf8", 0.1)).rejects.toThrow(/terminated/)
    const plan = new FaultPlan<Request>({ seed: 1, rules: [{ kind: "cut-utf8", after: 0.1 }] })
    const reader = (await Faults.fetch(server as typeof fetch, plan)("http://127.0.0.1:1")).body!.getReader()
    expect((await reader.read()).value!.at(-1)).toBe(0xc3)
  })
  it("is late with each event", async () => {
    vi.useFakeTimers()
    try {
      const plan = new FaultPlan<Request>({ seed: 1, rules: [{ kind: "slow", lateMs: 1_000 }] })
      const response = await Faults.fetch(server as typeof fetch, plan)("http://127.0.0.1:1")
      let text = ""
      void response.text().then((whole) => text = whole)
      // Three events and the end, each a second late.
      await vi.advanceTimersByTimeAsync(3_900)
      expect(text).toBe("")
      await vi.advanceTimersByTimeAsync(200)
      expect(text).toBe(sent)
    } finally {
      vi.useRealTimers()
    }
  })
  it("damages JSON", async () => await expect(ask("malformed-json", 0.3)).rejects.toThrow(/JSON/))
  it("refuses as a provider does", async () => {
    await expect(ask("429", 0)).rejects.toMatchObject({ status: 429 })
    await expect(ask("500", 0)).rejects.toMatchObject({ status: 500 })
    await expect(ask("529", 0)).rejects.toMatchObject({ status: 529 })
  })
  it("stalls until somebody gives up", async () => {
    const plan = new FaultPlan<Request>({ seed: 1, rules: [{ kind: "stall", after: 0.5 }] })
    const abort = new AbortController()
    const response = await Faults.fetch(server as typeof fetch, plan)("http://127.0.0.1:1", { signal: abort.signal })
    const reader = response.body!.getReader()
    await reader.read()
    setTimeout(() => abort.abort(new Error("enough")), 20)
    await expect(reader.read()).rejects.toThrow("enough")
  })
})

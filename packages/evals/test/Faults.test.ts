/** Trouble on purpose: the same for the same seed, and an agent that outlives it. */
import { type AgentOptions, createAgent } from "@daylight/core/promise"
import { Model, Resilience } from "@daylight/core"
import { type FaultKind, FaultPlan, Faults, Recorder, Replay } from "@daylight/evals"
import * as Layer from "effect/Layer"
import OpenAI from "openai"
import { describe, expect, it } from "vitest"
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

/** Runs of every shape: each becomes a valid trajectory, and its cassette gives the same outcome again. */
import { type AgentOptions, SessionStore } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { Recorder, Replay } from "@daylight/evals"
import { parseCassette, printCassette } from "@daylight/evals/cassette"
import {
  type CallExtra,
  daylightOf,
  eventsOf,
  parseTrajectory,
  printTrajectory,
  type RootExtra,
  type StepExtra,
  toHtml,
  toOtel
} from "@daylight/evals/trajectory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { ordersAgent, type OrdersOptions } from "./support/Orders.ts"

const record = async (options: OrdersOptions, prompts: ReadonlyArray<string> = ["Go."], run: object = {}) => {
  const recorder = Recorder.make({ calls: true })
  const store = await Effect.runPromise(Effect.provide(SessionStore, SessionStore.layerMemory))
  const { services = Layer.empty } = options
  await using agent = createAgent({
    ...ordersAgent(options),
    services: Layer.provideMerge(recorder.services, services),
    store: Layer.succeed(SessionStore, store),
    id: "shape"
  })
  const outcomes = []
  for (const prompt of prompts) outcomes.push(await agent.run(prompt, run))
  const stored = await Effect.runPromise(Effect.provideService(Recorder.fromStore("shape"), SessionStore, store))
  const { cassette, trajectory } = recorder.recording()
  return {
    outcomes,
    stored: parseCassette(printCassette(stored.cassette), "stored"),
    cassette: parseCassette(printCassette(cassette), "shape"),
    trajectory: parseTrajectory(printTrajectory(trajectory), "shape")
  }
}

const replay = async (options: OrdersOptions, cassette: Awaited<ReturnType<typeof record>>["cassette"]) =>
  Replay.run({ agent: ordersAgent({ ...options, script: [] }) as AgentOptions, cassette })

const shapes: ReadonlyArray<
  readonly [name: string, reason: string, options: OrdersOptions, prompts?: ReadonlyArray<string>]
> = [
  ["tools", "completed", {}],
  ["a fenced block", "completed", { action: "fence", script: [{ text: "I count.", code: "orders.length" }, "Three."] }],
  ["tags of its own", "completed", {
    action: { open: "<execute>", close: "</execute>" },
    script: ["I count.\n<execute>\norders.length\n</execute>\n", "Three."]
  }],
  ["functions, several at a time", "completed", {
    action: "functions",
    script: [{
      calls: [{ name: "exchange", input: { from: "EUR", to: "USD" } }, {
        name: "exchange",
        input: { from: "EUR", to: "GBP" }
      }, { name: "nowhere", input: {} }]
    }, "Done."]
  }],
  ["several prompts", "completed", { script: [{ code: "let n = 1" }, "One.", { code: "n += 1" }, "Two."] }, [
    "Begin.",
    "Go on."
  ]],
  ["an answer that is refused", "model_error", {
    script: [{ code: "1" }, { text: "No", fail: { _tag: "ContentFilter", detail: "no" } }]
  }],
  ["a limit, with a last answer", "limit", {
    limits: { steps: 2 },
    script: [{ code: "1" }, { code: "2" }, "That is all."]
  }],
  ["a limit of tokens, which cuts what an answer may have", "completed", {
    limits: { tokens: 6_000 },
    script: [{ code: "1" }, { code: "2" }, "That is all."]
  }],
  ["a limit of steps and one of tokens, so that the last answer may be short only", "limit", {
    limits: { steps: 2, tokens: 50_000 },
    script: [{ code: "1" }, { code: "2" }, "That is all."]
  }],
  ["a cell that goes in circles", "stuck", { script: () => ({ code: "again()" }) }],
  ["actions that nobody can read", "completed", {
    script: [
      {
        parts: [
          { _tag: "Start", provider: "scripted", model: "scripted-1" },
          { _tag: "ActionStart", id: "x", name: "run" },
          { _tag: "ActionDelta", id: "x", json: '{"code": ' },
          { _tag: "ActionEnd", id: "x" },
          { _tag: "Finish", reason: "action" }
        ]
      },
      { calls: [{ name: "search", input: { q: "" } }] },
      "Well."
    ]
  }],
  ["text around thoughts, with signatures", "completed", {
    script: [{
      parts: [
        { _tag: "Start", provider: "scripted", model: "scripted-1", responseId: "r1" },
        { _tag: "ReasoningDelta", text: "a" },
        { _tag: "ReasoningEnd", opaque: { scripted: { signature: "s1" } } },
        { _tag: "TextDelta", text: "One " },
        { _tag: "ReasoningDelta", text: "b" },
        { _tag: "ReasoningEnd" },
        { _tag: "TextDelta", text: "two." },
        { _tag: "Finish", reason: "stop", opaque: { scripted: { id: 1 } } }
      ]
    }]
  }]
]

describe("is recorded, shown and replayed:", () => {
  it.each(shapes.map(([name, ...shape]) => ({ name, shape })))(
    "$name",
    async ({ name, shape: [reason, options, prompts] }) => {
      const { cassette, outcomes, stored, trajectory } = await record(options, prompts)
      expect(outcomes.at(-1)?.reason).toBe(reason)
      // The text of an answer that failed is in no log.
      for (const recording of reason === "model_error" ? [cassette] : [cassette, stored]) {
        const report = await replay(options, recording)
        expect(report.divergence?.report).toBeUndefined()
        expect(report.outcomes.map((outcome) => ({ ...outcome, durationMs: 0 }))).toEqual(
          outcomes.map((outcome) => ({ ...outcome, durationMs: 0 }))
        )
      }
      expect(daylightOf<RootExtra>(trajectory).runs?.map(({ outcome }) => outcome?.reason)).toEqual(
        outcomes.map((outcome) => outcome.reason)
      )
      const unread = trajectory.steps.flatMap((step) =>
        (step.tool_calls ?? []).flatMap((call) => daylightOf<CallExtra>(call).rawArguments ?? [])
      )
      expect(unread).toEqual(name === "actions that nobody can read" ? ['{"code": '] : [])
      const named = trajectory.steps.flatMap((step) => daylightOf<StepExtra>(step).responseId ?? [])
      expect(named).toEqual(name === "text around thoughts, with signatures" ? ["r1"] : [])
      const spans = JSON.stringify(toOtel(trajectory))
      for (const id of named) expect(spans).toContain(`{"key":"gen_ai.response.id","value":{"stringValue":"${id}"}}`)
      const ends = eventsOf(trajectory).flatMap((live) =>
        live._tag === "Recorded" && live.recorded.event._tag === "RunEnded" && live.origin.lineage.length === 1
          ? [live.recorded.event.outcome.text]
          : []
      )
      expect(ends).toEqual(outcomes.map(({ text }) => text))
      expect(toHtml(trajectory)).toContain("</html>")
      expect(toOtel(trajectory, { content: true }).resourceSpans[0]!.scopeSpans[0]!.spans.length).toBeGreaterThan(1)
    }
  )
})

describe("a run that was cancelled", () => {
  it("is shown up to there, and says so when it is replayed", async () => {
    const recorder = Recorder.make()
    const stop = new AbortController()
    const script = [{ code: "1 + 1" }, { text: "I think about it", hang: true }]
    await using agent = createAgent({ ...ordersAgent({ script }), services: recorder.services })
    for await (const live of agent.stream("Go.", { signal: stop.signal })) {
      if (live._tag === "TextDelta") stop.abort()
    }
    const { cassette, trajectory } = recorder.recording()
    expect(daylightOf<RootExtra>(trajectory).status).toBe("cancelled")
    expect(trajectory.steps.at(-1)?.message).toBe("I think about it")
    const report = await replay({}, parseCassette(printCassette(cassette), "cancelled"))
    expect(report.outcomes[0]?.error?.message).toContain("stopped while this answer streamed")
  })
})

describe("attempts that failed", () => {
  it("are told with the step they belong to", async () => {
    const { Model, Resilience } = await import("@daylight/core")
    const Layer = await import("effect/Layer")
    const quick = Layer.succeed(Resilience, (model) => Model.resilient(model, { retry: { base: 0 } }))
    const recorder = Recorder.make()
    const script = [{ fail: { _tag: "Overloaded", detail: "busy" } } as const, "Fine."]
    await using agent = createAgent({
      ...ordersAgent({ script }),
      services: Layer.provideMerge(recorder.services, quick)
    })
    await agent.run("Go.")
    const { trajectory } = recorder.recording()
    const step = trajectory.steps.at(-1)
    expect(step).toMatchObject({ message: "Fine.", llm_call_count: 2 })
    expect(daylightOf<StepExtra>(step).attempts).toMatchObject([{ error: { _tag: "Overloaded", detail: "busy" } }])
  })
})

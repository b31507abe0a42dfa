import { describe, expect, test } from "vitest"
import { Binding } from "@daylight/core"
import * as Schema from "effect/Schema"
import { z } from "zod"
import { ofTag, play, scripted, told } from "../support.ts"

const fence = (code: string) => `\`\`\`ts run\n${code}\n\`\`\`\n`

describe("fence", () => {
  const action = "fence" as const

  test("a run block is executed, no tool is offered, and what follows the block is not read", async () => {
    const { events, outcome, requests } = await play({
      action,
      script: [`I count.\n${fence("6 * 7")}and the answer is 43`, "42."]
    })
    expect(requests[0]).toMatchObject({ actions: [], choice: "none" })
    expect(requests[0]!.system).toContain("```ts run")
    expect(ofTag(events, "CellStarted")[0]!.code).toBe("6 * 7")
    expect(told(requests[1])).toContain("42")
    expect(JSON.stringify(requests[1]!.messages)).not.toContain("43")
    expect(outcome).toMatchObject({ reason: "completed", text: "42.", cells: 1 })
  })

  test("ordinary blocks are shown and never executed", async () => {
    const shown = "Write it so:\n```ts\nexport const f = () => 1\n```\nThat is all."
    const { events, outcome } = await play({ action, script: [shown] })
    expect(outcome).toMatchObject({ reason: "completed", text: shown, cells: 0 })
    expect(ofTag(events, "Nudged")).toEqual([])
  })

  test("a block quoted in an outer fence is no cell", async () => {
    const quoted = "````md\n```ts run\ndanger()\n```\n````\nDo not run that."
    const { outcome } = await play({ action, script: [quoted] })
    expect(outcome).toMatchObject({ reason: "completed", cells: 0, text: quoted })
  })

  test("an unterminated block is repaired once and never executed by halves", async () => {
    const { events, outcome } = await play({
      action,
      script: ["```ts run\nconst a = 1", fence("const a = 2\na"), "two"]
    })
    expect(ofTag(events, "Nudged").map((event) => event.why)).toEqual(["repair"])
    expect(ofTag(events, "CellStarted").map((event) => event.code)).toEqual(["const a = 2\na"])
    expect(outcome.reason).toBe("completed")
    expect((await play({ action, script: ["```ts run\n1", "```ts run\n1"] })).outcome.reason).toBe("model_error")
  })

  test("a near miss gets one nudge and then counts as the answer", async () => {
    const miss = "```tsrun\n1 + 1\n```"
    const { events, outcome } = await play({ action, script: [miss, miss] })
    expect(ofTag(events, "Nudged").map((event) => event.why)).toEqual(["near-miss"])
    expect(outcome).toMatchObject({ reason: "completed", text: miss, cells: 0 })
  })

  test("a stream that goes on after the block is closed, and its usage is estimated", async () => {
    const parts = [
      { _tag: "Start", provider: "p", model: "m" },
      { _tag: "TextDelta", text: fence("1") },
      ...Array.from({ length: 400 }, () => ({ _tag: "TextDelta" as const, text: "and so on and on " })),
      { _tag: "Usage", usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: false } },
      { _tag: "Finish", reason: "stop" }
    ] as const
    const { outcome } = await play({ action, script: [{ parts }, "ok"] })
    expect(outcome.usage.estimated).toBe(true)
    expect(outcome.usage.output).toBeGreaterThan(5)
  })

  test("a stream that hangs after the block is left after two seconds", async () => {
    const started = Date.now()
    const { outcome } = await play({ action, script: [{ text: fence("1"), hang: true }, "ok"] })
    expect(outcome).toMatchObject({ reason: "completed", cells: 1 })
    expect(Date.now() - started).toBeLessThan(6_000)
  })

  test("is the default of a model without tools, and tool is refused there by name", async () => {
    const { requests } = await play({ script: [{ code: "1" }, "ok"], model: { info: { toolCalling: false } } })
    expect(requests[0]!.actions).toEqual([])
    const { agent } = scripted({ action: "tool", script: ["ok"], model: { info: { toolCalling: false } } })
    await using _ = agent
    await expect(agent.run("go")).rejects.toMatchObject({
      _tag: "InvalidInput",
      remedy: expect.stringContaining("fence")
    })
  })
})

describe("tags of the agent's choice", () => {
  const action = { open: "<execute>", close: "</execute>" }

  test("mark a cell", async () => {
    const { events, outcome, requests } = await play({
      action,
      script: ["I see.\n<execute>\n1 + 1\n</execute>\n", "two"]
    })
    expect(requests[0]!.system).toContain("<execute>")
    expect(ofTag(events, "CellStarted")[0]!.code.trim()).toBe("1 + 1")
    expect(outcome.cells).toBe(1)
    expect(requests[1]!.block).toEqual(action)
  })
})

describe("functions", () => {
  const action = "functions" as const
  const add = Binding.func((a: number, b: number) => a + b, {
    name: "add",
    description: "Adds.",
    effect: "none",
    input: Schema.Tuple([Schema.Finite, Schema.Finite])
  })
  const search = Binding.func(({ limit, text }: { text: string; limit: number }) => ({ text, limit }), {
    name: "search",
    effect: "none",
    input: z.tuple([z.object({ text: z.string(), limit: z.number().default(3) })])
  })

  test("bindings become JSON tools: positional parameters by name, one options object as itself", async () => {
    const { requests } = await play({ action, bindings: [add, search], script: ["ok"] })
    const [first, second] = requests[0]!.actions
    expect(first).toMatchObject({
      name: "add",
      description: "Adds.",
      inputSchema: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"]
      }
    })
    expect(second).toMatchObject({
      name: "search",
      inputSchema: { type: "object", properties: { text: { type: "string" } } }
    })
  })

  test("calls pass the boundary, several of one reply together, and their results go back", async () => {
    const { events, outcome, requests } = await play({
      action,
      bindings: [add, search],
      script: [{ calls: [{ name: "add", input: { a: 2, b: 3 } }, { name: "search", input: { text: "x" } }] }, "5"]
    })
    expect(outcome).toMatchObject({ reason: "completed", text: "5" })
    expect(ofTag(events, "CallEnded").map((event) => event.value)).toEqual([{ _tag: "Json", value: 5 }, {
      _tag: "Json",
      value: { text: "x", limit: 3 }
    }])
    expect(told(requests[1])).toBe('5\n{"text":"x","limit":3}')
  })

  test("bad arguments, unknown names and failures are told, not thrown", async () => {
    const fail = Binding.func(() => {
      throw new RangeError("out of range")
    }, { name: "fail", effect: "none" })
    const { requests } = await play({
      action,
      bindings: [add, fail],
      script: [{
        calls: [{ name: "add", input: { a: "x", b: 1 } }, { name: "nope", input: {} }, { name: "fail", input: {} }]
      }, "ok"]
    })
    expect(told(requests[1])).toMatch(/invalid arguments/)
    expect(told(requests[1])).toContain("There is no function nope. There are: add, fail.")
    expect(told(requests[1])).toContain("RangeError: out of range")
  })

  test("the answer is a tool too", async () => {
    const { outcome, requests } = await play({
      action,
      bindings: [add],
      answer: z.object({ sum: z.number() }),
      script: [{ calls: [{ name: "add", input: { a: 1, b: 2 } }] }, {
        calls: [{ name: "finish", input: { value: { sum: 3 } } }]
      }]
    })
    expect(requests[0]!.actions.map((tool) => tool.name)).toEqual(["add", "finish"])
    expect(outcome).toMatchObject({ reason: "completed", answer: { sum: 3 } })
  })
})

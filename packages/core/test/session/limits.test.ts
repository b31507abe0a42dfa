import { describe, expect, test } from "vitest"
import { Binding } from "@daylight/core"
import { ofTag, play, told } from "../support.ts"

const busy = (request: { readonly purpose: string }, n = 0) =>
  request.purpose === "wrap-up" ? "I got as far as two." : { text: `Step ${n}.`, code: `${n}` }

describe("limits", () => {
  test("steps: one reserved call asks for an answer with what there is", async () => {
    const { events, outcome, requests } = await play({ script: busy, limits: { steps: 3 } })
    expect(outcome).toMatchObject({
      reason: "limit",
      limit: "steps",
      steps: 3,
      cells: 3,
      text: "Step 0.\n\nStep 1.\n\nStep 2.\n\nI got as far as two."
    })
    expect(requests.map((request) => request.purpose)).toEqual(["answer", "answer", "answer", "wrap-up"])
    expect(requests[3]).toMatchObject({ actions: [], choice: "none" })
    expect(told(requests[3])).toContain("The limit of steps is reached")
    expect(ofTag(events, "ActionsAnswered")).toHaveLength(3)
  })

  test("a wrap-up call that fails loses no text", async () => {
    const { outcome } = await play({
      script: [{ text: "One.", code: "1" }, { fail: { _tag: "Billing", detail: "no money" } }],
      limits: { steps: 1 }
    })
    expect(outcome).toMatchObject({ reason: "limit", limit: "steps", text: "One." })
  })

  test("a limit of zero stops before the first step", async () => {
    const { outcome, requests } = await play({ script: busy, limits: { tokens: 0 } })
    expect(outcome).toMatchObject({ reason: "limit", limit: "tokens", cells: 0 })
    expect(requests).toEqual([])
    expect((await play({ script: busy, limits: { time: 0 } })).requests).toEqual([])
  })

  test("tokens: the last step ends, its result is kept, and the reserve pays for the wrap-up", async () => {
    const usage = { input: 3_000, output: 500 }
    const script = (request: { readonly purpose: string }, n: number) =>
      request.purpose === "wrap-up" ? "Enough." : { code: `${n}`, usage }
    const { events, outcome, requests } = await play({ script, limits: { tokens: 12_000, steps: 50 } })
    expect(outcome).toMatchObject({ reason: "limit", limit: "tokens" })
    expect(requests.at(-1)!.purpose).toBe("wrap-up")
    expect(requests.at(-1)!.maxOutputTokens).toBeLessThanOrEqual(1_024)
    expect(outcome.text).toBe("Enough.")
    expect(ofTag(events, "CellEnded")).toHaveLength(outcome.cells)
    expect(outcome.usage.input + outcome.usage.output).toBeLessThanOrEqual(12_000)
  })

  test("tokens: what may be put out is clamped to what is affordable", async () => {
    const { requests } = await play({ script: ["ok"], limits: { tokens: 6_000 } })
    expect(requests[0]!.maxOutputTokens).toBeLessThan(6_000)
    expect(requests[0]!.maxOutputTokens).toBeGreaterThanOrEqual(1_024)
  })

  test.each(["inputTokens", "outputTokens"] as const)("%s is a limit of its own", async (unit) => {
    const { outcome } = await play({
      script: (request, n) => ({ code: `${n}`, usage: { input: 900, output: 900 } }),
      limits: { [unit]: 3_000, steps: 50 }
    })
    expect(outcome).toMatchObject({ reason: "limit", limit: unit })
  })

  test("time: a model that hangs is left for the wrap-up", async () => {
    const script = (request: { readonly purpose: string }) =>
      request.purpose === "wrap-up" ? "No time left." : { text: "Well", hang: true }
    const { outcome } = await play({ script, limits: { time: "1200 millis" } })
    expect(outcome).toMatchObject({ reason: "limit", limit: "time", text: "Well\n\nNo time left." })
  })

  test("time: a cell that waits is interrupted and answered first", async () => {
    const script = (request: { readonly purpose: string }) =>
      request.purpose === "wrap-up" ? "Late." : { code: "await new Promise(() => {})" }
    const { events, outcome } = await play({ script, limits: { time: "1200 millis" } })
    expect(outcome).toMatchObject({ reason: "limit", limit: "time", text: "Late." })
    expect(ofTag(events, "CellEnded")[0]!.report.problem!.stage).toBe("interrupted")
  })

  test("cells", async () => {
    expect((await play({ script: busy, limits: { cells: 2 } })).outcome).toMatchObject({
      reason: "limit",
      limit: "cells",
      cells: 2
    })
  })

  test("host calls: the call is refused in the cell, which can catch it", async () => {
    const ping = Binding.func(() => "pong", { name: "ping", effect: "none" })
    const { events, requests } = await play({
      bindings: [ping],
      limits: { hostCalls: 2 },
      script: [{
        code: "let n = 0; try { while (true) { ping(); n++ } } catch (error) { console.log(error.reason._tag, n) }"
      }, "ok"]
    })
    expect(told(requests[1])).toContain("OverBudget 2")
    expect(ofTag(events, "CallRefused")[0]!.reason).toEqual({ _tag: "OverBudget", unit: "hostCalls" })
  })
})

import { describe, expect, test } from "vitest"
import type { ModelFailure } from "@daylight/core"
import { cancelledAt, isRecorded, ofTag, play, scripted, told } from "../support.ts"

describe("a reply that is no answer never completes a run", () => {
  test.each([
    ["empty", { text: "" }],
    ["only whitespace", { text: " \n\t " }],
    ["only reasoning", { reasoning: "Let me think." }]
  ])("%s: one nudge, then model_error", async (_, reply) => {
    const { events, outcome } = await play({ script: [reply, reply] })
    expect(outcome).toMatchObject({ reason: "model_error", steps: 2 })
    expect(outcome.error!.message).toContain("empty")
    expect(outcome.usage.input).toBe(20)
    expect(ofTag(events, "Nudged").map((event) => event.why)).toEqual(["empty"])
  })

  test.each([["a lone surrogate", "caf\ud800"], ["a replacement character", "caf\ufffd"]])(
    "%s: repaired once, then model_error",
    async (_, text) => {
      expect((await play({ script: [text, "caf\u00e9"] })).outcome).toMatchObject({
        reason: "completed",
        text: "caf\u00e9"
      })
      expect((await play({ script: [text, text] })).outcome.reason).toBe("model_error")
    }
  )

  test("an empty assistant message never enters the history", async () => {
    const { requests } = await play({ script: [{ text: "" }, "ok"] })
    expect(requests[1]!.messages.map((message) => message._tag)).toEqual(["User", "User"])
  })

  test("a filter's verdict is a refusal, and its code does not run", async () => {
    const { events, outcome, requests } = await play({
      script: [{ text: "I cannot", code: "1", finish: "content-filter" }]
    })
    expect(outcome).toMatchObject({ reason: "refused", text: "I cannot" })
    expect(ofTag(events, "CellStarted")).toEqual([])
    expect(requests).toHaveLength(1)
  })

  test("a missing finish reason is tolerated", async () => {
    expect((await play({ script: [{ text: "fine", finish: "unknown" }] })).outcome).toMatchObject({
      reason: "completed",
      text: "fine"
    })
  })
})

describe("failures", () => {
  const failures: ReadonlyArray<ModelFailure> = [
    { _tag: "Authentication", detail: "bad key", status: 401 },
    { _tag: "Billing", detail: "no money" },
    { _tag: "InvalidRequest", detail: "no" },
    { _tag: "ContextOverflow", detail: "too long" },
    { _tag: "Unknown", detail: "?" }
  ]
  test.each(failures)(
    "a model that fails with $_tag ends the run as model_error with the text so far",
    async (fail) => {
      const { events, outcome } = await play({
        script: [{ text: "First, I look.", code: "1" }, { text: "Then", fail }]
      })
      expect(outcome).toMatchObject({ reason: "model_error", text: "First, I look.\n\nThen", steps: 2 })
      expect(outcome.error!.message).toContain(fail._tag)
      expect(ofTag(events, "ModelFailed")[0]!.reason).toEqual(fail)
    }
  )

  test("the session can run again after a failure", async () => {
    const { agent } = scripted({ script: [{ fail: { _tag: "Billing", detail: "no money" } }, "ok"] })
    await using _ = agent
    expect((await agent.run("one")).reason).toBe("model_error")
    expect((await agent.run("two")).text).toBe("ok")
  })

  test("an exhausted script fails by name", async () => {
    const { outcome } = await play({ script: [{ code: "1" }], model: { name: "demo" } })
    expect(outcome.reason).toBe("model_error")
    expect(outcome.error!.message).toMatch(/the script "demo" has 1 reply, and one more was asked for/)
  })

  test("a defect of a service is internal_error, and the session survives", async () => {
    let calls = 0
    const { agent } = scripted({
      script: () => {
        if (calls++ === 0) throw new Error("broken model")
        return "ok"
      }
    })
    await using _ = agent
    expect(await agent.run("one")).toMatchObject({ reason: "internal_error", error: { message: "broken model" } })
    expect((await agent.run("two")).text).toBe("ok")
  })
})

describe("cancelling", () => {
  const patience = { limits: { steps: 5 } }

  test("a running cell stops, its action is answered, and the session runs again", async () => {
    const { agent, requests } = scripted({
      script: [{ text: "I wait.", code: "await new Promise(() => {})" }, "again"],
      ...patience
    })
    await using _ = agent
    const outcome = await cancelledAt(agent, "one", (live) => isRecorded(live, "CellStarted"))
    expect(outcome).toMatchObject({ reason: "cancelled", text: "I wait." })
    expect((await agent.run("two")).text).toBe("again")
    expect(requests[1]!.messages.map((message) => message._tag)).toEqual(["User", "Assistant", "Result", "User"])
    expect(JSON.stringify(requests[1]!.messages[2])).toContain("Interrupted: cancelled")
  })

  test("a model that never answers stops at once, with the text so far", async () => {
    const { agent } = scripted({ script: [{ text: "Half an", hang: true }, "again"] })
    await using _ = agent
    const outcome = await cancelledAt(agent, "one", (live) => live._tag === "TextDelta")
    expect(outcome).toMatchObject({ reason: "cancelled", text: "Half an" })
    expect((await agent.run("two")).text).toBe("again")
  })

  test("a signal that is already aborted cancels before the first step", async () => {
    const { agent, requests } = scripted({ script: [{ text: "late", delayMs: 20 }] })
    await using _ = agent
    expect((await agent.run("one", { signal: AbortSignal.abort() })).reason).toBe("cancelled")
    expect(requests.length).toBeLessThanOrEqual(1)
  })

  test("leaving the stream cancels the run", async () => {
    const { agent } = scripted({
      script: [{
        code: "globalThis.ticks = 0; while (true) { ticks++; await new Promise((resolve) => setTimeout(resolve, 1)) }"
      }, "ok"]
    })
    await using _ = agent
    const stream = agent.stream("one")
    for await (const event of stream) {
      if (event._tag === "Recorded" && event.recorded.event._tag === "CellStarted") break
    }
    expect((await stream.outcome).reason).toBe("cancelled")
    expect((await agent.run("two")).text).toBe("ok")
  })

  test("an endless loop, also after an await, ends in its time and keeps its state", async () => {
    const { events, requests } = await play({
      script: [{ code: "let i = 7; await null; while (true) i++" }, { code: "i > 7" }, "ok"],
      cells: { cpu: "50 millis" }
    })
    expect(ofTag(events, "CellEnded")[0]!.report.problem!.stage).toBe("timeout")
    expect(told(requests[2])).toContain("true")
  })
})

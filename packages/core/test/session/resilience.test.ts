import { describe, expect, test } from "vitest"
import { Model, Resilience } from "@daylight/core"
import * as Layer from "effect/Layer"
import { ofTag, play } from "../support.ts"

const quick = Layer.succeed(
  Resilience,
  (model) => Model.resilient(model, { retry: { base: "1 millis" }, continue: { base: "1 millis" } })
)

describe("passing trouble", () => {
  test("is repeated, and each attempt and failure is in the log before the next begins", async () => {
    const { events, outcome } = await play({
      services: quick,
      script: [{ fail: { _tag: "RateLimited", detail: "slow down", status: 429, retryAfterMs: 2 } }, {
        text: "Half",
        fail: { _tag: "Overloaded", detail: "busy" }
      }, "done."]
    })
    expect(outcome).toMatchObject({ reason: "completed", steps: 1 })
    expect(ofTag(events, "ModelCalled").map((event) => event.attempt)).toEqual([1, 2, 3])
    expect(ofTag(events, "ModelFailed").map((event) => event.reason._tag)).toEqual(["RateLimited", "Overloaded"])
    expect(ofTag(events, "ModelFailed")[0]!.retryInMs).toBeGreaterThanOrEqual(2)
  })

  test("an answer that the output limit cut off is continued and comes out as one", async () => {
    const { outcome, requests } = await play({
      services: quick,
      script: [{ text: "The answer ", finish: "length" }, { text: "is 42." }]
    })
    expect(outcome).toMatchObject({ reason: "completed", text: "The answer is 42.", steps: 1 })
    expect(requests).toHaveLength(2)
  })

  test("a cell that was cut in two runs once, as one", async () => {
    const { events } = await play({
      services: quick,
      action: "fence",
      script: [{ text: "```ts run\nconst a = 40 +", finish: "length" }, { text: " 2\na\n```\n" }, "42"]
    })
    expect(ofTag(events, "CellStarted").map((event) => event.code)).toEqual(["const a = 40 + 2\na"])
  })

  test("an answer that is cut again and again ends with the text there is", async () => {
    const { outcome } = await play({ services: quick, script: (_, n) => ({ text: `piece ${n} `, finish: "length" }) })
    expect(outcome.text).toContain("piece 0 piece 1 ")
    expect(outcome.reason).toBe("model_error")
  })

  test("can be switched off", async () => {
    const off = Layer.succeed(Resilience, (model) => model)
    const { outcome, requests } = await play({
      services: off,
      script: [{ fail: { _tag: "Overloaded", detail: "busy" } }, "never"]
    })
    expect(outcome.reason).toBe("model_error")
    expect(requests).toHaveLength(1)
  })
})

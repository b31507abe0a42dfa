import { describe, expect, expectTypeOf, test } from "vitest"
import * as Schema from "effect/Schema"
import { z } from "zod"
import { OutcomeError } from "@daylight/core"
import { ofTag, play, scripted, told } from "../support.ts"

const answer = z.object({ region: z.string(), growth: z.number() })

describe("finish", () => {
  test("gives a real value as the answer, validated and typed", async () => {
    const { events, outcome } = await play({
      answer,
      script: [{ code: "const best = { region: 'north', growth: 0.5 }\nfinish(best)" }]
    })
    expect(outcome.reason).toBe("completed")
    if (outcome.reason === "completed") expectTypeOf(outcome.answer).toEqualTypeOf<{ region: string; growth: number }>()
    expect(outcome.answer).toEqual({ region: "north", growth: 0.5 })
    expect(ofTag(events, "RunStarted")[0]!.answer).toBe(true)
    expect(ofTag(events, "RunEnded")[0]!.outcome.answer).toEqual({
      _tag: "Json",
      value: { region: "north", growth: 0.5 }
    })
  })

  test("a value that does not fit is an error in the cell, which may repair it", async () => {
    const { outcome, requests } = await play({
      answer,
      script: [{ code: "finish({ region: 1 })" }, { code: "finish({ region: 'north', growth: 1 })" }]
    })
    expect(told(requests[1])).toMatch(/finish: the answer does not fit: .*region/)
    expect(outcome).toMatchObject({ reason: "completed", answer: { region: "north", growth: 1 } })
  })

  test("two failed repairs end the run as invalid_answer", async () => {
    const { outcome, requests } = await play({ answer, script: () => ({ code: `finish(${Math.random()})` }) })
    expect(outcome.reason).toBe("invalid_answer")
    expect(requests).toHaveLength(3)
  })

  test("text alone is no answer where a value is asked for", async () => {
    const { events, outcome } = await play({
      answer,
      script: ["north", { code: "finish({ region: 'north', growth: 1 })" }]
    })
    expect(ofTag(events, "Nudged").map((event) => event.why)).toEqual(["invalid-answer"])
    expect(outcome.reason).toBe("completed")
    expect((await play({ answer, script: () => "north" })).outcome).toMatchObject({
      reason: "invalid_answer",
      text: "north\n\nnorth\n\nnorth"
    })
  })

  test("an answer of a cell that then fails is not taken", async () => {
    const { outcome, requests } = await play({
      answer,
      script: [{ code: "finish({ region: 'north', growth: 1 }); null.x" }, {
        code: "finish({ region: 'south', growth: 2 })"
      }]
    })
    expect(told(requests[1])).toContain("Not taken")
    expect(outcome.answer).toEqual({ region: "south", growth: 2 })
  })

  test("takes live values through: dates of the cell's own realm satisfy Zod and Effect Schema", async () => {
    const at = z.object({ at: z.date() })
    expect((await play({ answer: at, script: [{ code: "finish({ at: new Date(0) })" }] })).outcome.answer).toEqual({
      at: new Date(0)
    })
    const effect = Schema.Struct({ at: Schema.Date, tags: Schema.Array(Schema.String) })
    const { outcome } = await play({ answer: effect, script: [{ code: "finish({ at: new Date(0), tags: ['a'] })" }] })
    expect(outcome.answer).toEqual({ at: new Date(0), tags: ["a"] })
  })

  test("an asynchronous schema is awaited at the end of the cell", async () => {
    const slow = z.object({ n: z.number() }).refine(async ({ n }) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return n > 1
    }, "too small")
    const { outcome, requests } = await play({
      answer: slow,
      script: [{ code: "finish({ n: 1 })" }, { code: "await finish({ n: 2 })" }]
    })
    expect(told(requests[1])).toContain("too small")
    expect(outcome).toMatchObject({ reason: "completed", answer: { n: 2 } })
  })

  test("without a schema it ends the run, and a string becomes the text", async () => {
    const { outcome } = await play({ script: [{ code: "finish('done')" }] })
    expect(outcome).toMatchObject({ reason: "completed", text: "done" })
    expect(outcome.answer).toBeUndefined()
  })

  test("ask gives the answer itself, and an OutcomeError for any other end", async () => {
    const { agent } = scripted({
      script: [{ code: "finish({ region: 'north', growth: 1 })" }, "Hello.", {
        fail: { _tag: "Billing", detail: "no money" }
      }]
    })
    await using _ = agent
    const value = await agent.ask("best?", answer)
    expectTypeOf(value).toEqualTypeOf<{ region: string; growth: number }>()
    expect(value.region).toBe("north")
    expect(await agent.ask("hello?")).toBe("Hello.")
    const error: unknown = await agent.ask("again?").catch((error: unknown) => error)
    expect(error).toBeInstanceOf(OutcomeError)
    expect((error as OutcomeError).outcome.reason).toBe("model_error")
    expect((error as OutcomeError).message).toContain("no money")
  })
})

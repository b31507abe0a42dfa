import { describe, expect, test } from "vitest"
import { Compactor, type LongPrompt } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ofTag, play, scripted, told } from "../support.ts"

const overflow = { fail: { _tag: "ContextOverflow" as const, detail: "too long", status: 400 } }

/** Keeps the last message, and a summary of the rest made by the model. */
const summarising = (seen: Array<LongPrompt>) =>
  Layer.succeed(Compactor, {
    compact: (prompt) => {
      seen.push(prompt)
      const text = prompt.entries.map((entry) => JSON.stringify(entry.message)).join("\n")
      return Effect.map(prompt.summarise(text, undefined), (summary) => ({
        _tag: "Compacted" as const,
        tier: "summarise" as const,
        summary,
        keepFrom: prompt.entries.at(-1)!.seq,
        cleared: [],
        before: 0,
        after: 0
      }))
    }
  })

describe("a prompt that is too long", () => {
  test("ends the run as model_error where nobody compacts, and is never repeated", async () => {
    const { outcome, requests } = await play({ script: [overflow, "never"] })
    expect(outcome.reason).toBe("model_error")
    expect(outcome.error!.message).toContain("ContextOverflow")
    expect(requests).toHaveLength(1)
  })

  test("is handed to the compactor once, and sent once more, shorter", async () => {
    const seen: Array<LongPrompt> = []
    const { events, outcome, requests } = await play({
      services: summarising(seen),
      script: [{ code: "const made = 42" }, overflow, {
        text: "<analysis>a</analysis><summary>They made 42.</summary>"
      }, "done"]
    })
    expect(outcome).toMatchObject({ reason: "completed", text: "done", steps: 2 })
    expect(seen.map((prompt) => prompt.overflowed)).toEqual([true])
    expect(requests.map((request) => request.purpose)).toEqual(["answer", "answer", "compaction", "answer"])
    const [summary, last] = requests[3]!.messages
    expect(summary).toMatchObject({
      _tag: "Summary",
      text: expect.stringMatching(/^They made 42\.\n\n<variables>\nmade: number = 42/)
    })
    expect(last!._tag).toBe("Result")
    expect(ofTag(events, "Compacted")).toHaveLength(1)
    expect(outcome.usage.input).toBe(30)
  })

  test("that is refused again ends the run", async () => {
    const { outcome, requests } = await play({
      services: summarising([]),
      script: [overflow, "<summary>s</summary>", overflow, "never"]
    })
    expect(outcome.reason).toBe("model_error")
    expect(requests).toHaveLength(3)
  })

  test("is compacted before it comes near the window, and later prompts grow from the summary", async () => {
    const seen: Array<LongPrompt> = []
    const { agent, requests } = scripted({
      services: summarising(seen),
      model: { info: { contextWindow: 6_000, maxOutputTokens: 1_000 } },
      script: (request) =>
        request.purpose === "compaction"
          ? "<summary>short</summary>"
          : `${"long ".repeat(500)}${request.messages.length}`
    })
    await using _ = agent
    for (let i = 0; i < 12; i++) expect((await agent.run(`question ${i}`)).reason).toBe("completed")
    expect(seen.length).toBeGreaterThanOrEqual(2)
    expect(seen.every((prompt) => !prompt.overflowed)).toBe(true)
    expect(requests.at(-1)!.messages[0]!._tag).toBe("Summary")
    expect(requests.at(-1)!.messages.filter((message) => message._tag === "Summary")).toHaveLength(1)
  })

  test("may have results cleared that a variable holds", async () => {
    const clearing = Layer.succeed(Compactor, {
      compact: ({ entries, keep }) =>
        Effect.gen(function*() {
          const result = entries.find((entry) => entry.message._tag === "Result")!
          const variable = yield* keep("the whole text")
          const [part] = result.message._tag === "Result" ? result.message.content : []
          return {
            _tag: "Compacted" as const,
            tier: "clear" as const,
            keepFrom: 0,
            cleared: [{ id: part!.id, variable }],
            before: 0,
            after: 0
          }
        })
    })
    const { requests } = await play({
      services: clearing,
      script: [{ code: "'much text'" }, overflow, { code: "_kept_1" }, "ok"]
    })
    expect(JSON.stringify(requests[2]!.messages)).toContain("(cleared: the text is in the variable _kept_1)")
    expect(told(requests[3])).toContain("the whole text")
  })
})

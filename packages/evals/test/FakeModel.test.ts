/** Answers by rules. */
import { createAgent } from "@daylight/core/promise"
import { FakeModel, type FakeRule } from "@daylight/evals"
import { VmRuntime } from "@daylight/runtime-vm"
import { describe, expect, it } from "vitest"

const ask = async (rules: ReadonlyArray<FakeRule>, ...prompts: ReadonlyArray<string>) => {
  await using agent = createAgent({
    name: "a",
    instructions: "You are Ann.",
    model: FakeModel.layer(rules),
    runtime: VmRuntime.layer
  })
  const texts: Array<string> = []
  for (const prompt of prompts) {
    const { error, text } = await agent.run(prompt)
    texts.push(error?.message ?? text)
  }
  return texts
}

describe("a rule", () => {
  it("fits by prompt, system, result, step and anything else; the first that fits answers", async () => {
    const rules: ReadonlyArray<FakeRule> = [
      { when: { prompt: "bye" }, reply: "Bye." },
      { when: { system: "nobody" }, reply: "never" },
      { when: { result: /\b42\b/ }, reply: "It is 42." },
      { when: { prompt: /^What/, step: 2, where: ({ messages }) => messages.length > 100 }, reply: "never" },
      { when: { prompt: /^What/ }, reply: { code: "6 * 7" } },
      { when: { system: "You are Ann" }, reply: ({ messages }) => `Message ${messages.length}.` }
    ]
    expect(await ask(rules, "What is it?", "Say BYE", "Hm?")).toEqual(["It is 42.", "Bye.", "Message 7."])
  })

  it("answers as often as it may, and then says what it was asked", async () => {
    const [first, second] = await ask([{ when: { prompt: "hi" }, reply: "Hello.", times: 1 }], "Hi", "Hi again")
    expect(first).toBe("Hello.")
    expect(second).toContain('none of 1 rules fits (1 used up): answer, step 1, prompt "Hi again"')
  })

  it("may fail, think and wait as a script may", async () => {
    const [text] = await ask([{ when: {}, reply: { fail: { _tag: "ContentFilter", detail: "no" } } }], "Hi")
    expect(text).toContain("ContentFilter")
  })
})

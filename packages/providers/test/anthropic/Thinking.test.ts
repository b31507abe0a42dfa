import { assert, describe, it } from "@effect/vitest"
import { thinkingOf } from "../../src/anthropic/Thinking.ts"
import { effort } from "../../src/openai/Effort.ts"

describe("thinking", () => {
  it("is an effort for newer models of Anthropic", () => {
    for (
      const model of ["claude-opus-4-6", "claude-sonnet-5", "claude-opus-5-5", "claude-fable-5-1", "claude-haiku-5-5"]
    ) {
      assert.deepStrictEqual(thinkingOf(model, "high", 8_000), {
        thinking: { type: "adaptive" },
        output_config: { effort: "high" }
      }, model)
      assert.deepStrictEqual(thinkingOf(model, "off", 8_000), { thinking: { type: "disabled" } }, model)
    }
  })

  it("is a budget for older ones, at least 1,024, with room for an answer, else none", () => {
    for (
      const model of [
        "claude-3-7-sonnet-20250219",
        "claude-sonnet-4-20250514",
        "claude-opus-4-1-20250805",
        "claude-opus-4-5",
        "claude-haiku-4-5-20251001"
      ]
    ) {
      assert.deepStrictEqual(thinkingOf(model, "medium", 32_000), {
        thinking: { type: "enabled", budget_tokens: 8_192 }
      }, model)
      assert.deepStrictEqual(
        thinkingOf(model, "high", 4_000),
        { thinking: { type: "enabled", budget_tokens: 2_976 } },
        model
      )
      assert.deepStrictEqual(thinkingOf(model, "high", 2_000), {}, model)
      assert.deepStrictEqual(thinkingOf(model, "off", 32_000), {}, model)
    }
  })

  it("is left to the model where nobody asks, and to nobody where it cannot think", () => {
    assert.deepStrictEqual(thinkingOf("claude-sonnet-5", undefined, 8_000), {})
    assert.deepStrictEqual(thinkingOf("claude-3-5-sonnet-20241022", "high", 8_000), {})
    assert.deepStrictEqual(thinkingOf("claude-3-haiku-20240307", "high", 8_000), {})
  })

  it("off is the least that a model of OpenAI's takes", () => {
    const least = (model: string) => effort(model, "off")
    assert.deepStrictEqual(
      ["gpt-5.4", "gpt-6-sol", "gpt-5", "gpt-5-mini", "o3", "o4-mini", "gpt-oss-120b"].map(least),
      [
        "none",
        "none",
        "minimal",
        "minimal",
        "low",
        "low",
        "low"
      ]
    )
    assert.strictEqual(effort("gpt-5.4", "medium"), "medium")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Catalogue } from "@daylight/providers"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"

describe("catalogue", () => {
  it("holds sensible numbers, each model once, with its date and source", () => {
    const entries = Catalogue.list()
    assert.isAtLeast(entries.length, 100)
    assert.strictEqual(new Set(entries.map((entry) => `${entry.provider} ${entry.model}`)).size, entries.length)
    for (const { contextWindow, maxOutputTokens, model, price } of entries) {
      assert.isAtLeast(contextWindow, maxOutputTokens, model)
      assert.isAtLeast(maxOutputTokens, 1_000, model)
      assert.isAtLeast(price.output, price.input, model)
      assert.isAtMost(price.cacheRead, price.input, model)
      assert.isAtLeast(price.cacheWrite, price.input, model)
      assert.match(price.date, /^\d{4}-\d{2}-\d{2}$/)
      assert.isNotEmpty(price.source)
    }
  })

  it("finds dated names, and the names that clouds give to a maker's models", () => {
    const known = Catalogue.find("anthropic", "claude-opus-4-5")
    assert.isDefined(known)
    assert.strictEqual(Catalogue.find("anthropic", "claude-opus-4-5-20251101"), known)
    assert.strictEqual(Catalogue.find("amazon-bedrock", "us.anthropic.claude-opus-4-5-20251101-v1:0"), known)
    assert.strictEqual(Catalogue.find("vertex", "claude-opus-4-5@20251101"), known)
    assert.strictEqual(Catalogue.find("openai", "gpt-4o-2024-08-06")?.model, "gpt-4o")
    assert.isUndefined(Catalogue.find("openai", "gpt-unheard-of"))
    assert.isUndefined(Catalogue.find("nobody", "gpt-4o"))
  })

  it.effect("a model takes its numbers from there, unless it is told otherwise", () =>
    Effect.gen(function*() {
      const known = yield* OpenAi.make({ model: "gpt-4o", apiKey: "none" })
      assert.deepInclude(known.info, { contextWindow: 128_000, maxOutputTokens: 16_384 })
      assert.strictEqual(known.info.price?.output, 10)
      const unknown = yield* OpenAi.make({
        model: "mine",
        baseUrl: "http://127.0.0.1:1/v1",
        contextWindow: 9_000,
        maxOutputTokens: 900
      })
      assert.deepInclude(unknown.info, { contextWindow: 9_000, maxOutputTokens: 900 })
      assert.isUndefined(unknown.info.price)
    }))
})

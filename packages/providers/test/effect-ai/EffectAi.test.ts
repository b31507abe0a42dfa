import { assert, describe, it } from "@effect/vitest"
import { Message } from "@daylight/core"
import { EffectAi } from "@daylight/providers/effect-ai"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { answer, user } from "../support/Requests.ts"

const options = { provider: "acme", model: "acme-1" }

/** A language model made by `effect/ai` itself, playing these parts. */
const playing = (parts: ReadonlyArray<Response.StreamPartEncoded>, error?: AiError.AiError) => {
  const seen: Array<LanguageModel.ProviderOptions> = []
  return Effect.map(
    LanguageModel.make({
      generateText: () => Effect.die(new Error("only streams are asked for")),
      streamText: (given) => {
        seen.push(given)
        const stream = Stream.fromIterable(parts)
        return error === undefined ? stream : Stream.concat(stream, Stream.fail(error))
      }
    }),
    (model) => ({ model: EffectAi.make(model, options), seen })
  )
}

const finish = (reason: Response.FinishReason): Response.StreamPartEncoded => ({
  type: "finish",
  reason,
  usage: {
    inputTokens: { total: 30, uncached: 10, cacheRead: 15, cacheWrite: 5 },
    outputTokens: { total: 12, text: 4, reasoning: 8 }
  },
  response: undefined
})

describe("effect/ai", () => {
  it.effect("streams reasoning, text, an action, usage and a finish", () =>
    Effect.gen(function*() {
      const { model, seen } = yield* playing([
        { type: "response-metadata", id: "r1", modelId: "acme-served" },
        { type: "reasoning-start", id: "1" },
        { type: "reasoning-delta", id: "1", delta: "One and one." },
        { type: "reasoning-end", id: "1", metadata: { acme: { signature: "sig" } } },
        { type: "text-start", id: "2" },
        { type: "text-delta", id: "2", delta: "I look." },
        { type: "text-end", id: "2" },
        { type: "tool-call", id: "c1", name: "orders_find", params: { id: 1 } },
        finish("tool-calls")
      ])
      const got = yield* answer(model, {
        actions: [{ name: "orders.find", description: "Finds.", inputSchema: { type: "object" } }]
      })
      assert.isUndefined(got.error)
      assert.deepStrictEqual(got.problems, [])
      assert.deepStrictEqual(got.reasoning, [{
        text: "One and one.",
        opaque: { "effect-ai": { acme: { signature: "sig" } } }
      }])
      assert.strictEqual(got.text, "I look.")
      assert.deepStrictEqual(got.actions, [{ id: "c1", name: "orders.find", json: '{"id":1}' }])
      assert.deepStrictEqual(got.usage, {
        input: 30,
        output: 12,
        cacheRead: 15,
        cacheWrite: 5,
        reasoning: 8,
        estimated: false
      })
      assert.deepStrictEqual(got.finish, { _tag: "Finish", reason: "action", raw: "tool-calls" })
      assert.deepStrictEqual(seen[0]?.tools.map((tool) => tool.name), ["orders_find"])
    }))

  it.effect("hands a conversation over with calls, answers and signed thoughts", () =>
    Effect.gen(function*() {
      const { model, seen } = yield* playing([{ type: "text-start", id: "1" }, {
        type: "text-delta",
        id: "1",
        delta: "ok"
      }, finish("stop")])
      const got = yield* answer(model, {
        messages: [
          user("Which order?"),
          Message.cases.Assistant.make({
            content: [
              { _tag: "Reasoning", text: "hm", opaque: { "effect-ai": { acme: { signature: "sig" } } } },
              { _tag: "Action", id: "c1", name: "run", input: { code: "1" } }
            ]
          }),
          Message.cases.Result.make({
            content: [{ _tag: "Feedback", id: "c1", ok: true, content: [{ _tag: "Text", text: "1" }] }]
          })
        ]
      })
      assert.isUndefined(got.error)
      assert.deepStrictEqual(seen[0]?.prompt.content.map((message) => message.role), [
        "system",
        "user",
        "assistant",
        "tool"
      ])
      const assistant = seen[0]?.prompt.content[2]
      assert.deepStrictEqual(assistant?.role === "assistant" ? assistant.content.map((part) => part.type) : [], [
        "reasoning",
        "tool-call"
      ])
      const tool = seen[0]?.prompt.content[3]
      assert.deepInclude(tool?.role === "tool" ? tool.content[0] : undefined, {
        type: "tool-result",
        id: "c1",
        name: "run",
        result: "1",
        isFailure: false
      })
    }))

  it.effect("tells failures apart", () =>
    Effect.gen(function*() {
      const error = (reason: AiError.AiErrorReason) => AiError.make({ module: "Acme", method: "streamText", reason })
      const cases = [
        [new AiError.RateLimitError({ retryAfter: Duration.seconds(7) }), "RateLimited"],
        [new AiError.QuotaExhaustedError({}), "Billing"],
        [new AiError.AuthenticationError({ kind: "InvalidKey" }), "Authentication"],
        [new AiError.InternalProviderError({ description: "down" }), "Overloaded"],
        [new AiError.InvalidOutputError({ description: "not json" }), "MalformedResponse"],
        [
          new AiError.InvalidRequestError({ description: "prompt is too long: 210000 tokens > 200000 maximum" }),
          "ContextOverflow"
        ],
        [new AiError.InvalidRequestError({ description: "no such parameter" }), "InvalidRequest"]
      ] as const
      for (const [reason, tag] of cases) {
        const { model } = yield* playing([], error(reason))
        const got = yield* answer(model)
        assert.strictEqual(got.error?.reason._tag, tag, reason._tag)
      }
    }))
})

import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { APICallError } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { Message } from "@daylight/core"
import { AiSdk } from "@daylight/providers/ai-sdk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { events, loopback } from "../support/Loopback.ts"
import { answer, user } from "../support/Requests.ts"

const usage = {
  inputTokens: { total: 30, noCache: 10, cacheRead: 15, cacheWrite: 5 },
  outputTokens: { total: 12, text: 4, reasoning: 8 }
}

/** A provider as the SDK's packages make them, playing these parts. */
const provider = (parts: ReadonlyArray<LanguageModelV4StreamPart>, version = "v4") => {
  const calls: Array<LanguageModelV4CallOptions> = []
  const model = {
    specificationVersion: version,
    provider: "google.generative-ai",
    modelId: "gemini-test",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("only streams are asked for")),
    doStream: (options: LanguageModelV4CallOptions) => {
      calls.push(options)
      return Promise.resolve({ stream: ReadableStream.from(parts) })
    }
  } as unknown as LanguageModelV4
  return { model, calls }
}

const finish = (
  unified: Extract<LanguageModelV4StreamPart, { type: "finish" }>["finishReason"]["unified"],
  raw: string
): LanguageModelV4StreamPart => ({
  type: "finish",
  usage,
  finishReason: { unified, raw }
})

describe("AI SDK", () => {
  it.live("streams reasoning with its signature, text, an action, usage and a finish", () =>
    Effect.gen(function*() {
      const { calls, model } = provider([
        { type: "stream-start", warnings: [] },
        { type: "response-metadata", id: "r1", modelId: "gemini-served" },
        { type: "reasoning-start", id: "1" },
        { type: "reasoning-delta", id: "1", delta: "One and one." },
        { type: "reasoning-end", id: "1", providerMetadata: { google: { thoughtSignature: "sig" } } },
        { type: "text-start", id: "2" },
        { type: "text-delta", id: "2", delta: "I look." },
        { type: "text-end", id: "2" },
        { type: "tool-input-start", id: "c1", toolName: "orders_find" },
        { type: "tool-input-delta", id: "c1", delta: '{"id":1}' },
        { type: "tool-input-end", id: "c1" },
        {
          type: "tool-call",
          toolCallId: "c1",
          toolName: "orders_find",
          input: '{"id":1}',
          providerMetadata: { google: { thoughtSignature: "call" } }
        },
        finish("tool-calls", "STOP")
      ])
      const got = yield* answer(yield* AiSdk.make(model), {
        actions: [{ name: "orders.find", description: "Finds.", inputSchema: { type: "object" } }],
        reasoning: "low"
      })
      assert.deepStrictEqual(got.problems, [])
      assert.deepStrictEqual(got.reasoning, [{
        text: "One and one.",
        opaque: { "ai-sdk": { google: { thoughtSignature: "sig" } } }
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
      assert.deepStrictEqual(got.finish, {
        _tag: "Finish",
        reason: "action",
        raw: "STOP",
        opaque: { "ai-sdk": { actions: { c1: { google: { thoughtSignature: "call" } } } } }
      })
      assert.deepStrictEqual(calls[0]?.tools?.map((tool) => tool.name), ["orders_find"])
      assert.deepInclude(calls[0], { reasoning: "low", maxOutputTokens: 1_000, toolChoice: { type: "auto" } })
      assert.instanceOf(calls[0]?.abortSignal, AbortSignal)
    }))

  it.live("hands signatures back where they came from, and names the call an answer belongs to", () =>
    Effect.gen(function*() {
      const { calls, model } = provider([{ type: "text-delta", id: "1", delta: "ok" }, finish("stop", "STOP")])
      yield* answer(yield* AiSdk.make(model), {
        system: "",
        actions: [{ name: "orders.find", description: "Finds.", inputSchema: { type: "object" } }],
        messages: [
          user("Which order?"),
          Message.cases.Assistant.make({
            content: [
              { _tag: "Reasoning", text: "hm", opaque: { "ai-sdk": { google: { thoughtSignature: "sig" } } } },
              { _tag: "Action", id: "c1", name: "orders.find", input: { id: 1 } }
            ],
            opaque: { "ai-sdk": { actions: { c1: { google: { thoughtSignature: "call" } } } } }
          }),
          Message.cases.Result.make({
            content: [{ _tag: "Feedback", id: "c1", ok: true, content: [{ _tag: "Text", text: "none" }] }]
          })
        ]
      })
      assert.deepStrictEqual(calls[0]?.prompt, [
        { role: "user", content: [{ type: "text", text: "Which order?" }] },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "hm", providerOptions: { google: { thoughtSignature: "sig" } } },
            {
              type: "tool-call",
              toolCallId: "c1",
              toolName: "orders_find",
              input: { id: 1 },
              providerOptions: { google: { thoughtSignature: "call" } }
            }
          ]
        },
        {
          role: "tool",
          content: [{
            type: "tool-result",
            toolCallId: "c1",
            toolName: "orders_find",
            output: { type: "text", value: "none" }
          }]
        }
      ])
    }))

  it.live("tells failures apart, before the stream and in it", () =>
    Effect.gen(function*() {
      const inStream = provider([{ type: "text-delta", id: "1", delta: "so far" }, {
        type: "error",
        error: { type: "overloaded_error", message: "Overloaded" }
      }])
      const broken = yield* answer(yield* AiSdk.make(inStream.model))
      assert.strictEqual(broken.error?.reason._tag, "Overloaded")
      assert.strictEqual(broken.text, "so far")
      const { model } = provider([])
      const refusing: LanguageModelV4 = {
        ...model,
        doStream: () =>
          Promise.reject(
            new APICallError({
              message: "Too Many Requests",
              url: "http://127.0.0.1",
              requestBodyValues: {},
              statusCode: 429,
              responseHeaders: { "retry-after": "7" },
              responseBody: '{"error":{"message":"slow down"}}'
            })
          )
      }
      const refused = yield* answer(yield* AiSdk.make(refusing))
      assert.deepStrictEqual(refused.error?.reason, {
        _tag: "RateLimited",
        status: 429,
        detail: "slow down",
        retryAfterMs: 7_000
      })
    }))

  it.live("an interruption aborts the provider's request, whose socket closes within 200 ms", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) => events(response, ["one "], { end: false }))
      const remote: LanguageModelV4 = {
        ...provider([]).model,
        doStream: async ({ abortSignal }) => {
          const { body } = await fetch(server.url, { signal: abortSignal! })
          const parts = async function*(): AsyncGenerator<LanguageModelV4StreamPart> {
            for await (const piece of body!) {
              yield { type: "text-delta", id: "1", delta: new TextDecoder().decode(piece) }
            }
          }
          return { stream: ReadableStream.from(parts()) }
        }
      }
      const fiber = yield* Effect.forkChild(answer(yield* AiSdk.make(remote)))
      yield* Effect.sleep("200 millis")
      assert.strictEqual(server.openSockets(), 1)
      yield* Fiber.interrupt(fiber)
      assert.isBelow(yield* Effect.promise(server.untilClosed), 200)
    }))

  it.live("a stream that ends without a finish is broken", () =>
    Effect.gen(function*() {
      const got = yield* answer(yield* AiSdk.make(provider([{ type: "text-delta", id: "1", delta: "so far" }]).model))
      assert.strictEqual(got.error?.reason._tag, "Connection")
    }))

  it.live("what the provider runs itself is no action of ours", () =>
    Effect.gen(function*() {
      const got = yield* answer(
        yield* AiSdk.make(
          provider([
            { type: "tool-input-start", id: "s1", toolName: "web_search", providerExecuted: true },
            { type: "tool-input-delta", id: "s1", delta: "{}" },
            { type: "tool-call", toolCallId: "s1", toolName: "web_search", input: "{}", providerExecuted: true },
            { type: "text-delta", id: "1", delta: "Found." },
            finish("stop", "STOP")
          ]).model
        )
      )
      assert.deepStrictEqual(got.actions, [])
      assert.strictEqual(got.finish?.reason, "stop")
    }))

  it.live("a model of an older interface is translated by the SDK", () =>
    Effect.gen(function*() {
      const old = provider([
        { type: "text-delta", id: "1", delta: "hello" },
        {
          type: "finish",
          usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
          finishReason: "stop"
        } as unknown as LanguageModelV4StreamPart
      ], "v2")
      const got = yield* answer(yield* AiSdk.make(old.model))
      assert.isUndefined(got.error)
      assert.strictEqual(got.text, "hello")
      assert.strictEqual(got.usage?.input, 3)
      assert.strictEqual(got.finish?.reason, "stop")
    }))
})

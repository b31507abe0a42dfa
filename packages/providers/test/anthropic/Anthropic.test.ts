import { assert, describe, it } from "@effect/vitest"
import { Message } from "@daylight/core"
import { Anthropic } from "@daylight/providers/anthropic"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { events, loopback, sse } from "../support/Loopback.ts"
import { answer, user } from "../support/Requests.ts"

const event = (type: string, fields: object = {}) => sse({ type, ...fields }, type)
const start = event("message_start", {
  message: {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "claude-test-1",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 5, cache_read_input_tokens: 20, cache_creation_input_tokens: 3, output_tokens: 1 }
  }
})
const delta = (index: number, delta: object) => event("content_block_delta", { index, delta })

const thinkingAnswer = [
  start,
  event("content_block_start", { index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }),
  delta(0, { type: "thinking_delta", thinking: "One and one." }),
  event("ping"),
  delta(0, { type: "signature_delta", signature: "sig" }),
  event("content_block_stop", { index: 0 }),
  event("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
  delta(1, { type: "text_delta", text: "I look." }),
  event("content_block_stop", { index: 1 }),
  event("content_block_start", {
    index: 2,
    content_block: { type: "tool_use", id: "toolu_1", name: "run", input: {} }
  }),
  delta(2, { type: "input_json_delta", partial_json: '{"code":' }),
  delta(2, { type: "input_json_delta", partial_json: '"1+1"}' }),
  event("content_block_stop", { index: 2 }),
  event("message_delta", {
    delta: { stop_reason: "tool_use" },
    usage: { output_tokens: 30, output_tokens_details: { thinking_tokens: 9 } }
  }),
  event("message_stop")
]

describe("messages", () => {
  it.live("streams thinking, text, an action, usage and a finish", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) => events(response, thinkingAnswer))
      const model = yield* Anthropic.make({ model: "claude-test", baseUrl: server.url })
      const got = yield* answer(model)
      assert.deepStrictEqual(got.problems, [])
      assert.deepStrictEqual(got.reasoning, [{ text: "One and one.", opaque: { anthropic: { signature: "sig" } } }])
      assert.strictEqual(got.text, "I look.")
      assert.deepStrictEqual(got.actions, [{ id: "toolu_1", name: "run", json: '{"code":"1+1"}' }])
      assert.deepStrictEqual(got.usage, {
        input: 28,
        output: 30,
        cacheRead: 20,
        cacheWrite: 3,
        reasoning: 9,
        estimated: false
      })
      assert.deepStrictEqual(got.finish, { _tag: "Finish", reason: "action", raw: "tool_use" })
      assert.deepStrictEqual(server.received[0]?.body.system, [{
        type: "text",
        text: "You are a test.",
        cache_control: { type: "ephemeral" }
      }])
    }))

  it.live("hands thinking back as it came, and an answer to its action", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) => events(response, thinkingAnswer))
      const model = yield* Anthropic.make({ model: "claude-test", baseUrl: server.url })
      yield* answer(model, {
        messages: [
          user("What is 1+1?"),
          Message.cases.Assistant.make({
            content: [
              { _tag: "Reasoning", text: "One and one.", opaque: { anthropic: { signature: "sig" } } },
              { _tag: "Reasoning", text: "", opaque: { anthropic: { redacted: "xyz" } } },
              { _tag: "Reasoning", text: "from elsewhere" },
              { _tag: "Text", text: "I look." },
              { _tag: "Action", id: "toolu_1", name: "run", input: { code: "1+1" } }
            ]
          }),
          Message.cases.Result.make({
            content: [{ _tag: "Feedback", id: "toolu_1", ok: false, content: [{ _tag: "Text", text: "no" }] }]
          })
        ]
      })
      assert.deepStrictEqual(server.received[0]?.body.messages, [
        { role: "user", content: [{ type: "text", text: "What is 1+1?" }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "One and one.", signature: "sig" },
            { type: "redacted_thinking", data: "xyz" },
            { type: "text", text: "I look." },
            { type: "tool_use", id: "toolu_1", name: "run", input: { code: "1+1" } }
          ]
        },
        {
          role: "user",
          content: [{
            type: "tool_result",
            tool_use_id: "toolu_1",
            content: [{ type: "text", text: "no" }],
            is_error: true,
            cache_control: { type: "ephemeral" }
          }]
        }
      ])
    }))

  it.live("closes the socket within 200 ms of an interruption", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) => events(response, [start], { end: false }))
      const model = yield* Anthropic.make({ model: "claude-test", baseUrl: server.url })
      const fiber = yield* Effect.forkChild(answer(model))
      yield* Effect.sleep("300 millis")
      assert.strictEqual(server.openSockets(), 1)
      yield* Fiber.interrupt(fiber)
      assert.isBelow(yield* Effect.promise(server.untilClosed), 200)
    }))

  it.effect("a missing key names its variable", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Anthropic.make({ model: "claude-test" }))
      assert.include(error.message, "ANTHROPIC_API_KEY")
    }).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))))
})

/** Against a fake server that others wrote, over real sockets: three languages, streaming, tool calls, errors. */
import { LLMock } from "@copilotkit/aimock"
import { assert, describe, it } from "@effect/vitest"
import { Message, Model } from "@daylight/core"
import { Anthropic } from "@daylight/providers/anthropic"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"
import { answer, user } from "./support/Requests.ts"

const long = "A text of some length that never arrives as a whole, since the stream breaks. ".repeat(4)

const mock = Effect.acquireRelease(
  Effect.promise(async () => {
    const mock = new LLMock({ port: 0 })
    mock.onMessage("hello", { content: "Hello! How can I help?" })
    mock.onMessage("think", { content: "42.", reasoning: "Six times seven." })
    mock.onToolResult("call_sum", { content: "It is 2." })
    mock.onMessage("sum", { toolCalls: [{ name: "run", arguments: '{"code":"1 + 1"}', id: "call_sum" }] })
    mock.onMessage("look", {
      blocks: [
        { type: "text", text: "I look. " },
        { type: "toolCall", name: "run", arguments: '{"code":"a"}', id: "call_a" },
        { type: "toolCall", name: "run", arguments: '{"code":"b"}', id: "call_b" }
      ]
    })
    mock.onMessage("refuse", { error: { message: "Slow down.", type: "rate_limit_error" }, status: 429, retryAfter: 9 })
    mock.onMessage("break", {
      content: long
    }, { chunkSize: 10, latency: 10, truncateAfterChunks: 12 })
    await mock.start()
    return mock
  }),
  (mock) => Effect.promise(() => mock.stop())
)

const languages = {
  chat: (url: string) => OpenAi.make({ model: "gpt-4o", baseUrl: `${url}/v1`, apiKey: "mock" }),
  responses: (url: string) => OpenAi.make({ model: "gpt-5", api: "responses", baseUrl: `${url}/v1`, apiKey: "mock" }),
  messages: (url: string) => Anthropic.make({ model: "claude-sonnet-5", baseUrl: url, apiKey: "mock" })
}

for (const [name, make] of Object.entries(languages)) {
  describe(`aimock: ${name}`, () => {
    const asked = (text: string, rest: ReadonlyArray<Message> = []) =>
      Effect.gen(function*() {
        const server = yield* mock
        return yield* answer(yield* make(server.url), { messages: [user(text), ...rest] })
      })

    it.live("text", () =>
      Effect.gen(function*() {
        const got = yield* asked("hello")
        assert.deepStrictEqual(got.problems, [])
        assert.strictEqual(got.text, "Hello! How can I help?")
        assert.strictEqual(got.finish?.reason, "stop")
        assert.strictEqual(got.usage?.estimated, false)
      }))

    it.live("reasoning apart from text", () =>
      Effect.gen(function*() {
        const got = yield* asked("think")
        assert.strictEqual(got.text, "42.")
        assert.strictEqual(got.reasoning.map((thought) => thought.text).join(""), "Six times seven.")
      }))

    it.live("an action, and the answer to it", () =>
      Effect.gen(function*() {
        const got = yield* asked("sum")
        assert.deepStrictEqual(got.actions, [{ id: "call_sum", name: "run", json: '{"code":"1 + 1"}' }])
        assert.strictEqual(got.finish?.reason, "action")
        const next = yield* asked("sum", [
          Message.cases.Assistant.make({
            content: [{ _tag: "Action", id: "call_sum", name: "run", input: { code: "1 + 1" } }]
          }),
          Message.cases.Result.make({
            content: [{ _tag: "Feedback", id: "call_sum", ok: true, content: [{ _tag: "Text", text: "2" }] }]
          })
        ])
        assert.strictEqual(next.text, "It is 2.")
      }))

    it.live("text and two actions, in order", () =>
      Effect.gen(function*() {
        const got = yield* asked("look")
        assert.deepStrictEqual(got.problems, [])
        assert.strictEqual(got.text, "I look. ")
        assert.deepStrictEqual(got.actions.map((action) => action.json), ['{"code":"a"}', '{"code":"b"}'])
      }))

    it.live("a refusal with its wait, and one that passes", () =>
      Effect.gen(function*() {
        const got = yield* asked("refuse")
        assert.deepStrictEqual(got.error?.reason, {
          _tag: "RateLimited",
          status: 429,
          detail: "Slow down.",
          retryAfterMs: 9_000
        })
        const server = yield* mock
        server.nextRequestError(503, { message: "down" })
        const again = yield* answer(Model.resilient(yield* make(server.url), { retry: { base: "1 millis" } }), {
          messages: [user("hello")]
        })
        assert.isUndefined(again.error)
        assert.strictEqual(again.text, "Hello! How can I help?")
      }))

    it.live("a stream that breaks is no answer", () =>
      Effect.gen(function*() {
        const got = yield* asked("break")
        assert.strictEqual(got.error?.reason._tag, "Connection")
        assert.isTrue(long.startsWith(got.text))
        assert.isNotEmpty(got.text)
        assert.isUndefined(got.finish)
      }))
  })
}

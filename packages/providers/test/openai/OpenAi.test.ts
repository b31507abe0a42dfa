import { assert, describe, it } from "@effect/vitest"
import { watchdog } from "../../../core/src/model/Watchdog.ts"
import { OpenAi } from "@daylight/providers/openai"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { events, loopback, sse } from "../support/Loopback.ts"
import { answer } from "../support/Requests.ts"

const chunk = (delta: unknown, finish: string | null = null) =>
  sse({
    id: "c1",
    object: "chat.completion.chunk",
    model: "served-1",
    choices: [{ index: 0, delta, finish_reason: finish }]
  })

describe("chat completions", () => {
  it.live("streams text, an action, usage and a finish", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) =>
        events(response, [
          chunk({ role: "assistant", content: "Let me " }),
          chunk({ content: "look." }),
          chunk({
            tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "run", arguments: "" } }]
          }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: '{"code":' } }] }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: '"1+1"}' } }] }),
          chunk({}, "tool_calls"),
          sse({
            id: "c1",
            model: "served-1",
            choices: [],
            usage: {
              prompt_tokens: 12,
              completion_tokens: 7,
              total_tokens: 19,
              prompt_tokens_details: { cached_tokens: 8 }
            }
          }),
          sse("[DONE]")
        ])
      )
      const model = yield* OpenAi.make({ model: "local-1", baseUrl: `${server.url}/v1` })
      const got = yield* answer(model)
      assert.deepStrictEqual(got.problems, [])
      assert.strictEqual(got.text, "Let me look.")
      assert.deepStrictEqual(got.actions, [{ id: "call_1", name: "run", json: '{"code":"1+1"}' }])
      assert.deepStrictEqual(got.usage, {
        input: 12,
        output: 7,
        cacheRead: 8,
        cacheWrite: 0,
        reasoning: 0,
        estimated: false
      })
      assert.strictEqual(got.finish?.reason, "action")
      assert.strictEqual(server.received[0]?.url, "/v1/chat/completions")
      assert.deepInclude(server.received[0]?.body, {
        model: "local-1",
        stream: true,
        max_tokens: 1000,
        parallel_tool_calls: false
      })
    }))

  it.live("closes the socket within 200 ms of an interruption, and leaves none open", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) => events(response, [chunk({ content: "and on " })], { end: false }))
      const model = yield* OpenAi.make({ model: "local-1", baseUrl: `${server.url}/v1` })
      const fiber = yield* Effect.forkChild(answer(model))
      yield* Effect.sleep("300 millis")
      assert.strictEqual(server.openSockets(), 1)
      yield* Fiber.interrupt(fiber)
      assert.isBelow(yield* Effect.promise(server.untilClosed), 200)
    }))

  it.effect("does not wait long for the usage once the answer is complete", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) =>
        events(response, [chunk({ content: "Done." }), chunk({}, "stop")], { end: false })
      )
      const model = yield* OpenAi.make({ model: "local-1", baseUrl: `${server.url}/v1` })
      const fiber = yield* Effect.forkChild(answer(model))
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
      yield* TestClock.adjust("1900 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("100 millis")
      const got = yield* Fiber.join(fiber)
      assert.deepStrictEqual(got.problems, [])
      assert.strictEqual(got.text, "Done.")
      assert.strictEqual(got.finish?.reason, "stop")
      assert.isUndefined(got.usage)
      assert.isBelow(yield* Effect.promise(server.untilClosed), 200)
    }))

  it.effect("passes on that a silent server is alive, so that no watchdog ends a call that thinks", () =>
    Effect.gen(function*() {
      let write = (_: string) => {}
      const server = yield* loopback((_, response) => {
        write = (text) => response.write(text)
        events(response, [chunk({ content: "Hm." })], { end: false })
      })
      const model = watchdog(yield* OpenAi.make({ model: "local-1", baseUrl: `${server.url}/v1` }), {
        idle: "10 seconds"
      })
      const fiber = yield* Effect.forkChild(answer(model))
      const settle = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
      yield* settle
      for (let n = 0; n < 4; n++) {
        yield* TestClock.adjust("6 seconds")
        write(": still thinking\n\n")
        yield* settle
      }
      write(`${chunk({}, "stop")}data: [DONE]\n\n`)
      yield* settle
      yield* TestClock.adjust("3 seconds")
      const got = yield* Fiber.join(fiber)
      assert.isUndefined(got.error)
      assert.strictEqual(got.text, "Hm.")
    }))

  it.effect("a missing key names its variable", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(OpenAi.make({ model: "gpt-5" }))
      assert.include(error.message, "OPENAI_API_KEY")
    }).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))))
})

describe("responses", () => {
  const item = (output_index: number, item: object) => ({ output_index, item })
  const send = (type: string, fields: object) => sse({ type, ...fields }, type)

  it.live("streams reasoning, text, an action, usage and a finish", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) =>
        events(response, [
          send("response.created", { response: { id: "r1", model: "served-1", status: "in_progress", output: [] } }),
          send("response.output_item.added", item(0, { type: "reasoning", id: "rs_1", summary: [] })),
          send("response.reasoning_summary_part.added", { output_index: 0, summary_index: 0 }),
          send("response.reasoning_summary_text.delta", { output_index: 0, summary_index: 0, delta: "Simple " }),
          send("response.reasoning_summary_text.delta", { output_index: 0, summary_index: 0, delta: "sum." }),
          send(
            "response.output_item.done",
            item(0, {
              type: "reasoning",
              id: "rs_1",
              summary: [{ type: "summary_text", text: "Simple sum." }],
              encrypted_content: "enc"
            })
          ),
          send(
            "response.output_item.added",
            item(1, { type: "message", id: "msg_1", phase: "commentary", content: [] })
          ),
          send("response.output_text.delta", { output_index: 1, content_index: 0, delta: "Let me look." }),
          send(
            "response.output_item.done",
            item(1, {
              type: "message",
              id: "msg_1",
              phase: "commentary",
              content: [{ type: "output_text", text: "Let me look." }]
            })
          ),
          send(
            "response.output_item.added",
            item(2, { type: "function_call", id: "fc_1", call_id: "call_1", name: "run", arguments: "" })
          ),
          send("response.function_call_arguments.delta", {
            output_index: 2,
            item_id: "rotated",
            delta: '{"code":"1+1"}'
          }),
          send("response.function_call_arguments.done", { output_index: 2, arguments: '{"code":"1+1"}' }),
          send(
            "response.output_item.done",
            item(2, { type: "function_call", id: "fc_1", call_id: "call_1", name: "run", arguments: '{"code":"1+1"}' })
          ),
          send("response.completed", {
            response: {
              id: "r1",
              model: "served-1",
              status: "completed",
              output: [],
              usage: {
                input_tokens: 10,
                output_tokens: 20,
                input_tokens_details: { cached_tokens: 4 },
                output_tokens_details: { reasoning_tokens: 6 }
              }
            }
          })
        ])
      )
      const model = yield* OpenAi.make({
        model: "gpt-test",
        api: "responses",
        baseUrl: `${server.url}/v1`,
        apiKey: "sk-test-key"
      })
      const got = yield* answer(model)
      assert.deepStrictEqual(got.problems, [])
      assert.strictEqual(got.text, "Let me look.")
      assert.deepStrictEqual(got.reasoning, [{
        text: "Simple sum.",
        opaque: { openai: { id: "rs_1", encrypted: "enc" } }
      }])
      assert.deepStrictEqual(got.actions, [{ id: "call_1", name: "run", json: '{"code":"1+1"}' }])
      assert.deepStrictEqual(got.usage, {
        input: 10,
        output: 20,
        cacheRead: 4,
        cacheWrite: 0,
        reasoning: 6,
        estimated: false
      })
      assert.deepStrictEqual(got.finish, {
        _tag: "Finish",
        reason: "action",
        raw: "completed",
        opaque: { openai: { phase: "commentary" } }
      })
      assert.strictEqual(server.received[0]?.headers.authorization, "Bearer sk-test-key")
      assert.deepInclude(server.received[0]?.body, {
        store: false,
        include: ["reasoning.encrypted_content"],
        instructions: "You are a test."
      })
    }))
})

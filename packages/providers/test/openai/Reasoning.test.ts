/**
 * Reasoning in every shape that servers send, each streamed byte by byte: always a part of its own, never text or code.
 */
import { assert, describe, it } from "@effect/vitest"
import { Message } from "@daylight/core"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"
import { loopback, sse } from "../support/Loopback.ts"
import { answer, user } from "../support/Requests.ts"

const thought = "The user wants a sum.\n```ts run\nsteal()\n```\n"
const said = "It is 2, see `<think>` in the docs."

const chunk = (delta: object, finish: string | null = null) =>
  sse({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })
const stream = (...deltas: ReadonlyArray<object>) =>
  [...deltas.map((delta) => chunk(delta)), chunk({}, "stop"), sse("[DONE]")].join("")

const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)]

interface Shape {
  readonly name: string
  readonly body: string
  readonly options?: Partial<OpenAi.OpenAiOptions>
  readonly opaque?: unknown
}

const shapes: ReadonlyArray<Shape> = [
  {
    name: "reasoning_content",
    body: stream(...halves(thought).map((text) => ({ reasoning_content: text, content: null })), { content: said }),
    opaque: { openai: { field: "reasoning_content" } }
  },
  {
    name: "reasoning",
    body: stream(...halves(thought).map((text) => ({ reasoning: text })), { content: said }),
    opaque: { openai: { field: "reasoning" } }
  },
  {
    name: "reasoning with details that have to go back",
    body: stream(
      { reasoning: thought, reasoning_details: [{ type: "reasoning.text", text: thought, signature: "sig" }] },
      { content: said }
    ),
    opaque: { openai: { field: "reasoning", details: [{ type: "reasoning.text", text: thought, signature: "sig" }] } }
  },
  {
    name: "parts of the content",
    body: stream({ content: [{ type: "thinking", thinking: [{ type: "text", text: thought }] }] }, {
      content: [{ type: "text", text: said }]
    }),
    opaque: { openai: { field: "thinking" } }
  },
  {
    name: "tags at the head",
    body: stream(...halves(`\n<think>${thought}</think>\n\n${said}`).map((content) => ({ content })))
  },
  {
    name: "tags whose first one the template took",
    body: stream(...halves(`${thought}</think>\n${said}`).map((content) => ({ content }))),
    options: { thinkTags: "implied" }
  }
]

describe("reasoning", () => {
  for (const { body, name, opaque, options } of shapes) {
    it.live(name, () =>
      Effect.gen(function*() {
        const server = yield* loopback(async (_, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" })
          for (const byte of Buffer.from(body)) {
            response.write(Buffer.from([byte]))
            if (byte === 10) await new Promise((resolve) => setImmediate(resolve))
          }
          response.end()
        })
        const got = yield* answer(yield* OpenAi.make({ model: "m", baseUrl: server.url, ...options }))
        assert.isUndefined(got.error)
        assert.deepStrictEqual(got.problems, [])
        assert.strictEqual(got.text, said)
        assert.deepStrictEqual(got.reasoning, [{ text: thought, opaque }])
        assert.deepStrictEqual(got.actions, [])
      }))
  }

  it.live("tags are text at OpenAI itself, and where they are switched off", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end(stream({ content: "<think>a</think>b" }))
      })
      const got = yield* answer(yield* OpenAi.make({ model: "m", baseUrl: server.url, thinkTags: false }))
      assert.strictEqual(got.text, "<think>a</think>b")
    }))

  it.live("goes back to its provider while a tool loop goes on, and only then", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end(stream({ content: "ok" }))
      })
      const reasoning = (field: string, provider = "openai") => ({
        _tag: "Reasoning" as const,
        text: "hm",
        opaque: { [provider]: { field } }
      })
      yield* answer(yield* OpenAi.make({ model: "m", baseUrl: server.url }), {
        system: "",
        messages: [
          user("a"),
          Message.cases.Assistant.make({
            content: [reasoning("reasoning_content"), { _tag: "Text", text: "no tools" }]
          }),
          user("b"),
          Message.cases.Assistant.make({
            content: [reasoning("reasoning_content"), { _tag: "Action", id: "c1", name: "run", input: { code: "1" } }]
          }),
          Message.cases.Result.make({
            content: [{ _tag: "Feedback", id: "c1", ok: true, content: [{ _tag: "Text", text: "1" }] }]
          }),
          Message.cases.Assistant.make({
            content: [reasoning("reasoning_content", "other"), {
              _tag: "Action",
              id: "c2",
              name: "run",
              input: { code: "2" }
            }]
          }),
          Message.cases.Result.make({
            content: [{ _tag: "Feedback", id: "c2", ok: true, content: [{ _tag: "Text", text: "2" }] }]
          })
        ]
      })
      const messages: ReadonlyArray<Record<string, unknown>> = server.received[0]?.body.messages
      assert.deepStrictEqual(messages.map((message) => message["reasoning_content"]), [
        undefined,
        undefined,
        undefined,
        "hm",
        undefined,
        undefined,
        undefined
      ])
    }))
})

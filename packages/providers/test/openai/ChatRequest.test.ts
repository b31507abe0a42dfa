import { assert, describe, it } from "@effect/vitest"
import { Message, ModelError } from "@daylight/core"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"
import { loopback, sse } from "../support/Loopback.ts"
import { answer, type request, user } from "../support/Requests.ts"

const body = [
  sse({ id: "c", model: "m", choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }),
  sse("[DONE]")
].join("")

/** Sends one request and gives the body that a server got. */
const sent = (over: Parameters<typeof request>[0], options: Partial<OpenAi.OpenAiOptions> = {}) =>
  Effect.gen(function*() {
    const server = yield* loopback((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.end(body)
    })
    const got = yield* answer(yield* OpenAi.make({ model: "m", baseUrl: server.url, api: "chat", ...options }), over)
    return { body: server.received[0]?.body, error: got.error }
  }).pipe(Effect.scoped)

const blob = { hash: "sha256:1", bytes: 3, mediaType: "image/png" }
const acted = Message.cases.Assistant.make({
  content: [{ _tag: "Text", text: "I look." }, { _tag: "Action", id: "c1", name: "run", input: { code: "1 + 1" } }]
})
const answered = Message.cases.Result.make({
  content: [{ _tag: "Feedback", id: "c1", ok: true, content: [{ _tag: "Text", text: "2" }] }]
})

describe("chat requests", () => {
  it.live("a conversation with an action and its answer", () =>
    Effect.gen(function*() {
      const { body } = yield* sent({ messages: [user("What is 1 + 1?"), acted, answered] })
      assert.deepStrictEqual(body.messages, [
        { role: "system", content: "You are a test." },
        { role: "user", content: "What is 1 + 1?" },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [{ id: "c1", type: "function", function: { name: "run", arguments: '{"code":"1 + 1"}' } }]
        },
        { role: "tool", tool_call_id: "c1", content: "2" }
      ])
    }))

  it.live("without actions the same conversation is text with fenced blocks", () =>
    Effect.gen(function*() {
      const { body } = yield* sent({ messages: [user("What is 1 + 1?"), acted, answered], actions: [], choice: "none" })
      assert.deepStrictEqual(body.messages.slice(1), [
        { role: "user", content: "What is 1 + 1?" },
        { role: "assistant", content: "I look.\n```ts run\n1 + 1\n```" },
        { role: "user", content: "2" }
      ])
      assert.isUndefined(body.tools)
    }))

  it.live("cells are written as the request says, also where two agents share one model", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end(body)
      })
      const model = yield* OpenAi.make({ model: "m", baseUrl: server.url, api: "chat" })
      const messages = [user("?"), acted, answered]
      const blocks = [
        { open: "<execute>", close: "</execute>" },
        { open: "```js run", close: "```" },
        undefined,
        { open: "<execute>", close: "</execute>" }
      ]
      for (const block of blocks) yield* answer(model, { messages, actions: [], block })
      assert.deepStrictEqual(server.received.map(({ body }) => body.messages[2].content), [
        "I look.\n<execute>\n1 + 1\n</execute>",
        "I look.\n```js run\n1 + 1\n```",
        "I look.\n```ts run\n1 + 1\n```",
        "I look.\n<execute>\n1 + 1\n</execute>"
      ])
    }))

  it.live("a fence is longer than any fence in the code", () =>
    Effect.gen(function*() {
      const code = "const text = `\n```\nquoted\n```\n`"
      const { body } = yield* sent({
        messages: [
          user("?"),
          Message.cases.Assistant.make({ content: [{ _tag: "Action", id: "c1", name: "run", input: { code } }] })
        ],
        actions: []
      })
      assert.strictEqual(body.messages.at(-1).content, `\`\`\`\`ts run\n${code}\n\`\`\`\``)
    }))

  it.live("binding paths are spelled for the wire, and apart from each other", () =>
    Effect.gen(function*() {
      const action = (name: string) => ({ name, description: name, inputSchema: { type: "object" } })
      const { body } = yield* sent({
        actions: [action("orders.find"), action("orders_find"), action("größe")],
        messages: [
          user("?"),
          Message.cases.Assistant.make({ content: [{ _tag: "Action", id: "c1", name: "orders.find", input: {} }] })
        ]
      })
      assert.deepStrictEqual(
        body.tools.map((tool: { readonly function: { readonly name: string } }) => tool.function.name),
        ["orders_find", "orders_find_2", "gr__e"]
      )
      assert.strictEqual(body.messages.at(-1).tool_calls[0].function.name, "orders_find")
      assert.isUndefined(body.parallel_tool_calls)
    }))

  it.live("images go as data, also those that a cell showed", () =>
    Effect.gen(function*() {
      const media = () => Effect.succeed(new Uint8Array([1, 2, 3]))
      const { body } = yield* sent({
        media,
        messages: [
          Message.cases.User.make({ content: [{ _tag: "Text", text: "This?" }, { _tag: "Media", blob }] }),
          acted,
          Message.cases.Result.make({
            content: [{
              _tag: "Feedback",
              id: "c1",
              ok: true,
              content: [{ _tag: "Text", text: "a chart" }, { _tag: "Media", blob }]
            }]
          })
        ]
      })
      const image = { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } }
      assert.deepStrictEqual(body.messages[1].content, [{ type: "text", text: "This?" }, image])
      assert.deepStrictEqual(body.messages.slice(3), [
        { role: "tool", tool_call_id: "c1", content: "a chart\n[image/png, shown below]" },
        { role: "user", content: [image] }
      ])
    }))

  it.live("media that are lost are an error that names them, and nothing is sent", () =>
    Effect.gen(function*() {
      const gone = new ModelError({
        provider: "openai",
        model: "m",
        reason: { _tag: "InvalidRequest", detail: "sha256:1 is lost" }
      })
      const { body, error } = yield* sent({
        media: () => Effect.fail(gone),
        messages: [Message.cases.User.make({ content: [{ _tag: "Media", blob }] })]
      })
      assert.isUndefined(body)
      assert.include(error?.message, "sha256:1 is lost")
    }))

  it.live("turns of one role are joined for templates that want them to alternate", () =>
    Effect.gen(function*() {
      const messages = [user("a"), user("b"), acted, answered, user("c"), user("d")]
      const plain = yield* sent({ messages })
      const strict = yield* sent({ messages, actions: [] }, { strictAlternation: true })
      assert.strictEqual(plain.body.messages.length, 7)
      assert.deepStrictEqual(strict.body.messages.map((message: { readonly role: string }) => message.role), [
        "system",
        "user",
        "assistant",
        "user"
      ])
      assert.strictEqual(strict.body.messages[1].content, "a\n\nb")
      assert.strictEqual(strict.body.messages[3].content, "2\n\nc\n\nd")
    }))

  it.live("settings reach the body, and a provider's own options win", () =>
    Effect.gen(function*() {
      const { body } = yield* sent({
        choice: "required",
        temperature: 0.2,
        reasoning: "high",
        maxOutputTokens: 77,
        providerOptions: { openai: { seed: 7, temperature: 0.3 }, other: { seed: 8 } }
      })
      assert.deepInclude(body, {
        max_tokens: 77,
        temperature: 0.3,
        reasoning_effort: "high",
        tool_choice: "required",
        seed: 7
      })
    }))

  it.live("what a model garbled goes back inside an object", () =>
    Effect.gen(function*() {
      const { body } = yield* sent({
        messages: [
          user("?"),
          Message.cases.Assistant.make({ content: [{ _tag: "Action", id: "c1", name: "run", input: '{"code":' }] })
        ]
      })
      assert.strictEqual(body.messages.at(-1).tool_calls[0].function.arguments, '{"unparsed":"{\\"code\\":"}')
    }))
})

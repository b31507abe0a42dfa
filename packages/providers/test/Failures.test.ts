/** Every row of the failure table, over real sockets, through the SDKs, with all that makes a call outlive trouble. */
import { assert, describe, it } from "@effect/vitest"
import { Model } from "@daylight/core"
import { Anthropic } from "@daylight/providers/anthropic"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"
import type { ServerResponse } from "node:http"
import { failures } from "./failures.ts"
import type { Api, FailureRow } from "./failures/FailureRow.ts"
import { json, loopback, sse } from "./support/Loopback.ts"
import { answer } from "./support/Requests.ts"

/** Waits are short here; how long they are is the matter of other tests. */
const resilience = {
  retry: { base: "1 millis", most: "2 millis", patience: "1 second" },
  continue: { base: "1 millis" }
} as const

describe(`failures: ${failures.length} rows`, () => {
  it("are at least 120, and no row is there twice", () => {
    assert.isAtLeast(failures.length, 120)
    assert.strictEqual(new Set(failures.map(title)).size, failures.length)
  })

  for (const row of failures) {
    it.live(title(row), () =>
      Effect.gen(function*() {
        const server = yield* loopback((_, response, nth) => {
          if (row.passes === true && nth > 1) fine(response, row.api)
          else fail(response, row)
        })
        const model = Model.resilient(yield* makers[row.api](server.url), resilience)
        const got = yield* answer(model)
        assert.deepStrictEqual(got.problems, [])
        assert.strictEqual(got.error?.reason._tag ?? "fine", row.reason, got.error?.message)
        assert.strictEqual(server.received.length, 1 + row.retries)
        assert.strictEqual(got.text, row.text)
        if (row.reason === "fine") assert.strictEqual(got.finish?.reason, "stop")
        if (row.status !== undefined && row.status !== 200 && got.error) {
          assert.strictEqual(got.error.reason.status, row.status)
        }
      }))
  }
})

function title({ api, name, passes, phase, status }: FailureRow) {
  return `${api}, ${phase}${status === undefined ? "" : ` ${status}`}: ${name}${passes === true ? " (passes)" : ""}`
}

const makers = {
  chat: (url: string) => OpenAi.make({ model: "m", baseUrl: `${url}/v1`, apiKey: "none" }),
  responses: (url: string) => OpenAi.make({ model: "m", api: "responses", baseUrl: `${url}/v1`, apiKey: "none" }),
  messages: (url: string) => Anthropic.make({ model: "m", baseUrl: url, apiKey: "none" })
}

const fail = (response: ServerResponse, row: FailureRow) => {
  if (row.phase === "before" && row.stream === undefined) {
    return json(response, row.status ?? 500, row.body, row.headers)
  }
  if (row.phase === "before" && row.stream === "cut") return response.destroy()
  open(response)
  if (row.phase === "middle") { for (const event of begun[row.api]("some ")) response.write(event) }
  if (row.phase === "after") {
    for (const event of [...begun[row.api]("all of it"), ...finished[row.api]]) response.write(event)
  }
  if (row.stream === "garbage") response.write(sse('{"id":', row.api === "messages" ? "message_delta" : undefined))
  else if (row.body !== undefined) response.write(errorEvent(row.api, row.body))
  // What was written must be on its way before the socket is gone.
  if (row.stream === "cut") setTimeout(() => response.destroy(), 20)
  else response.end()
}

const fine = (response: ServerResponse, api: Api) => {
  open(response)
  for (const event of [...begun[api]("all of it"), ...finished[api]]) response.write(event)
  response.end()
}

const open = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.flushHeaders()
}

const errorEvent = (api: Api, body: unknown) =>
  api === "responses"
    ? sse({ type: "error", ...body as object }, "error")
    : sse(body, api === "messages" ? "error" : undefined)

const chunk = (delta: object, finish: string | null = null) =>
  sse({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })
const event = (type: string, fields: object = {}) => sse({ type, ...fields }, type)

const begun: Readonly<Record<Api, (text: string) => ReadonlyArray<string>>> = {
  chat: (text) => [chunk({ content: text })],
  responses: (text) => [
    event("response.created", { response: { id: "r", model: "m", status: "in_progress", output: [] } }),
    event("response.output_item.added", { output_index: 0, item: { type: "message", id: "i", content: [] } }),
    event("response.output_text.delta", { output_index: 0, delta: text })
  ],
  messages: (text) => [
    event("message_start", {
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 }
      }
    }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text } })
  ]
}

const finished: Readonly<Record<Api, ReadonlyArray<string>>> = {
  chat: [chunk({}, "stop")],
  responses: [
    event("response.completed", {
      response: { id: "r", model: "m", status: "completed", output: [], usage: { input_tokens: 1, output_tokens: 1 } }
    })
  ],
  messages: [
    event("content_block_stop", { index: 0 }),
    event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } })
  ]
}

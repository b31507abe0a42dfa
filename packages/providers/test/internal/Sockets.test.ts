import { assert, describe, it } from "@effect/vitest"
import { Anthropic } from "@daylight/providers/anthropic"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"
import { events, loopback, sse } from "../support/Loopback.ts"
import { answer } from "../support/Requests.ts"

const makers = {
  OpenAI: (url: string) => OpenAi.make({ model: "m", baseUrl: url }),
  Anthropic: (url: string) => Anthropic.make({ model: "m", baseUrl: url })
}
const bodies = {
  OpenAI: [sse({ id: "c", choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }), sse("[DONE]")],
  Anthropic: [
    sse({ type: "message_start", message: { id: "m", content: [], usage: {} } }, "message_start"),
    sse({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} }, "message_delta"),
    sse({ type: "message_stop" }, "message_stop")
  ]
}

describe("sockets", () => {
  for (const name of ["OpenAI", "Anthropic"] as const) {
    it.live(`${name}: sockets are kept for the next call, none after the model is closed`, () =>
      Effect.gen(function*() {
        const server = yield* loopback((_, response) => events(response, bodies[name]))
        yield* Effect.scoped(Effect.gen(function*() {
          const model = yield* makers[name](server.url)
          for (let call = 0; call < 3; call++) assert.isUndefined((yield* answer(model)).error)
          assert.isAtLeast(server.openSockets(), 1)
          assert.isAtMost(server.openSockets(), 2)
        }))
        assert.isBelow(yield* Effect.promise(server.untilClosed), 200)
      }))
  }

  it.live("closing one model leaves the calls of another alone", () =>
    Effect.gen(function*() {
      const server = yield* loopback(async (_, response) => {
        events(response, bodies.OpenAI.slice(0, 1), { end: false })
        await new Promise((resolve) => setTimeout(resolve, 200))
        response.end(bodies.OpenAI[1])
      })
      const model = yield* makers.OpenAI(server.url)
      const closing = Effect.delay(Effect.scoped(makers.OpenAI(server.url)), "50 millis")
      const [got] = yield* Effect.all([answer(model), closing], { concurrency: 2 })
      assert.isUndefined(got.error)
      assert.strictEqual(got.text, "ok")
    }))
})

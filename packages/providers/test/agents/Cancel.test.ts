/**
 * A model that never ends, and a person who does not wait: through every adapter the run settles and the socket closes.
 */
import { assert, describe, it } from "@effect/vitest"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import { events, type Loopback, loopback } from "../support/Loopback.ts"
import { type Adapter, adapters } from "./Adapters.ts"

const text = "I begin and wait"

/** The pieces of an answer up to the end of its text. */
const begun = ({ encode }: Adapter): ReadonlyArray<string> => {
  const pieces = encode({ text })
  return pieces.slice(0, pieces.findIndex((piece) => piece.includes("and wait")) + 1)
}

/** Milliseconds from the cancellation until no socket is open. */
const cancelled = async (server: Loopback, { model }: Adapter) => {
  const agent = createAgent({ name: "waiter", model: model(server.url), runtime: VmRuntime.layer })
  const cancel = new AbortController()
  const running = agent.stream("Wait.", { signal: cancel.signal })
  let shown = ""
  let closed: Promise<number> | undefined
  for await (const live of running) {
    if (live._tag !== "TextDelta") continue
    shown += live.text
    if (shown !== text) continue
    closed = server.untilClosed()
    cancel.abort()
  }
  const outcome = await running.outcome
  assert.deepInclude(outcome, { reason: "cancelled", text })
  await agent[Symbol.asyncDispose]()
  return closed!
}

describe("a cancelled run", () => {
  for (const [name, adapter] of Object.entries(adapters)) {
    it.live(name, () =>
      Effect.gen(function*() {
        const server = yield* loopback((_, response) => events(response, begun(adapter), { end: false }))
        const times: Array<number> = []
        // A busy machine may be late once.
        while (times.length < 5 && !times.some((ms) => ms < 200)) {
          times.push(yield* Effect.promise(() => cancelled(server, adapter)))
        }
        assert.isBelow(Math.min(...times), 200, `${times}`)
        assert.lengthOf(server.received, times.length)
      }))
  }
})

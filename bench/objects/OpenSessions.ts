/** Row 11: what 1,000 open sessions keep in memory, before any of them ran a cell and after each ran one. */
import { Agent, Binding, type ModelRequest, Session, SessionStore } from "@daylight/core"
import { type Reply, ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import { setTimeout as sleep } from "node:timers/promises"

const sessions = 1_000

/** Kilobytes a session. */
export interface Kept {
  readonly opened: number
  readonly openedResident: number
  readonly afterCell: number
  readonly afterCellResident: number
  /** Milliseconds to open one. */
  readonly opening: number
}

const clerk = Agent.make({
  name: "clerk",
  instructions: "Answer from the orders.",
  bindings: [
    Binding.variable("orders", Array.from({ length: 100 }, (_, id) => ({ id, total: id * 2 }))),
    Binding.func(function notify(text: string) {
      return text.length
    }, { description: "Notifies the customer." })
  ]
})

/** One cell, then an answer, in every session alike; but for its number each cell is the same. */
const reply = (request: ModelRequest, index: number): Reply =>
  request.messages.at(-1)?._tag === "Result"
    ? "done"
    : { code: `const large = orders.filter((order) => order.total > ${index % 150})\nlarge.length` }

export const measure = (): Promise<Kept> =>
  Effect.gen(function*() {
    // The first session loads what is loaded on demand, which is no session's own.
    const first = yield* Session.open(clerk)
    yield* first.run("go")
    const empty = yield* memory
    const started = performance.now()
    const open = yield* Effect.forEach(Array.from({ length: sessions }), () => Session.open(clerk))
    const opening = (performance.now() - started) / sessions
    const opened = yield* memory
    for (const session of open) {
      const { cells, reason } = yield* session.run("go")
      if (reason !== "completed" || cells !== 1) {
        return yield* Effect.die(new Error(`a session ended as ${reason} after ${cells} cells`))
      }
    }
    const after = yield* memory
    const each = (from: number, to: number) => (to - from) / sessions / 1_000
    return {
      opened: each(empty.heap, opened.heap),
      openedResident: each(empty.resident, opened.resident),
      afterCell: each(empty.heap, after.heap),
      afterCellResident: each(empty.resident, after.resident),
      opening
    }
  }).pipe(
    Effect.scoped,
    Effect.provide([ScriptedModel.layer(reply), VmRuntime.layer, SessionStore.layerMemory]),
    Effect.runPromise
  )

/** What is alive, once nothing is left to be collected. */
const memory = Effect.promise(async () => {
  for (let i = 0; i < 4; i++) {
    globalThis.gc!()
    await sleep(20)
  }
  const { external, heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed + external, resident: rss }
})

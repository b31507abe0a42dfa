/**
 * One process runs an agent; another lists it, reads along, answers it, interrupts it, and sees what it left behind
 * when it was killed.
 */
import { SessionId, type SessionSummary } from "@daylight/core"
import { notebookOf, SqliteStore } from "@daylight/store"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { callEnded, type Store } from "../events.ts"
import { Child } from "./Child.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "daylight-agent-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const children: Array<Child> = []
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill()
})

let count = 0

/** The agent in its process, and this process looking on. */
const beside = async (
  what: "pay" | "ask" | "wait",
  body: (store: Store, id: SessionId, child: Child) => Effect.Effect<void, unknown>
) => {
  const filename = join(folder, `${++count}.db`)
  const id = SessionId.make(`cashier-${count}`)
  const child = new Child("agent.ts", filename, id, what)
  children.push(child)
  await Effect.runPromise(
    Effect.scoped(Effect.flatMap(SqliteStore.make({ filename }), (store) => body(store, id, child)))
  )
}

/** Reads along until an event of this kind. */
const until = (store: Store, id: SessionId, tag: string) =>
  Stream.runCollect(Stream.takeUntil(store.read(id, { follow: true }), ({ event }) => event._tag === tag)).pipe(
    // The other process has to open it first.
    Effect.retry({ while: (error) => error.reason._tag === "NotFound", schedule: Schedule.spaced("20 millis") })
  )

const rowOf = (store: Store): Effect.Effect<SessionSummary, unknown> =>
  Effect.map(store.list({}), ({ items }) => items[0]!)

describe("beside a running agent, another process", () => {
  test("lists it, reads along and interrupts it", () =>
    beside("wait", (store, id, child) =>
      Effect.gen(function*() {
        const seen = yield* until(store, id, "CellStarted")
        expect(seen.map(({ event }) => event._tag)).toEqual([
          "SessionOpened",
          "RunStarted",
          "ModelCalled",
          "ModelAnswered",
          "CellStarted"
        ])
        expect(yield* rowOf(store)).toMatchObject({
          session: id,
          agent: "cashier",
          status: "running",
          title: "Pay the bill",
          owner: { holder: expect.stringMatching(/^process \d+ on /) }
        })
        yield* store.send(id, { _tag: "Interrupt", by: "ann" })
        expect(yield* Effect.promise(() => child.line("ended"))).toBe("ended cancelled I am on it.")
        const log = yield* until(store, id, "RunEnded")
        expect(notebookOf(log).cells.map(({ cell_type, source }) => [cell_type, source])).toEqual([
          ["markdown", "**Asked**\n\nPay the bill"],
          ["markdown", "I am on it."],
          ["code", "await new Promise((resolve) => setTimeout(resolve, 60_000))"],
          ["markdown", expect.stringContaining("**Ended** as cancelled")]
        ])
      })))

  test("finds what waits for an answer, and gives it", () =>
    beside("ask", (store, id, child) =>
      Effect.gen(function*() {
        yield* until(store, id, "ApprovalAsked")
        const { pending, status } = yield* rowOf(store)
        expect([status, pending.length]).toEqual(["waiting", 1])
        yield* store.send(id, {
          _tag: "Decide",
          key: pending[0]!,
          decision: { _tag: "Allow", scope: "once" },
          by: "ann"
        })
        expect(yield* Effect.promise(() => child.line("paying"))).toBe("paying 5")
        expect(yield* Effect.promise(() => child.line("ended"))).toBe("ended completed All done.")
        expect(yield* rowOf(store)).toMatchObject({ status: "open", reason: "completed", pending: [] })
      })))

  test("sees, when it is killed in a payment, that nobody knows whether it was made", () =>
    beside("pay", (store, id, child) =>
      Effect.gen(function*() {
        yield* Effect.promise(() => child.line("paying"))
        expect((yield* rowOf(store)).pending).toEqual([])
        yield* Effect.promise(() => child.kill())
        const left = yield* rowOf(store)
        expect(left).toMatchObject({ status: "running", pending: [expect.any(String)] })
        expect(left.owner).toBeUndefined()
        // The start of the payment was on disk before it was made.
        const log = yield* Stream.runCollect(store.read(id))
        expect(log.at(-1)!.event).toMatchObject({
          _tag: "CallStarted",
          path: "pay",
          effect: "external",
          key: left.pending[0]
        })
        yield* Effect.scoped(Effect.gen(function*() {
          const journal = yield* store.claim(id)
          yield* journal.append([callEnded("unknown")])
          yield* journal.append([{ _tag: "EffectSettled", key: left.pending[0]!, happened: true, by: "ann" }])
        }))
        expect((yield* rowOf(store)).pending).toEqual([])
      })))
})

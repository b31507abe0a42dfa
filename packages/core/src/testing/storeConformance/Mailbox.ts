import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { Journal, Signal } from "../../SessionStore.ts"
import { equal } from "../conformance/Check.ts"
import { opened } from "./Events.ts"
import { id, StoreGroup } from "./StoreCase.ts"

const interrupt = (by: string): Signal => ({ _tag: "Interrupt", by })

/** The next signals, each of them taken. */
const take = (journal: Journal, count: number) =>
  journal.signals.pipe(
    Stream.take(count),
    Stream.mapEffect(({ signal, taken }) => Effect.as(taken, signal)),
    Stream.runCollect
  )

export const mailbox = new StoreGroup("the mailbox")
  .open("brings what any process sends to the owner, in order", (storage) =>
    Effect.gen(function*() {
      const [owner, sender] = [yield* storage.connect(), yield* storage.connect()]
      const journal = yield* owner.create(id("s"), opened())
      const fiber = yield* Effect.forkChild(take(journal, 5), { startImmediately: true })
      for (const by of ["a", "b", "c"]) yield* sender.send(id("s"), interrupt(by))
      yield* owner.send(id("s"), interrupt("d"))
      yield* sender.send(id("s"), interrupt("e"))
      equal(yield* Fiber.join(fiber), ["a", "b", "c", "d", "e"].map(interrupt), "signals")
    }))
  .open("keeps signals for the next owner", (storage) =>
    Effect.gen(function*() {
      const [owner, sender] = [yield* storage.connect(), yield* storage.connect()]
      yield* Effect.scoped(owner.create(id("s"), opened()))
      yield* sender.send(id("s"), interrupt("a"))
      yield* sender.send(id("s"), interrupt("b"))
      const journal = yield* owner.claim(id("s"))
      equal(yield* take(journal, 2), ["a", "b"].map(interrupt), "signals")
    }))
  .test("brings a signal again until it is taken, and then never more", (store) =>
    Effect.gen(function*() {
      const once = (taking: boolean) =>
        Effect.scoped(Effect.gen(function*() {
          const journal = yield* store.claim(id("s"))
          return taking
            ? yield* take(journal, 1)
            : (yield* Stream.runCollect(Stream.take(journal.signals, 1))).map(({ signal }) => signal)
        }))
      yield* Effect.scoped(store.create(id("s"), opened()))
      yield* store.send(id("s"), interrupt("a"))
      yield* store.send(id("s"), interrupt("b"))
      equal(yield* once(false), [interrupt("a")], "not taken")
      equal(yield* once(true), [interrupt("a")], "again")
      equal(yield* once(true), [interrupt("b")], "the next")
    }))
  .test("keeps decisions and settlements whole", (store) =>
    Effect.gen(function*() {
      const signals: ReadonlyArray<Signal> = [
        {
          _tag: "Decide",
          key: "k",
          decision: { _tag: "Answer", value: { _tag: "Json", value: { n: [1, "two"] } } },
          by: "ann"
        },
        { _tag: "Decide", key: "k", decision: { _tag: "Deny", why: "no\u0000" }, by: "日本" },
        { _tag: "Settle", key: "k", happened: true, value: { _tag: "Devalue", text: "[1]" }, by: "ann" },
        interrupt("ann")
      ]
      const journal = yield* store.create(id("s"), opened())
      for (const signal of signals) yield* store.send(id("s"), signal)
      equal(yield* take(journal, 4), signals, "signals")
    }))
  .test("loses nothing of what many send at once", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      const fiber = yield* Effect.forkChild(take(journal, 50), { startImmediately: true })
      const names = Array.from({ length: 50 }, (_, n) => `p${n}`)
      yield* Effect.forEach(names, (by) => store.send(id("s"), interrupt(by)), { concurrency: "unbounded" })
      equal((yield* Fiber.join(fiber)).map(({ by }) => by).toSorted(), names.toSorted(), "signals")
    }))
  .test("of one session is not that of another", (store) =>
    Effect.gen(function*() {
      const a = yield* store.create(id("a"), opened())
      const b = yield* store.create(id("b"), opened())
      yield* store.send(id("a"), interrupt("for a"))
      yield* store.send(id("b"), interrupt("for b"))
      equal(yield* take(b, 1), [interrupt("for b")], "b")
      equal(yield* take(a, 1), [interrupt("for a")], "a")
    }))

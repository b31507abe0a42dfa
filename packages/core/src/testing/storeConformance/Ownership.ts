import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { Journal } from "../../SessionStore.ts"
import type { StoreError } from "../../StoreError.ts"
import { equal, truthy } from "../conformance/Check.ts"
import { opened, warned } from "./Events.ts"
import { eventsOf } from "./Opening.ts"
import { id, refused, StoreGroup } from "./StoreCase.ts"

/** Owns until `release`. */
const held = Effect.fnUntraced(function*(claim: Effect.Effect<Journal, StoreError, Scope.Scope>) {
  const scope = yield* Scope.make()
  const journal = yield* Effect.provideService(claim, Scope.Scope, scope)
  return { journal, release: Scope.close(scope, Exit.void) }
})

export const ownership = new StoreGroup("ownership")
  .open("is of one at a time, and says whose and until when", (storage) =>
    Effect.gen(function*() {
      const [ours, theirs] = [yield* storage.connect(), yield* storage.connect()]
      yield* ours.create(id("s"), opened())
      const { holder, until } = yield* refused(theirs.claim(id("s")), "Held")
      truthy(holder.length > 0, "holder")
      truthy(Math.abs(until - Date.now()) < 3_600_000, "until")
      yield* refused(ours.claim(id("s")), "Held")
      yield* refused(theirs.remove(id("s")), "Held")
    }))
  .open("goes to the next one when it is given back", (storage) =>
    Effect.gen(function*() {
      const [ours, theirs] = [yield* storage.connect(), yield* storage.connect()]
      const first = yield* held(ours.create(id("s"), opened()))
      yield* first.journal.append([warned(1)])
      yield* first.release
      const second = yield* theirs.claim(id("s"))
      equal((yield* second.append([warned(2)])).map(({ seq }) => seq), [3], "goes on where the other stopped")
      equal(yield* eventsOf(ours, "s"), [opened(), warned(1), warned(2)], "events")
    }))
  .open("goes to one of many that claim at once", (storage) =>
    Effect.gen(function*() {
      const stores = yield* Effect.all([storage.connect(), storage.connect(), storage.connect()])
      yield* Effect.scoped(stores[0]!.create(id("s"), opened()))
      const claims = stores.flatMap((store) => [store, store]).map((store) => Effect.result(store.claim(id("s"))))
      const results = yield* Effect.all(claims, { concurrency: "unbounded" })
      equal(results.filter((result) => result._tag === "Success").length, 1, "owners")
    }))
  .open("a journal that was given back writes nothing", (storage) =>
    Effect.gen(function*() {
      const [ours, theirs] = [yield* storage.connect(), yield* storage.connect()]
      const { journal, release } = yield* held(ours.create(id("s"), opened()))
      yield* release
      const second = yield* theirs.claim(id("s"))
      yield* second.append([warned(2)])
      const { actualSeq, expectedSeq } = yield* refused(journal.append([warned(3)]), "Fenced")
      equal([expectedSeq, actualSeq], [2, 2], "expected and found")
      yield* refused(journal.append([warned(4)]), "Fenced")
      equal(yield* eventsOf(theirs, "s"), [opened(), warned(2)], "events")
    }))
  .test("a journal that was given back writes nothing, also where nobody took it", (store) =>
    Effect.gen(function*() {
      const { journal, release } = yield* held(store.create(id("s"), opened()))
      yield* release
      yield* refused(journal.append([warned(1)]), "Fenced")
      equal(yield* eventsOf(store, "s"), [opened()], "events")
    }))
  .open("of one session says nothing about another", (storage) =>
    Effect.gen(function*() {
      const [ours, theirs] = [yield* storage.connect(), yield* storage.connect()]
      yield* ours.create(id("a"), opened())
      const b = yield* theirs.create(id("b"), opened())
      yield* b.append([warned(1)])
    }))
  .open(
    "of a process that gives no sign of life is taken over, and it can write nothing",
    (storage) =>
      Effect.gen(function*() {
        const [asleep, awake] = [yield* storage.connect({ lapsing: true }), yield* storage.connect()]
        const old = yield* asleep.create(id("s"), opened())
        yield* refused(awake.claim(id("s")), "Held")
        yield* storage.lapsed
        const taken = yield* awake.claim(id("s"))
        yield* refused(old.append([warned(1)]), "Fenced")
        yield* taken.append([warned(2)])
        yield* refused(old.append([warned(3)]), "Fenced")
        equal(yield* eventsOf(awake, "s"), [opened(), warned(2)], "events")
      }),
    ["lapse"]
  )
  .open("is lost with its lease, also where nobody took over", (storage) =>
    Effect.gen(function*() {
      const asleep = yield* storage.connect({ lapsing: true })
      const { journal, release } = yield* held(asleep.create(id("s"), opened()))
      yield* storage.lapsed
      yield* refused(journal.append([warned(1)]), "Fenced")
      yield* release
      const again = yield* asleep.claim(id("s"))
      yield* again.append([warned(2)])
      equal(yield* eventsOf(asleep, "s"), [opened(), warned(2)], "events")
    }), ["lapse"])
  .open("that was lost is not given back by its old owner", (storage) =>
    Effect.gen(function*() {
      const [asleep, awake] = [yield* storage.connect({ lapsing: true }), yield* storage.connect()]
      const old = yield* held(asleep.create(id("s"), opened()))
      yield* storage.lapsed
      const taken = yield* awake.claim(id("s"))
      yield* old.release
      yield* refused(asleep.claim(id("s")), "Held")
      yield* taken.append([warned(1)])
    }), ["lapse"])
  .open("that was lost ends the signals of its old owner", (storage) =>
    Effect.gen(function*() {
      const [asleep, awake] = [yield* storage.connect({ lapsing: true }), yield* storage.connect()]
      const old = yield* asleep.create(id("s"), opened())
      yield* awake.send(id("s"), { _tag: "Interrupt", by: "ann" })
      const [first] = yield* Stream.runCollect(Stream.take(old.signals, 1))
      yield* storage.lapsed
      const taken = yield* awake.claim(id("s"))
      yield* refused(first!.taken, "Fenced")
      const [again] = yield* Stream.runCollect(Stream.take(taken.signals, 1))
      equal(again!.signal, { _tag: "Interrupt", by: "ann" }, "signal")
    }), ["lapse"])

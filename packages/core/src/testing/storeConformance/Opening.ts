import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { equal } from "../conformance/Check.ts"
import { opened, runStarted } from "./Events.ts"
import { id, refused, type Store, StoreGroup } from "./StoreCase.ts"

/** The events of a log, without what is beside them. */
export const eventsOf = (store: Store, session: string) =>
  Effect.map(Stream.runCollect(store.read(id(session))), (records) => records.map(({ event }) => event))

export const opening = new StoreGroup("opening")
  .test("begins the log with what was opened", (store) =>
    Effect.gen(function*() {
      const event = opened({ labels: { team: "ops" }, principal: "ann" })
      const journal = yield* store.create(id("s"), event)
      const [record, ...rest] = yield* Stream.runCollect(store.read(id("s")))
      equal(journal.session, "s", "session")
      equal(record?.event, event, "event")
      equal([record?.session, record?.seq, record?.v], ["s", 1, 1], "place")
      equal(journal.opened, record, "what was opened, as it is published")
      equal(rest, [], "rest")
    }))
  .test("refuses an id that is taken and leaves that session alone", (store) =>
    Effect.gen(function*() {
      yield* Effect.scoped(store.create(id("s"), opened({ agent: "first" })))
      yield* refused(store.create(id("s"), opened({ agent: "second" })), "AlreadyExists")
      equal(yield* eventsOf(store, "s"), [opened({ agent: "first" })], "events")
      yield* store.claim(id("s"))
    }))
  .test("leaves nothing behind where the first event does not fit", (store) =>
    Effect.gen(function*() {
      yield* refused(store.create(id("s"), { ...opened(), agent: 5 as never }), "Invalid")
      yield* refused(Stream.runCollect(store.read(id("s"))), "NotFound")
      yield* store.create(id("s"), opened())
    }))
  .test("gives one of many that open the same id at once", (store) =>
    Effect.gen(function*() {
      const attempts = Array.from({ length: 8 }, (_, n) =>
        Effect.result(store.create(id("s"), opened({ agent: `a${n}` }))))
      const results = yield* Effect.all(attempts, { concurrency: "unbounded" })
      equal(
        results.filter((result) =>
          result._tag === "Success"
        ).length,
        1,
        "winners"
      )
      equal((yield* eventsOf(store, "s")).length, 1, "events")
    }))
  .test("knows nothing of a session that was never opened", (store) =>
    Effect.gen(function*() {
      yield* refused(store.claim(id("none")), "NotFound")
      yield* refused(Stream.runCollect(store.read(id("none"))), "NotFound")
      yield* refused(Stream.runCollect(store.read(id("none"), { follow: true })), "NotFound")
      yield* refused(Stream.runCollect(store.dump(id("none"))), "NotFound")
      yield* refused(store.remove(id("none")), "NotFound")
      yield* refused(store.send(id("none"), { _tag: "Interrupt", by: "ann" }), "NotFound")
    }))
  .test("takes any text as an id", (store) =>
    Effect.gen(function*() {
      for (const name of ["a b/c?d=%00", "日本 🌅", "x'; DROP TABLE sessions; --", "y".repeat(2_000)]) {
        const journal = yield* store.create(id(name), opened())
        yield* journal.append([runStarted(name.slice(0, 10))])
        equal((yield* eventsOf(store, name)).length, 2, name.slice(0, 20))
      }
    }))

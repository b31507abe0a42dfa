import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { StoredEvent } from "../../StoredEvent.ts"
import { equal, includes } from "../conformance/Check.ts"
import { callStarted, opened, runEnded, runStarted, warned } from "./Events.ts"
import { id, refused, StoreGroup } from "./StoreCase.ts"

/** A log that a later version wrote: a new kind of event, and a new field of a known one. */
const newer: ReadonlyArray<StoredEvent> = [
  {
    seq: 1,
    time: 1_000,
    v: 9,
    json: `{"_tag":"SessionOpened","agent":"a","definition":"d","workItem":"w","labels":{},"colour":{"b":1,"a":2}}`
  },
  { seq: 2, time: 2_000.5, v: 9, json: `{"_tag":"DreamDreamt","z":1,"a":[1e3,"é",null],"nested":{"k":"v"}}` },
  { seq: 3, time: 2_000.5, v: 9, json: `{"_tag":"LimitWarned","unit":"steps","used":1,"limit":2,"severity":"high"}` }
]

export const moving = new StoreGroup("moving")
  .open("carries a log to another store, event by event", (storage) =>
    Effect.gen(function*() {
      const store = yield* storage.connect()
      yield* Effect.scoped(
        Effect.flatMap(store.create(id("s"), opened({ labels: { a: "b" } })), (journal) =>
          journal.append([runStarted("hello"), callStarted("k"), runEnded("stuck")]))
      )
      const before = yield* Stream.runCollect(store.read(id("s")))
      const [row] = (yield* store.list({})).items
      const dumped = yield* Stream.runCollect(store.dump(id("s")))
      yield* store.remove(id("s"))
      yield* store.restore(id("s"), Stream.fromIterable(dumped))
      equal(yield* Stream.runCollect(store.read(id("s"))), before, "log")
      equal((yield* store.list({ text: "hello", labels: { a: "b" } })).items, [row], "row")
      const journal = yield* store.claim(id("s"))
      equal(
        (yield* journal.append([warned(1)])).map(({ seq }) =>
          seq
        ),
        [5],
        "goes on"
      )
    }))
  .test("keeps what a later version wrote byte for byte", (store) =>
    Effect.gen(function*() {
      yield* store.restore(id("s"), Stream.fromIterable(newer))
      equal(yield* Stream.runCollect(store.dump(id("s"))), newer, "dumped")
      const [first, second, third] = yield* Stream.runCollect(store.read(id("s")))
      equal(
        [first!.event._tag, second!.event._tag, third!.event._tag],
        ["SessionOpened", "Unknown", "LimitWarned"],
        "read"
      )
      equal(JSON.stringify((second!.event as { raw: unknown }).raw), newer[1]!.json.replace("1e3", "1000"), "raw")
      const journal = yield* store.claim(id("s"))
      yield* journal.append([warned(1)])
      equal((yield* Stream.runCollect(store.dump(id("s")))).slice(0, 3), newer, "dumped after it was written on")
    }))
  .test("refuses an id that is taken", (store) =>
    Effect.gen(function*() {
      yield* Effect.scoped(store.create(id("s"), opened()))
      yield* refused(store.restore(id("s"), Stream.fromIterable(newer)), "AlreadyExists")
      equal((yield* Stream.runCollect(store.read(id("s")))).length, 1, "events")
    }))
  .test("leaves nothing behind where a log is broken", (store) =>
    Effect.gen(function*() {
      const attempts: ReadonlyArray<readonly [Stream.Stream<StoredEvent, string>, string]> = [
        [Stream.fromIterable([]), "Invalid"],
        [Stream.fromIterable(newer.slice(1)), "Invalid"],
        [Stream.fromIterable([newer[0]!, newer[2]!]), "Invalid"],
        [Stream.fromIterable([newer[0]!, { ...newer[1]!, json: "{" }]), "Corrupt"],
        [Stream.fromIterable([newer[0]!, { ...newer[1]!, json: `{"_tag":"LimitWarned"}` }]), "Corrupt"]
      ]
      for (const [events, tag] of attempts) {
        yield* refused(store.restore(id("s"), events), tag as "Invalid")
        yield* refused(Stream.runCollect(store.read(id("s"))), "NotFound")
      }
      const torn = Stream.concat(Stream.fromIterable(newer.slice(0, 2)), Stream.fail("torn"))
      const error = yield* Effect.flip(store.restore(id("s"), torn))
      includes(String(error), "torn", "the error of the stream itself")
      equal((yield* store.list({})).items, [], "list")
    }))

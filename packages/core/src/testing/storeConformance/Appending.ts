import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Event } from "../../Event.ts"
import { equal, includes, truthy } from "../conformance/Check.ts"
import { opened, runStarted, warned } from "./Events.ts"
import { eventsOf } from "./Opening.ts"
import { id, refused, StoreGroup } from "./StoreCase.ts"

export const appending = new StoreGroup("appending")
  .test("keeps events in order, without gaps", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      yield* journal.append([warned(1), warned(2)])
      yield* journal.append([warned(3)])
      const records = yield* Stream.runCollect(store.read(id("s")))
      equal(records.map(({ event }) => event), [opened(), warned(1), warned(2), warned(3)], "events")
      equal(records.map(({ seq }) => seq), [1, 2, 3, 4], "seq")
      truthy(
        records.every(({ time }, index) => index === 0 || time >= records[index - 1]!.time),
        "time never runs backwards"
      )
    }))
  .test("gives what was noted its place, and writes it with the next append", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      equal([journal.note(warned(1)), journal.note(warned(2))], [2, 3], "places")
      equal(yield* eventsOf(store, "s"), [opened()], "nothing is visible before it is durable")
      const written = yield* journal.append([warned(3)])
      equal(written.map(({ event, seq }) => [seq, event]), [[2, warned(1)], [3, warned(2)], [4, warned(3)]], "written")
      equal(yield* eventsOf(store, "s"), [opened(), warned(1), warned(2), warned(3)], "events")
    }))
  .test("writes what was noted when nothing else is appended", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      equal(yield* journal.append([]), [], "nothing to write")
      journal.note(warned(1))
      equal((yield* journal.append([])).map(({ seq }) => seq), [2], "written")
      equal(yield* eventsOf(store, "s"), [opened(), warned(1)], "events")
    }))
  .test("forgets what was noted and never written", (store) =>
    Effect.gen(function*() {
      yield* Effect.scoped(Effect.map(store.create(id("s"), opened()), (journal) => journal.note(warned(1))))
      const journal = yield* store.claim(id("s"))
      yield* journal.append([warned(2)])
      equal(yield* eventsOf(store, "s"), [opened(), warned(2)], "events")
    }))
  .test("writes all or nothing", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      yield* refused(journal.append([warned(1), misfit]), "Invalid")
      equal(yield* eventsOf(store, "s"), [opened()], "events")
      yield* journal.append([warned(2)])
      equal(yield* eventsOf(store, "s"), [opened(), warned(2)], "a refused event takes no place")
    }))
  .test("names the place of what does not fit, and not its value", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      const { detail } = yield* refused(journal.append([misfit]), "Invalid")
      includes(detail, "RunStarted", "event")
      includes(detail, "bytes", "place")
      truthy(!detail.includes("s3cret"), "the value stays out of the message")
      yield* refused(journal.append([{ _tag: "custom.thing" } as never]), "Invalid")
    }))
  .test("keeps what was appended, whatever becomes of the object that was given", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      const event = structuredClone(runStarted("as it was"))
      yield* journal.append([event])
      ;(event.prompt.content as Array<unknown>).push({ _tag: "Text", text: "added later" })
      equal(yield* eventsOf(store, "s"), [opened(), runStarted("as it was")], "events")
    }))
  .test("keeps every text as it is", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      const texts = ["", "\u0000", "\u2028\u2029", "a\r\nb", "🌅 日本", "\ud800", '"\\', "x".repeat(1_000_000)]
      for (const text of texts) yield* journal.append([runStarted(text)])
      equal(yield* eventsOf(store, "s"), [opened(), ...texts.map((text) => runStarted(text))], "events")
    }))
  .test("gives many that append at once a place each", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      const appends = Array.from({ length: 40 }, (_, n) =>
        Effect.map(
          Effect.suspend(() => {
            if (n % 3 === 0) journal.note(warned(n + 0.5))
            return journal.append([warned(n)])
          }),
          (written) => written.map(({ seq }) => seq)
        ))
      const places = (yield* Effect.all(appends, { concurrency: "unbounded" })).flat()
      const records = yield* Stream.runCollect(store.read(id("s")))
      equal(records.map(({ seq }) => seq), Array.from({ length: records.length }, (_, n) => n + 1), "no gaps")
      equal(records.length, 1 + 40 + 14, "none is lost")
      equal(places.toSorted((a, b) => a - b), records.slice(1).map(({ seq }) => seq), "each was given to one append")
    }))
  .test("keeps sessions apart that are written at the same time", (store) =>
    Effect.gen(function*() {
      const write = (name: string) =>
        Effect.gen(function*() {
          const journal = yield* store.create(id(name), opened({ agent: name }))
          for (let n = 0; n < 10; n++) yield* journal.append([warned(n)])
        })
      const names = Array.from({ length: 10 }, (_, n) => `s${n}`)
      yield* Effect.forEach(names, write, { concurrency: "unbounded" })
      for (const name of names) {
        equal(yield* eventsOf(store, name), [
          opened({ agent: name }),
          ...Array.from({ length: 10 }, (_, n) => warned(n))
        ], name)
      }
    }))

const misfit = {
  _tag: "RunStarted",
  run: 1,
  prompt: { _tag: "User", content: [{ _tag: "Media", blob: { hash: "s3cret", bytes: Number.NaN, mediaType: "" } }] }
} as Event

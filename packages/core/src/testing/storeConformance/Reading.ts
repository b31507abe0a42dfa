import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { equal, truthy } from "../conformance/Check.ts"
import { opened, warned } from "./Events.ts"
import { id, StoreGroup } from "./StoreCase.ts"

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

export const reading = new StoreGroup("reading")
  .test("begins after an event", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      yield* journal.append([warned(1), warned(2), warned(3)])
      const seqs = (after: number) =>
        Effect.map(Stream.runCollect(store.read(id("s"), { after })), (all) => all.map(({ seq }) => seq))
      equal(yield* seqs(0), [1, 2, 3, 4], "all")
      equal(yield* seqs(2), [3, 4], "some")
      equal(yield* seqs(4), [], "none")
      equal(yield* seqs(99), [], "beyond")
    }))
  .test("gives a long log whole and in order", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      for (let n = 0; n < 3; n++) yield* journal.append(numbers(1, 1_000).map(warned))
      const seqs = (yield* Stream.runCollect(store.read(id("s")))).map(({ seq }) => seq)
      equal(seqs, numbers(1, 3_001), "seq")
      equal((yield* Stream.runCollect(Stream.take(store.read(id("s"), { after: 1_500 }), 2))).map(({ seq }) => seq), [
        1_501,
        1_502
      ], "part")
    }))
  .open("follows what another process writes, without a gap or a repeat", (storage) =>
    Effect.gen(function*() {
      const [writer, reader] = [yield* storage.connect(), yield* storage.connect()]
      const journal = yield* writer.create(id("s"), opened())
      yield* journal.append([warned(1)])
      const fiber = yield* reader.read(id("s"), { after: 1, follow: true }).pipe(
        Stream.take(60),
        Stream.runCollect,
        Effect.forkChild({ startImmediately: true })
      )
      for (const n of numbers(2, 20)) {
        journal.note(warned(n))
        yield* journal.append([warned(n), warned(n)])
        if (n % 5 === 0) yield* Effect.sleep("5 millis")
      }
      yield* journal.append([warned(21), warned(22)])
      equal((yield* Fiber.join(fiber)).map(({ seq }) => seq), numbers(2, 61), "seq")
    }))
  .open("tells of an event within 100 ms", (storage) =>
    Effect.gen(function*() {
      const [writer, reader] = [yield* storage.connect(), yield* storage.connect()]
      const journal = yield* writer.create(id("s"), opened())
      const delays: Array<number> = []
      const fiber = yield* reader.read(id("s"), { after: 1, follow: true }).pipe(
        Stream.take(9),
        Stream.runForEach(({ time }) => Effect.sync(() => void delays.push(Date.now() - time))),
        Effect.forkChild({ startImmediately: true })
      )
      for (const n of numbers(1, 9)) {
        yield* Effect.sleep("15 millis")
        yield* journal.append([warned(n)])
      }
      yield* Fiber.join(fiber)
      // The median: a busy machine may hold up any one of them.
      truthy(delays.toSorted((a, b) => a - b)[4]! <= 100, `followed after ${delays.join(", ")} ms`)
    }))
  .test("many follow one session", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      const follow = Effect.map(
        Stream.runCollect(Stream.take(store.read(id("s"), { follow: true }), 4)),
        (all) => all.map(({ seq }) => seq)
      )
      const fiber = yield* Effect.forkChild(
        Effect.forEach(numbers(1, 20), () => follow, { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      for (const n of numbers(1, 3)) yield* journal.append([warned(n)])
      equal(yield* Fiber.join(fiber), numbers(1, 20).map(() => [1, 2, 3, 4]), "seq")
    }))
  .test("can be left at any time", (store) =>
    Effect.gen(function*() {
      const journal = yield* store.create(id("s"), opened())
      const fiber = yield* Effect.forkChild(Stream.runDrain(store.read(id("s"), { follow: true })), {
        startImmediately: true
      })
      yield* Effect.sleep("5 millis")
      yield* Fiber.interrupt(fiber)
      yield* journal.append([warned(1)])
    }))

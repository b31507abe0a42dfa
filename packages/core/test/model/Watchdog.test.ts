import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { watchdog } from "../../src/model/Watchdog.ts"
import { collect, finish, hang, start, takes, text, wait } from "./takes.ts"

describe("watchdog", () => {
  it.effect("gives up after the gap, keeps what came, and lets go of the stream", () =>
    Effect.gen(function*() {
      const { model, open } = takes([[start(), text("so far"), hang]])
      const fiber = yield* Effect.forkChild(collect(watchdog(model)))
      yield* TestClock.adjust("119 seconds")
      assert.strictEqual(open.now, 1)
      yield* TestClock.adjust("1 second")
      const got = yield* Fiber.join(fiber)
      assert.deepStrictEqual(got.error?.reason, { _tag: "Stalled", idleMs: 120_000, detail: "nothing came for 120 s" })
      assert.strictEqual(got.text, "so far")
      assert.strictEqual(open.now, 0)
    }))

  it.effect("counts from the last part, not from the first", () =>
    Effect.gen(function*() {
      const { model } = takes([[start(), wait(90_000), text("a"), wait(90_000), text("b"), wait(90_000), finish()]])
      const fiber = yield* Effect.forkChild(collect(watchdog(model)))
      yield* TestClock.adjust("10 minutes")
      const got = yield* Fiber.join(fiber)
      assert.isUndefined(got.error)
      assert.strictEqual(got.text, "ab")
    }))

  it.effect("does not wait for anything after the finish", () =>
    Effect.gen(function*() {
      const { model, open } = takes([[start(), text("a"), finish(), hang]])
      const got = yield* collect(watchdog(model))
      assert.isUndefined(got.error)
      assert.strictEqual(open.now, 0)
    }))

  it.effect("is off with an infinite gap", () =>
    Effect.gen(function*() {
      const { model } = takes([[start(), wait(10_000_000), text("late"), finish()]])
      const fiber = yield* Effect.forkChild(collect(watchdog(model, { idle: Infinity })))
      yield* TestClock.adjust("3 hours")
      assert.strictEqual((yield* Fiber.join(fiber)).text, "late")
    }))

  it.effect("interruption reaches the stream", () =>
    Effect.gen(function*() {
      const { model, open } = takes([[start(), hang]])
      const fiber = yield* Effect.forkChild(collect(watchdog(model)))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(open.now, 1)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(open.now, 0)
    }))
})

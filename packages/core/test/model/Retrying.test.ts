import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { retrying } from "../../src/model/Retrying.ts"
import { action, collect, cutOff, fail, finish, hang, overloaded, start, takes, text, thought } from "./takes.ts"

const good = [start(), text("fine"), finish()]

describe("retrying", () => {
  it.effect("repeats what failed before any text, with growing waits, told and announced", () =>
    Effect.gen(function*() {
      const { model, open } = takes([[overloaded], [start(), thought("hm"), cutOff], good])
      const fiber = yield* Effect.forkChild(collect(retrying(model)))
      yield* TestClock.adjust("499 millis")
      assert.strictEqual(open.now, 0)
      yield* TestClock.adjust("5 seconds")
      const got = yield* Fiber.join(fiber)
      assert.strictEqual(got.text, "fine")
      assert.strictEqual(got.starts, 2)
      assert.deepStrictEqual(got.attempts, [{ attempt: 2, model: "one" }, { attempt: 3, model: "one" }])
      assert.deepStrictEqual(got.failures.map((failure) => failure.tag), ["Overloaded", "Connection"])
      assert.isAtLeast(got.failures[0]!.wait, 500)
      assert.isAtMost(got.failures[0]!.wait, 625)
      assert.isAtLeast(got.failures[1]!.wait, 1_000)
      assert.strictEqual(open.most, 1)
    }))

  it.effect("gives up after five repetitions", () =>
    Effect.gen(function*() {
      const { model, requests } = takes(Array.from({ length: 9 }, () => [overloaded]))
      const fiber = yield* Effect.forkChild(collect(retrying(model)))
      yield* TestClock.adjust("1 hour")
      const got = yield* Fiber.join(fiber)
      assert.strictEqual(got.error?.reason._tag, "Overloaded")
      assert.strictEqual(requests.length, 6)
    }))

  it.effect("waits as long as the provider asks, beyond its own cap", () =>
    Effect.gen(function*() {
      const { model, requests } = takes([
        [fail({ _tag: "RateLimited", detail: "slow down", retryAfterMs: 90_000 })],
        good
      ])
      const fiber = yield* Effect.forkChild(collect(retrying(model)))
      yield* TestClock.adjust("89 seconds")
      assert.strictEqual(requests.length, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fiber)).text, "fine")
    }))

  it.effect("does not begin a wait that the run would not live to see", () =>
    Effect.gen(function*() {
      const { model, requests } = takes([
        [fail({ _tag: "RateLimited", detail: "slow down", retryAfterMs: 90_000 })],
        good
      ])
      const got = yield* collect(retrying(model, { remaining: () => 30_000 }))
      assert.include(got.error?.message, "the provider asks to wait 90 s, and the run has 30 s left")
      assert.strictEqual(requests.length, 1)
    }))

  it.effect("leaves alone what no repetition mends, and what was already shown", () =>
    Effect.gen(function*() {
      for (
        const beats of [
          [fail({ _tag: "Billing", detail: "no money" })],
          [fail({ _tag: "Authentication", detail: "no key" })],
          [fail({ _tag: "ContextOverflow", detail: "too long" })],
          [fail({ _tag: "NotRecorded", detail: "nothing there" })],
          [start(), text("half"), cutOff],
          [start(), ...action("a", "{}"), cutOff]
        ]
      ) {
        const { model, requests } = takes([beats, good])
        const got = yield* collect(retrying(model))
        assert.isDefined(got.error)
        assert.strictEqual(requests.length, 1)
      }
    }))

  it.effect("an interruption during a wait ends it, and nothing is open", () =>
    Effect.gen(function*() {
      const { model, open, requests } = takes([[overloaded], [hang]])
      const fiber = yield* Effect.forkChild(collect(retrying(model)))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(open.now, 1)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(open.now, 0)
      assert.strictEqual(requests.length, 2)
    }))
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { Message } from "../../src/Message.ts"
import { continuing } from "../../src/model/Continuing.ts"
import { resilient } from "../../src/model/Resilient.ts"
import { action, collect, cutOff, finish, hang, overloaded, start, takes, text, thought, usage } from "./takes.ts"

const said = (message: Message | undefined) =>
  message?._tag === "Assistant" || message?._tag === "User"
    ? message.content.map((part) => part._tag === "Text" ? part.text : part._tag).join("|")
    : undefined

const running = Effect.fnUntraced(function*(effect: ReturnType<typeof collect>) {
  const fiber = yield* Effect.forkChild(effect)
  yield* TestClock.adjust("1 hour")
  return yield* Fiber.join(fiber)
})

describe("continuing", () => {
  it.effect("completes an answer that the output limit cut, as one answer with the sum of usage", () =>
    Effect.gen(function*() {
      const { model, requests } = takes([
        [start(), text("one "), text("two "), usage(10, 4), finish("length")],
        [start(), text("three"), usage(16, 2), finish()]
      ])
      const got = yield* collect(continuing(model))
      assert.strictEqual(got.text, "one two three")
      assert.strictEqual(got.starts, 1)
      assert.deepStrictEqual(got.usage, {
        input: 26,
        output: 6,
        cacheRead: 0,
        cacheWrite: 0,
        reasoning: 0,
        estimated: false
      })
      assert.deepStrictEqual(got.finishes, [finish("stop")])
      assert.deepStrictEqual(got.attempts, [{ attempt: 2, model: "one" }])
      assert.strictEqual(said(requests[1]?.messages.at(-2)), "one two ")
      assert.include(said(requests[1]?.messages.at(-1)), "output limit")
    }))

  it.effect("goes on with a broken stream from what arrived, without speaking of limits", () =>
    Effect.gen(function*() {
      const { model, requests } = takes([[start(), text("one "), cutOff], [
        start(),
        text("two"),
        usage(9, 1),
        finish()
      ]])
      const got = yield* running(collect(continuing(model)))
      assert.strictEqual(got.text, "one two")
      assert.strictEqual(got.starts, 1)
      assert.deepStrictEqual(got.failures.map((failure) => failure.tag), ["Connection"])
      assert.notInclude(said(requests[1]?.messages.at(-1)), "limit")
      assert.strictEqual(got.usage?.estimated, true)
    }))

  it.effect("after three continuations a cut answer stays cut, with all its text", () =>
    Effect.gen(function*() {
      const { model, requests } = takes(
        Array.from({ length: 9 }, (_, n) => [start(), text(`${n} `), usage(1, 1), finish("length")])
      )
      const got = yield* collect(continuing(model))
      assert.strictEqual(got.text, "0 1 2 3 ")
      assert.deepStrictEqual(got.finishes, [finish("length")])
      assert.strictEqual(requests.length, 4)
    }))

  it.effect("stores no empty message when only thoughts used up the limit", () =>
    Effect.gen(function*() {
      const { model, requests } = takes([[start(), thought("hm, hm"), finish("length")], [
        start(),
        text("42"),
        finish()
      ]])
      const got = yield* collect(continuing(model))
      assert.strictEqual(got.text, "42")
      assert.deepStrictEqual(requests[1]?.messages.map((message) => message._tag), ["User", "User"])
    }))

  it.effect("hands finished thoughts back with their signature", () =>
    Effect.gen(function*() {
      const { model, requests } = takes([
        [start(), thought("hm"), { _tag: "ReasoningEnd", opaque: { test: "sig" } }, text("one "), finish("length")],
        [start(), text("two"), finish()]
      ])
      yield* collect(continuing(model))
      const handed = requests[1]?.messages.at(-2)
      assert.deepStrictEqual(handed?._tag === "Assistant" ? handed.content : undefined, [
        { _tag: "Reasoning", text: "hm", opaque: { test: "sig" } },
        { _tag: "Text", text: "one " }
      ])
    }))

  it.effect("leaves an action that was cut alone, and ends with one that was complete before the break", () =>
    Effect.gen(function*() {
      const cut = takes([[start(), ...action("a", '{"code":"1+'), finish("length")]])
      assert.deepStrictEqual((yield* collect(continuing(cut.model))).finishes, [finish("length")])
      const broken = takes([[start(), text("I look."), ...action("a", '{"code":"1"}'), cutOff]])
      const got = yield* collect(continuing(broken.model))
      assert.isUndefined(got.error)
      assert.deepStrictEqual(got.finishes, [{ _tag: "Finish", reason: "action", raw: "Connection" }])
    }))

  it.effect("a continuation that has to begin again voids only its own piece", () =>
    Effect.gen(function*() {
      const { model, open } = takes([
        [start(), text("one "), finish("length")],
        [overloaded],
        [start(), thought("hm"), cutOff],
        [start(), text("two"), finish()]
      ])
      const got = yield* running(collect(resilient(model)))
      assert.strictEqual(got.text, "one two")
      assert.deepStrictEqual(got.attempts.map((attempt) => attempt.attempt), [2, 3, 4])
      assert.strictEqual(open.most, 1)
    }))

  it.effect("a stalled stream is gone on with", () =>
    Effect.gen(function*() {
      const { model } = takes([[start(), text("one "), hang], [start(), text("two"), finish()]])
      const got = yield* running(collect(resilient(model)))
      assert.strictEqual(got.text, "one two")
      assert.deepStrictEqual(got.failures.map((failure) => failure.tag), ["Stalled"])
    }))

  it.effect("what no further call can mend passes, with the text that arrived", () =>
    Effect.gen(function*() {
      const { model } = takes([[start(), text("one "), {
        _tag: "Fail",
        reason: { _tag: "ContentFilter", detail: "no" }
      }]])
      const got = yield* collect(continuing(model))
      assert.strictEqual(got.error?.reason._tag, "ContentFilter")
      assert.strictEqual(got.text, "one ")
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { ScriptedModel } from "@daylight/core/testing"
import type { Model, ModelPart, ModelRequest } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"

const request: ModelRequest = {
  purpose: "answer",
  system: "",
  messages: [],
  actions: [{ name: "run", description: "", inputSchema: {} }],
  choice: "auto",
  maxOutputTokens: 100,
  media: () => Effect.die("no media")
}
const ask = (model: Model["Service"], changes: Partial<ModelRequest> = {}) =>
  Stream.runCollect(model.stream({ ...request, ...changes }))
const said = (parts: ReadonlyArray<ModelPart>, tag: "TextDelta" | "ReasoningDelta") =>
  parts.flatMap((part) => part._tag === tag ? [part.text] : [])

describe("a scripted model", () => {
  it.effect("says reasoning, text and code in this order, with usage and an end", () =>
    Effect.gen(function*() {
      const parts = yield* ask(ScriptedModel.make([{ reasoning: "r", text: "t", code: "c" }]))
      assert.deepStrictEqual(parts.map((part) => part._tag), [
        "Start",
        "ReasoningDelta",
        "ReasoningEnd",
        "TextDelta",
        "ActionStart",
        "ActionDelta",
        "ActionEnd",
        "Usage",
        "Finish"
      ])
      assert.deepInclude(parts.at(-1), { reason: "action" })
    }))

  it.effect("cuts into chunks of the size asked for, losing nothing", () =>
    Effect.gen(function*() {
      const parts = yield* ask(ScriptedModel.make([{ text: "abcdefg", reasoning: "xyz" }], { chunkSize: 3 }))
      assert.deepStrictEqual(said(parts, "TextDelta"), ["abc", "def", "g"])
      assert.deepStrictEqual(said(parts, "ReasoningDelta"), ["xyz"])
    }))

  it.effect("writes code as a block where no tool is offered", () =>
    Effect.gen(function*() {
      const fenced = yield* ask(ScriptedModel.make([{ text: "See:", code: "1" }]), { actions: [] })
      assert.deepStrictEqual(said(fenced, "TextDelta").join(""), "See:\n```ts run\n1\n```\n")
      const block = { open: "<execute>", close: "</execute>" }
      const tagged = yield* ask(ScriptedModel.make([{ code: "1" }]), { actions: [], block })
      assert.deepStrictEqual(said(tagged, "TextDelta").join(""), "<execute>\n1\n</execute>\n")
    }))

  it.effect("waits as told, in virtual time", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(ask(ScriptedModel.make([{ text: "late", delayMs: 60_000 }])))
      yield* TestClock.adjust("59 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(said(yield* Fiber.join(fiber), "TextDelta"), ["late"])
    }))

  it.effect("fails after what it said, or hangs", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const model = ScriptedModel.make([{ text: "half", fail: { _tag: "Overloaded", detail: "busy" } }, {
        text: "well",
        hang: true
      }])
      const collect = Stream.runForEach(model.stream(request), (part) => Effect.sync(() => void seen.push(part._tag)))
      assert.strictEqual((yield* Effect.flip(collect)).reason._tag, "Overloaded")
      assert.deepStrictEqual(seen, ["Start", "TextDelta"])
      const hanging = yield* Effect.forkChild(ask(model))
      yield* TestClock.adjust("1 day")
      assert.isUndefined(hanging.pollUnsafe())
      yield* Fiber.interrupt(hanging)
    }))

  it.effect("sees each request, also where replies are functions of it", () =>
    Effect.gen(function*() {
      const requests: Array<ModelRequest> = []
      const model = ScriptedModel.make([(request) => request.system, "second"], { requests })
      assert.deepStrictEqual(said(yield* ask(model, { system: "echo" }), "TextDelta"), ["echo"])
      yield* ask(model)
      assert.deepStrictEqual(requests.map((request) => request.system), ["echo", ""])
    }))

  it.effect("an exhausted script fails by name, and is not repeated", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(ask(ScriptedModel.make([], { name: "empty one" })))
      assert.strictEqual(error.reason._tag, "NotRecorded")
      assert.isFalse(error.retryable)
      assert.include(error.message, "empty one")
    }))
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Model } from "../../src/Model.ts"
import { collect, cutOff, fail, finish, overloaded, start, takes, text } from "./takes.ts"

const layerOf = ({ model }: ReturnType<typeof takes>) => Layer.succeed(Model, model)

describe("fallback", () => {
  it.effect("asks the next model after a passing failure, and says which", () =>
    Effect.gen(function*() {
      const one = takes([[start("one"), overloaded]], "one")
      const two = takes([[start("two"), text("hello"), finish()]], "two")
      const got = yield* Effect.provide(Effect.flatMap(Model, collect), Model.fallback([layerOf(one), layerOf(two)]))
      assert.strictEqual(got.text, "hello")
      assert.deepStrictEqual(got.attempts, [{ attempt: 2, model: "two" }])
      assert.deepStrictEqual(got.failures, [{ tag: "Overloaded", wait: 0 }])
    }))

  it.effect("passes other failures on, unless they are declared", () =>
    Effect.gen(function*() {
      const broke = () => takes([[fail({ _tag: "Billing", detail: "no money" })]], "one")
      const two = () => takes([[start("two"), text("hello"), finish()]], "two")
      const plain = yield* Effect.provide(
        Effect.flatMap(Model, collect),
        Model.fallback([layerOf(broke()), layerOf(two())])
      )
      assert.strictEqual(plain.error?.reason._tag, "Billing")
      const declared = yield* Effect.provide(
        Effect.flatMap(Model, collect),
        Model.fallback([layerOf(broke()), layerOf(two())], { after: ["Billing"] })
      )
      assert.strictEqual(declared.text, "hello")
    }))

  it.effect("does not replace text that is out", () =>
    Effect.gen(function*() {
      const one = takes([[start("one"), text("half"), cutOff]], "one")
      const two = takes([[start("two"), text("hello"), finish()]], "two")
      const got = yield* Effect.provide(Effect.flatMap(Model, collect), Model.fallback([layerOf(one), layerOf(two)]))
      assert.strictEqual(got.error?.reason._tag, "Connection")
      assert.strictEqual(two.requests.length, 0)
    }))

  it.effect("an empty list is told", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Effect.provide(Model, Model.fallback<never>([])))
      assert.include(error.message, "there is no model")
    }))
})

describe("route", () => {
  it.effect("chooses by purpose and by the request, and announces another model", () =>
    Effect.gen(function*() {
      const small = takes([[start("small"), text("short"), finish()]], "small")
      const large = takes([[start("large"), text("long"), finish()]], "large")
      const model = yield* Effect.provide(
        Model,
        Model.route([{ purposes: ["compaction"], model: layerOf(small) }, { model: layerOf(large) }])
      )
      const summary = yield* collect(model, { purpose: "compaction" })
      const answer = yield* collect(model)
      assert.deepStrictEqual([summary.text, answer.text], ["short", "long"])
      assert.deepStrictEqual([summary.attempts, answer.attempts], [[{ attempt: 1, model: "small" }], []])
      assert.strictEqual(model.info.model, "large")
    }))

  it.effect("rules that may not fit are refused", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        Effect.provide(Model, Model.route([{ purposes: ["judge"], model: layerOf(takes([])) }]))
      )
      assert.include(error.message, "End with a rule")
    }))
})

import { Agent, Session, SessionStore } from "@daylight/core"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const agent = Agent.make({ name: "adder" })
const layers = Layer.mergeAll(ScriptedModel.layer(["It is 42."]), VmRuntime.layer, SessionStore.layerMemory)

describe("the sessions of a store", () => {
  it.effect("are listed by filters and pages, and deleted when nobody holds them", () =>
    Effect.gen(function*() {
      for (const id of ["a", "b", "c"]) {
        yield* Effect.scoped(Session.open(agent, { id, labels: { team: id === "b" ? "ops" : "web" } }))
      }
      const web = yield* Session.list({ labels: { team: "web" }, limit: 1 })
      assert.strictEqual(web.items.length, 1)
      const rest = yield* Session.list({ labels: { team: "web" }, limit: 1, cursor: web.next })
      assert.deepStrictEqual([...web.items, ...rest.items].map(({ session }) => String(session)).toSorted(), ["a", "c"])
      assert.isUndefined(rest.next)

      yield* Session.delete("b")
      assert.strictEqual((yield* Session.list()).items.length, 2)
      const again = yield* Effect.flip(Session.delete("b"))
      assert.strictEqual(again.reason._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(Session.delete(""))).reason._tag, "NotFound")
    }).pipe(Effect.provide(layers)))

  it.effect("stay while somebody has them open", () =>
    Effect.gen(function*() {
      const session = yield* Session.open(agent, { id: "held" })
      const refused = yield* Effect.flip(Session.delete(session.id))
      assert.strictEqual(refused.reason._tag, "Held")
      assert.isDefined((yield* Session.list({ agent: "adder" })).items[0]?.owner)
    }).pipe(Effect.scoped, Effect.provide(layers)))
})

import { assert, describe, it } from "@effect/vitest"
import type { ModelPart } from "@daylight/core"
import * as ActionOrder from "../../src/internal/ActionOrder.ts"
import { fold } from "../support/Requests.ts"

const play = (script: (order: ActionOrder.ActionOrder, out: Array<ModelPart>) => void) => {
  const out: Array<ModelPart> = [{ _tag: "Start", provider: "test", model: "test" }]
  const order = ActionOrder.make()
  script(order, out)
  order.finishAll(out)
  return { out, ...fold([...out, { _tag: "Finish", reason: "action" }]) }
}

describe("interleaved actions", () => {
  it("come out one after the other, each whole", () => {
    const { actions, problems } = play((order, out) => {
      order.start(0, "a", "run", out)
      order.start(1, "b", "run", out)
      order.delta(1, '{"code":', out)
      order.delta(0, '{"code":', out)
      order.delta(1, '"b"}', out)
      order.delta(0, '"a"}', out)
    })
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(actions, [
      { id: "a", name: "run", json: '{"code":"a"}' },
      { id: "b", name: "run", json: '{"code":"b"}' }
    ])
  })

  it("stream live as soon as the one before is whole", () => {
    const { out } = play((order, out) => {
      order.start(0, "a", "run", out)
      order.delta(0, '{"code":"a"}', out)
      order.start(1, "b", "run", out)
      assert.deepStrictEqual(out.at(-1), { _tag: "ActionStart", id: "b", name: "run" })
    })
    assert.strictEqual(out.filter((part) => part._tag === "ActionEnd").length, 2)
  })

  it("get ids of their own where a server gives none, or one for all", () => {
    const { actions } = play((order, out) => {
      for (const key of [0, 1]) {
        order.start(key, "", "run", out)
        order.start(`same ${key}`, "x", "run", out)
      }
    })
    assert.strictEqual(new Set(actions.map((action) => action.id)).size, 4)
  })
})

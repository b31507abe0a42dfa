import { assert, describe, it } from "@effect/vitest"
import { Stored } from "../../src/node/Stored.ts"

describe("Stored", () => {
  it("drops the oldest to stay below the cap, and says so", () => {
    const namespace: Record<string, unknown> = {}
    const stored = new Stored(namespace, 100)
    stored.keep("a", 40)
    stored.keep("b", 40)
    assert.deepStrictEqual(stored.keep("c", 40), { name: "_output_3", dropped: ["_output_1"] })
    assert.deepStrictEqual(namespace, { _output_2: "b", _output_3: "c" })
  })

  it("keeps the newest however large it is", () => {
    const namespace: Record<string, unknown> = {}
    const stored = new Stored(namespace, 100)
    stored.keep("a", 40)
    assert.deepStrictEqual(stored.keep("huge", 1_000).dropped, ["_output_1"])
    assert.deepStrictEqual(namespace, { _output_2: "huge" })
  })

  it("does not drop a name that was given to something else", () => {
    const namespace: Record<string, unknown> = {}
    const stored = new Stored(namespace, 100)
    stored.keep("a", 90)
    namespace._output_1 = "mine"
    assert.deepStrictEqual(stored.keep("b", 90).dropped, [])
    assert.strictEqual(namespace._output_1, "mine")
  })

  it("skips names in use, also hidden ones", () => {
    const namespace = Object.defineProperty({ _output_1: 1 }, "_output_2", { value: 2, enumerable: false })
    assert.strictEqual(new Stored(namespace, 100).keep("x", 1).name, "_output_3")
  })
})

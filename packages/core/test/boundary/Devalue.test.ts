import { decodeValue } from "@daylight/core"
import { assert, describe, it } from "vitest"
import { Values } from "../../src/internal/Values.ts"

const values = new Values()
const again = (value: unknown): unknown => {
  const stored = values.encode(value)
  assert.strictEqual(stored._tag, "Devalue", JSON.stringify(stored))
  return decodeValue(JSON.parse(JSON.stringify(stored)) as typeof stored)
}

describe("a value that JSON has no word for", () => {
  it("is in the log whole, and is the same again", () => {
    const rows = [{ id: 1n, at: new Date(0), note: undefined }, { id: 2n, at: new Date(NaN), note: null }]
    for (
      const value of [
        undefined,
        [NaN, Infinity, -Infinity, -0, 1.5],
        rows,
        new Map<unknown, unknown>([["a", [1]], [{ b: 1 }, new Set([1, "x", undefined])]]),
        { pattern: /a"b/gi, bytes: new Uint8Array([0, 255, 7]), wide: new Float64Array([0.1, -0]) },
        [undefined, 'text with "quotes" and \\']
      ]
    ) assert.deepStrictEqual(again(value), value)
  })

  it("keeps holes, what it shares, and that it holds itself", () => {
    const shared = { x: undefined }
    const ring: { self?: unknown; parts: ReadonlyArray<unknown> } = { parts: [shared, shared] }
    ring.self = ring
    const read = again(ring) as typeof ring
    assert.strictEqual(read.self, read)
    assert.strictEqual(read.parts[0], read.parts[1])
    const list: Array<unknown> = [1]
    list[2] = undefined
    const sparse = again(list) as ReadonlyArray<unknown>
    assert.deepStrictEqual([0 in sparse, 1 in sparse, 2 in sparse], [true, false, true])
  })

  it("never reaches a prototype", () => {
    const read = again(Object.defineProperty({ x: undefined }, "__proto__", { value: { y: 1 }, enumerable: true }))
    assert.strictEqual(Object.getPrototypeOf(read), Object.prototype)
    assert.isUndefined((read as { y?: unknown }).y)
  })

  it("is told by reference where it is live or large", () => {
    for (
      const value of [
        { x: undefined, f: () => 1 },
        new Map([["a", new (class Account {})()]]),
        Array.from({ length: 2_000 }, () => undefined),
        new Set(Array.from({ length: 2_000 }, (_, i) => i)),
        new Uint8Array(100_000),
        {
          get x() {
            throw new Error("was read")
          }
        }
      ]
    ) assert.strictEqual(values.encode(value)._tag, "Ref")
  })
})

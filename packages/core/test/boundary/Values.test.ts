import { assert, describe, it } from "@effect/vitest"
import { decodeValue } from "@daylight/core"
import { Values } from "../../src/internal/Values.ts"

const values = new Values()

describe("a value in the log", () => {
  it("stays as it was, whoever changes it later", () => {
    const value = { rows: [{ total: 1 }] }
    const stored = values.encode(value)
    value.rows[0]!.total = 2
    value.rows.push({ total: 3 })
    assert.deepStrictEqual(stored, { _tag: "Json", value: { rows: [{ total: 1 }] } })
  })

  it("has every own key, and runs no code of a list", () => {
    const named = Object.defineProperty({}, "__proto__", { value: 1, enumerable: true })
    const list = Object.assign([named], { [Symbol.iterator]: () => assert.fail("iterated") })
    const stored = values.encode(list)
    assert.strictEqual(JSON.stringify(stored), '{"_tag":"Json","value":[{"__proto__":1}]}')
  })

  it("is told by reference where it only looks like data, or does not let itself be seen", () => {
    const liar = (tag: string) =>
      new (class Liar {
        get [Symbol.toStringTag]() {
          return tag
        }
      })()
    const closed = new Proxy({}, {
      getPrototypeOf: () => {
        throw new Error("closed")
      }
    })
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const roomy = new Values(1_000_000)
    for (const value of [liar("Map"), liar("Set"), liar("Date"), liar("RegExp"), liar("Uint8Array"), closed, deep]) {
      assert.strictEqual(roomy.encode(value)._tag, "Ref")
    }
  })

  it("may be a large buffer where there is room", () => {
    const bytes = new Uint8Array(3_000_000).fill(7)
    assert.deepStrictEqual(decodeValue(new Values(1_000_000).encode(bytes)), bytes)
  })

  it("keeps the holes of a list", () => {
    const list = [1, 2, 3]
    delete list[1]
    assert.deepStrictEqual(decodeValue(values.encode(list)), list)
  })
})

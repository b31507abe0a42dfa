import { assert, describe, it } from "@effect/vitest"
import { fingerprint } from "../../src/node/Fingerprint.ts"

const print = (value: unknown): number => fingerprint(value, { left: 120 })

describe("fingerprint", () => {
  const changes: Record<string, readonly [make: () => any, change: (value: any) => void]> = {
    "a field": [() => ({ a: 1 }), (v) => (v.a = 2)],
    "a new field": [() => ({ a: 1 }), (v) => (v.b = 2)],
    "a field gone": [() => ({ a: 1, b: 2 }), (v) => delete v.b],
    "a field of a field": [() => ({ a: { b: { c: "x" } } }), (v) => (v.a.b.c = "y")],
    "a push": [() => [1, 2], (v) => v.push(3)],
    "an element": [() => [1, 2], (v) => (v[1] = 5)],
    "the last element of many": [() => Array.from({ length: 10_000 }, (_, i) => i), (v) => (v[9_999] = -1)],
    "a swap": [() => [1, 2], (v) => v.reverse()],
    "a map entry": [() => new Map([["a", 1]]), (v) => v.set("a", 2)],
    "a set element": [() => new Set([1]), (v) => v.add(2)],
    "a date": [() => new Date(0), (v) => v.setTime(5)],
    "bytes": [() => new Uint8Array(100), (v) => (v[0] = 1)],
    "a fraction": [() => ({ a: 0.1 }), (v) => (v.a = 0.2)],
    "a sign": [() => ({ a: true }), (v) => (v.a = false)],
    "a text inside": [() => ({ a: "abc" }), (v) => (v.a = "abd")],
    "a bigint": [() => ({ a: 1n }), (v) => (v.a = 2n)]
  }
  for (const [name, [make, change]] of Object.entries(changes)) {
    it(`sees ${name}`, () => {
      const value = make()
      const before = print(value)
      assert.strictEqual(print(make()), before)
      change(value)
      assert.notStrictEqual(print(value), before)
    })
  }

  it("looks at no more than it is given", () => {
    const look = { left: 50 }
    fingerprint(Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => ({ a: 1 }))), look)
    assert.isAtLeast(look.left, -40)
  })

  it("ends at cycles", () => {
    const value: Record<string, unknown> = { a: 1 }
    value.self = value
    assert.strictEqual(print(value), print(value))
  })

  it("runs no code", () => {
    const value = {
      get a() {
        throw new Error("ran")
      },
      proxy: new Proxy({}, {
        get() {
          throw new Error("ran")
        },
        ownKeys() {
          throw new Error("ran")
        }
      })
    }
    assert.strictEqual(print(value), print(value))
  })
})

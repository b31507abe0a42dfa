import { assert, describe, it } from "@effect/vitest"
import { inspect } from "node:util"
import { constants, createContext, Script } from "node:vm"
import { describeVariable } from "../../src/node/Describe.ts"
import { consoleText, previewOf, sampleOf } from "../../src/node/Inspect.ts"
import { failureOf, problemOf } from "../../src/node/Problem.ts"

const elsewhere = createContext(constants.DONT_CONTEXTIFY as never)
const evaluate = (code: string): unknown => new Script(`(${code})`).runInContext(elsewhere)

/** Code of values that print in Node without running any code of theirs; our text has to be the same. */
const same = [
  "1",
  "-0",
  "10n",
  "true",
  "null",
  "Symbol('a')",
  "[]",
  "{}",
  "[1, 'a', null]",
  "{ a: 1, 'b-c': { d: [true] } }",
  "[[1, 2], [3, 4]]",
  "new Map([['a', { b: 1 }]])",
  "new Set([1, 'x'])",
  "new Map()",
  "/x+/gi",
  "() => 1",
  "function named() {}",
  "async () => 1",
  "function* g() {}",
  "class A {}",
  "class A extends Array {}",
  "[undefined, , 3]".replace(", ,", ","),
  "new (class Point { x = 1; y = 2 })()",
  "{ get a() { return 1 } }",
  "{ set a(x) {} }",
  "{ get a() { return 1 }, set a(x) {} }",
  "[1.5, 2.25, 100, 3, 4, 5, 6, 7]",
  "'it\\'s'",
  "{ [Symbol('s')]: 1 }",
  "new Error('x').message",
  "Array.from({ length: 101 }, (_, i) => i)",
  "{ a: { b: { c: { d: 1 } } } }",
  "{ a: { b: { c: {} } } }",
  "[[[[]]]]",
  "[[[[1]]]]"
]

describe("what is printed", () => {
  for (const code of same) {
    it(`is as in Node: ${code}`, () => {
      const value = evaluate(code)
      assert.strictEqual(consoleText(value), typeof value === "string" ? value : inspect(value))
    })
  }

  it("is a plain record where there is no prototype, as in rows of a database", () => {
    const row = Object.assign(Object.create(null) as object, { id: 1, name: "a" })
    assert.strictEqual(consoleText([row]), "[ { id: 1, name: 'a' } ]")
    const { sample, shape, type } = describeVariable("rows", [row, row])
    assert.strictEqual(
      `${type}${shape} = ${sample}`,
      "Array[2] of { id, name } = [ { id: 1, name: 'a' }, { id: 1, name: 'a' } ]"
    )
  })

  it("names cycles", () => {
    const value = evaluate("(() => { const a = { list: [] }; a.list.push(a); return a })()")
    assert.strictEqual(consoleText(value), inspect(value))
  })

  it("says how much is left out", () => {
    assert.include(
      previewOf(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i]))).text,
      "40 more keys"
    )
    assert.include(previewOf(Array(500).fill(0)).text, "... 400 more items")
    assert.include(previewOf(new Map(Array.from({ length: 150 }, (_, i) => [i, i]))).text, "Map(150)")
    assert.include(previewOf({ text: "x".repeat(3_000) }).text, "1000 more characters")
    assert.include(previewOf(new Uint8Array(1_000)).text, "Uint8Array(1000)")
  })

  it("tells whether it is whole", () => {
    assert.isTrue(previewOf([1, 2, 3]).whole)
    assert.isFalse(previewOf(Array(500).fill(0)).whole)
  })

  it("is short for huge values", () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key${i}`, { i }]))
    const long = Array.from({ length: 100_000 }, (_, i) => ({ i, text: "x".repeat(100) }))
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    for (const value of [wide, long, deep, [wide, long, deep]]) assert.isBelow(previewOf(value).text.length, 30_000)
  })

  it("is one line as a sample", () => {
    const sample = sampleOf({ text: "a\nb", list: Array(50).fill({ x: 1 }) })
    assert.notInclude(sample, "\n")
    assert.isAtMost(sample.length, 120)
  })
})

describe("no code of a value runs", () => {
  const traps: Record<string, string> = {
    getter: "{ get a() { ran() } }",
    "symbol tag": "{ get [Symbol.toStringTag]() { ran() } }",
    "custom inspect": "{ [Symbol.for('nodejs.util.inspect.custom')]() { ran() } }",
    "inherited custom inspect": "new (class { [Symbol.for('nodejs.util.inspect.custom')]() { ran() } })()",
    "class name": "new (class { static get name() { ran(); return 'x' } })()",
    hasInstance: "new (class { static [Symbol.hasInstance]() { ran(); return true } })()",
    constructor: "{ get constructor() { ran() } }",
    proxy: "new Proxy({}, new Proxy({}, { get() { ran() } }))",
    "proxy of a function": "new Proxy(() => 1, new Proxy({}, { get() { ran() } }))",
    "proxy as a prototype":
      "Object.create(new Proxy({}, { get() { ran() }, getPrototypeOf() { ran(); return null }, getOwnPropertyDescriptor() { ran() } }))",
    "iterator of a map":
      "new (class extends Map { *[Symbol.iterator]() { ran() } entries() { ran(); return [] } get size() { ran(); return 1 } })()",
    "toJSON and toString": "{ toJSON() { ran() }, toString() { ran() }, valueOf() { ran() } }",
    then: "{ get then() { ran() } }",
    "error message": "Object.defineProperty(new Error('x'), 'message', { get() { ran() } })",
    "error stack": "Object.defineProperty(new Error('x'), 'stack', { get() { ran() } })",
    "length of an array": "new (class extends Array { get length() { ran(); return 1 } })()",
    "date": "Object.assign(new Date(0), { toISOString() { ran() } })",
    "regular expression": "Object.defineProperty(/x/, 'source', { get() { ran() } })"
  }
  for (const [name, code] of Object.entries(traps)) {
    it(name, () => {
      let ran = 0
      ;(elsewhere as Record<string, unknown>).ran = () => ran++
      const value = evaluate(code)
      for (const print of [previewOf, consoleText, sampleOf]) print(value)
      assert.strictEqual(ran, 0)
    })
  }
})

it("asks a view for its size by its class, not by what it says itself", () => {
  const lying = evaluate(
    "[new Uint8Array(3), new ArrayBuffer(3), new DataView(new ArrayBuffer(3))].map((view) => Object.defineProperty(view, 'byteLength', { get() { throw new Error('code of the value') } }))"
  ) as ReadonlyArray<unknown>
  for (const view of lying) {
    assert.strictEqual(describeVariable("view", view).bytes, 3)
    assert.include(sampleOf({ view }), "view")
  }
})

it("shortens names and messages that are as long as texts", () => {
  const long = "x".repeat(1_000_000)
  const described = describeVariable("v", { [long]: 1, list: [{ [long]: 1 }] })
  assert.isBelow(JSON.stringify(described).length, 2_000)
  assert.include(described.shape, "…")
  const failure = failureOf(Object.assign(new Error(long), { name: long }))
  const problem = problemOf(failure, { id: 1, parsed: { code: "", rewritten: "", hoisted: [] } })
  assert.isBelow(JSON.stringify(problem).length, 20_000)
  assert.include(problem.message, "990000 more characters")
})

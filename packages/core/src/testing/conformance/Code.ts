import { Group } from "./Case.ts"
import { equal } from "./Check.ts"

export const typescript = new Group("TypeScript")
  .value("annotations", "const a: number = 1; function f(x: string, y?: number): string { return x }\nf('a')", "a")
  .value(
    "interfaces and type aliases",
    "interface A { a: number }\ntype B = A & { b: string }\nconst v: B = { a: 1, b: 'x' }\nv",
    { a: 1, b: "x" }
  )
  .value("generic functions and calls", "const id = <T,>(x: T): T => x\nid<number>(4)", 4)
  .value("as, satisfies and !", "const v = ({ a: 1 } as { a?: number }) satisfies object\nv.a! + 1", 2)
  .value("type imports vanish", "import type { Foo } from 'nowhere'\nconst f: Foo = 1\nf", 1)
  .value(
    "a class with fields and modifiers",
    "class A { private readonly x: number = 2; get y(): number { return this.x } }\nnew A().y",
    2
  )
  .value("a cell of types only has no value", "type Only = string", undefined)
  .problem("an enum names the alternative", "enum Color { Red }", { stage: "syntax" })
  .problem("a namespace names the alternative", "namespace N { export const a = 1 }", { stage: "syntax" })
  .problem("parameter properties name the alternative", "class A { constructor(private x: number) {} }", {
    stage: "syntax"
  })
  .problem("lines are those of the text", "type A = {\n  a: number\n}\nconst v: A = { a: 1 }\nv.a.b.c", { line: 5 })

export const awaiting = new Group("await and import")
  .value("at the top", "const a = await Promise.resolve(1); a + 1", 2)
  .value("in a loop at the top", "let sum = 0\nfor (const p of [1, 2, 3].map(async (x) => x)) sum += await p\nsum", 6)
  .value(
    "for await",
    "async function* g() { yield 1; yield 2 }\nconst all = []\nfor await (const x of g()) all.push(x)\nall",
    [1, 2]
  )
  .value("the last value is awaited", "Promise.resolve(7)", 7)
  .value("the last value is awaited after an await", "await null; Promise.resolve(7)", 7)
  .value("Promise.all", "await Promise.all([1, Promise.resolve(2), new Promise((done) => setTimeout(done, 5, 3))])", [
    1,
    2,
    3
  ])
  .value("a promise may be awaited in a later cell", [
    "const later = new Promise((done) => setTimeout(done, 20, 'done'));",
    "await later"
  ], "done")
  .value("names persist through an await", ["const a = await Promise.resolve([1]); const b = a.length", "[a, b]"], [
    [1],
    1
  ])
  .test("using disposes at the end of the cell, where the engine knows it", async ({ run, value }) => {
    await value("const log = []; class R { [Symbol.dispose]() { log.push('disposed') } }")
    const { problem } = (await run("using r = new R(); log.push('used');")).report
    equal(await value("log"), problem?.stage === "syntax" ? [] : ["used", "disposed"], "log")
  })
  .problem("a rejection is the problem of the cell", "await Promise.reject(new RangeError('no'))", {
    name: "RangeError",
    message: "no"
  })
  .problem("import of what is not granted", "import fs from 'node:fs'", { message: "node:fs", hint: "granted" })
  .problem("dynamic import of what is not granted", "await import('node:child_process')", {
    message: "node:child_process"
  })
  .value(
    "a refused import can be caught",
    "let caught; try { await import('nowhere') } catch (e) { caught = e.message.includes('nowhere') }\ncaught",
    true
  )

export const value = new Group("last value")
  .value("an expression", "1 + 1", 2)
  .value("with a semicolon", "1 + 1;", 2)
  .value("an object", "({ a: 1 })", { a: 1 })
  .value("an object without brackets", "{ a: 1, b: 2 }", { a: 1, b: 2 })
  .value("after declarations", "const a = [1, 2]\na.map((x) => x * 2)", [2, 4])
  .value("a declaration has none", "const a = 1", undefined)
  .value("a loop has none", "for (const a of [1]) { a }", undefined)
  .value("a return at the top", "if (true) return 'early'\n'late'", "early")
  .value("null", "null", null)
  .value("a bigint", "2n ** 64n", 18446744073709551616n)
  .value("a Map and a Set", "[new Map([['a', 1]]), new Set([1, 2])]", [new Map([["a", 1]]), new Set([1, 2])])
  .value("a Date", "new Date(0)", new Date(0))
  .value("NaN and -0", "[NaN, -0]", [NaN, -0])
  .value("a comment after it", "42 // the answer", 42)
  .value("an empty cell", "", undefined)
  .value("a cell of comments", "// nothing\n/* at all */", undefined)
  .test("a text is previewed as it is", async ({ run }) => {
    const { report } = await run("'line 1\\nline 2'")
    if (report.preview !== "line 1\nline 2") throw new Error(report.preview)
  })
  .test("an object is previewed as Node prints it", async ({ run }) => {
    const { report } = await run("({ a: 1, b: ['x'], c: new Map([[1, { d: null }]]) })")
    if (report.preview !== "{ a: 1, b: [ 'x' ], c: Map(1) { 1 => { d: null } } }") throw new Error(report.preview)
  })
  .test("a preview runs no code of the value", async ({ run, value }) => {
    await run(`let ran = 0
      const trap = { get a() { ran++; return 1 }, [Symbol.for("nodejs.util.inspect.custom")]() { ran++; return "x" }, get [Symbol.toStringTag]() { ran++; return "T" } }
      class K { static get name() { ran++; return "K" } static [Symbol.hasInstance]() { ran++; return true } }
      const proxy = new Proxy({}, { get() { ran++ }, ownKeys() { ran++; return [] }, getPrototypeOf() { ran++; return null } })`)
    await run("[trap, new K(), proxy]")
    const ran = await value("ran")
    if (ran !== 0) throw new Error(`${ran} pieces of code ran`)
  })
  .test("a cycle is previewed", async ({ run }) => {
    const { report } = await run("const a = { name: 'a' }; a.self = a; a")
    if (!report.preview.includes("[Circular *1]")) throw new Error(report.preview)
  })

/**
 * What is no cell: message, place in the model's own text, and the hint where the slip is a known one.
 */
import { describe, expect, it } from "vitest"
import { parseCell } from "../../src/syntax/index.ts"
import { strip } from "./Notebook.ts"

/** Code, place, message, hint. */
type Case = readonly [code: string, place: string, message: string | RegExp, hint?: RegExp]

const cases: ReadonlyArray<Case> = [
  ["let a = (1 + ;", "1:14", "Unexpected token ';'"],
  ["let a = 1\nlet b = a a", "2:11", "Unexpected token 'a'"],
  [
    "const x = {\n  a: [1, 2\n",
    "3:1",
    "Unexpected end of the code",
    /'\[' opened on line 2, column 6 is not closed: add '\]'/
  ],
  ["foo(`${a`", "1:10", /Unterminated template|Unexpected end/],
  ["x)", "1:2", "Unexpected token ')'", /brackets/],
  ["})(); process.exit(); (()=>{", "1:1", "Unexpected token '}'"],
  ["}\n{", "1:1", "Unexpected token '}'"],
  ["let dup = 1; let dup = 2", "1:18", "Identifier 'dup' has already been declared", /later cell/],
  ["let dup = 1; var dup = 2", "1:18", "Identifier 'dup' has already been declared"],
  ["const noInit;", "1:13", "Unexpected token ';'"],
  ["function f() { await x() }", "1:16", /await/, /async/],
  ["const f = () => {\n  await g()\n}", "2:3", /await/, /async/],
  ["let s = \u201chi\u201d", "1:9", /Unexpected character/, /straight quotes/],
  ["let s = 'abc\n'", "1:9", "Unterminated string constant", /template|`…`/],
  ["let t = `abc", "1:10", "Unterminated template", /not closed/],
  ["```ts\nlet x = 1\n```", "1:1", /fence/, /fence/],
  ["let x = 1\n```\nmore", "2:4", /Unterminated template|end/, /fence/],
  ["def foo(x):\n  return x", "1:5", "Unexpected token 'foo'", /Python/],
  ["print 'x'", "1:7", 'Unexpected token "\'"', /Python/],
  ["if x:\n  y()", "1:4", "Unexpected token 'x'", /Python/],
  ["for x in xs:\n  y", "1:5", "Unexpected token 'x'", /Python/],
  ["x = 1\nelif y:\n  z()", "2:6", "Unexpected token 'y'", /Python/],
  ["[x for x in xs]", "1:4", "Unexpected token 'for'", /Python/],
  ["%timeit x", "1:9", /./, /[Mm]agics/],
  ["!ls -l a", "1:8", /./, /shell/],
  ["new.target", "1:1", /new\.target/],
  ["with (a) {}", "1:1", /strict/],
  ["break", "1:1", /break/],
  ["export * from 'a'", "1:1", /export … from/, /Import/],
  ["let a\nexport { b } from 'a'", "2:1", /export … from/],
  ["@dec class A {}", "1:1", /@/, /Decorators/],
  ["const a = <div>x</div>", "1:11", "Unexpected token '<'", /JSX/],
  ["const a: number = <div/>", "1:24", /./],
  // TypeScript that is more than types
  ["enum A { X }", "1:1", /enums/, /as const/],
  ["let a: number = 1\nconst enum A { X }", "2:1", /enums/, /as const/],
  ["let a: number = 1\n\n  export const enum A {\n    X,\n    Y\n  }\na", "3:3", /enums/, /as const/],
  ["a(); enum A {\n X }", "1:6", /enums/],
  ["let y = <Map<\n string>>x", "1:9", /angle brackets/],
  ["namespace X { export const y = 1 }", "1:1", /namespaces/, /object/],
  ["class A {\n  constructor(private x: number) {}\n}", "2:23", /parameter properties/, /this\.name/],
  ["let x = 1\nlet y = <number>x", "2:9", /angle brackets/, /value as Type/],
  ["import fs = require('fs')", "1:1", /import name = …/, /import name from/],
  ["const fs = require 'fs'", "1:20", /Unexpected/, /import name from/],
  ["let a: number = ;", "1:17", "Expression expected"],
  ["let a: number = 1\nlet b = (2 + ;", "2:14", "Expression expected"],
  ["const f = () => { const y: number = 1; await g() }", "1:40", /await/, /async/],
  // certain mistakes
  ["const c = 1; c = 2", "1:14", "Assignment to constant variable 'c'", /let c/],
  ["const c = 1\nfunction f() { c++ }", "2:16", "Assignment to constant variable 'c'"],
  ["const [c] = [1]\nfor (c of []) {}", "2:6", "Assignment to constant variable 'c'"],
  ["const c = 1\n;({ a: c } = { a: 2 })", "2:8", "Assignment to constant variable 'c'"],
  ["const c = 1; { let d; c += 1 }", "1:23", "Assignment to constant variable 'c'"],
  ["import { p } from 'p'; p = 1", "1:24", "Assignment to constant variable 'p'", /import/],
  ["__b = 1e9", "1:1", "The name '__b' is reserved"],
  ["let \\u005f_b = 1", "1:5", "The name '__b' is reserved"],
  ["function f() { let { a: __t } = {} }", "1:25", "The name '__t' is reserved"]
]

describe("problems", () => {
  for (const [code, place, message, hint] of cases) {
    it(JSON.stringify(code), () => {
      const problem = parseCell(code, strip)
      if (!("stage" in problem)) throw new Error(`parsed: ${problem.rewritten}`)
      expect(problem).toMatchObject({ stage: "syntax", name: "SyntaxError", frames: [] })
      expect(`${problem.line}:${problem.column}`).toBe(place)
      expect(problem.message).toMatch(message)
      expect(problem.hint ?? "").toMatch(hint ?? /^/)
    })
  }

  it.each([
    "const c = 1; function f(c) { c = 2 }",
    "const c = 1; { let c = 2; c = 3 }",
    "const c = 1; for (let c = 0; c < 1; c++) {}",
    "const c = 1; try {} catch (c) { c = 2 }",
    "const c = 1; const f = ({ c }) => { c = 2 }",
    "const c = 1; function f() { if (c) { var c = 1 } c = 2 }",
    "const c = 1; (class c { m() { c.x = 1 } })",
    "const c = { n: 1 }; c.n = 2; c.n++",
    "const c = 1; switch (1) { case 1: let c = 2; c = 3 }",
    "const c = 1; (function c() { var d; { d = 1 } })()",
    "let c = 1; c = 2"
  ])("no constant is assigned in %s", (code) => {
    expect(parseCell(code, strip)).not.toHaveProperty("stage")
  })

  it.each([
    ["({ __b: 1 }).__b"],
    ["let __beta = 1, __importer = 2"],
    ["'__b'"]
  ])("no reserved name is used in %s", (code) => {
    expect(parseCell(code, strip)).not.toHaveProperty("stage")
  })

  it("tells a text that nests too deeply, and goes on after it", () => {
    for (const deep of ["(".repeat(50_000), `let x: number = ${"(".repeat(50_000)}`, `let x: ${"A<".repeat(50_000)}`]) {
      expect(parseCell(deep, strip)).toMatchObject({ stage: "syntax", message: "The code is nested too deeply" })
      expect(parseCell(`let x: number = ${"!".repeat(50_000)}1`, strip)).toMatchObject({ stage: "syntax" })
    }
    expect(parseCell("let x: number = 1", strip)).not.toHaveProperty("stage")
  })

  it("takes plain JavaScript alone where there is no stripper", () => {
    expect(parseCell("let x = 1")).not.toHaveProperty("stage")
    expect(parseCell("let x: number = 1")).toMatchObject({ stage: "syntax", line: 1, column: 6 })
  })
})

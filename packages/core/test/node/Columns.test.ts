import { assert, describe, it } from "@effect/vitest"
import { stripTypeScriptTypes } from "node:module"
import { constants, createContext, Script } from "node:vm"
import type { ParsedCell } from "../../src/Cell.ts"
import { originalColumn } from "../../src/node/Columns.ts"
import { parseCell } from "../../src/syntax/index.ts"

/** Each text fails at the mark, which is taken out before it is parsed. */
const texts = [
  "rows.«fliter(1)",
  "const a = 1; rows.«fliter(1)",
  "let a = 1, b = 2; const c = rows.«fliter(a)",
  "for (const x of [1]) rows.«fliter(x)",
  "for (const x of [1]) { if (x) rows.«fliter(x) }",
  "[1].map((x) => rows.«fliter(x))",
  "[1].map((x) => { return rows.«fliter(x) })",
  "function f(x) { return rows.«fliter(x) }\nf(1)",
  "function f(x) {\n  for (;;) rows.«fliter(x)\n}\nf(1)",
  "  function g() { rows.«fliter(1) }\ng()",
  "class A { m() { rows.«fliter(1) } }\nnew A().m()",
  "const o = { a: rows.«fliter(1) }",
  "if (true) { rows.«fliter(1) }",
  "export const a = rows.«fliter(1)",
  "const x: number = 1; rows.«fliter(x as any)",
  "var i = 0; while (i < 1) { i++; rows.«fliter(i) }"
]

const thrownAt = (parsed: ParsedCell): { readonly line: number; readonly column: number } => {
  const context = createContext(constants.DONT_CONTEXTIFY as never) as Record<string, unknown>
  context.rows = []
  for (const name of parsed.names.keys()) context[name] = undefined
  new Script("let __b=1e9,__t=()=>{},__g=()=>{}").runInContext(context)
  try {
    for (const { code, column, line } of parsed.hoisted) {
      new Script(code, { filename: "cell", lineOffset: line, columnOffset: column }).runInContext(context)
    }
    new Script(parsed.rewritten, { filename: "cell", lineOffset: -1 }).runInContext(context)
  } catch (error) {
    const [, line, column] = /cell:(\d+):(\d+)/.exec((error as Error).stack!)!
    return { line: Number(line), column: Number(column) }
  }
  throw new Error("it did not fail")
}

describe("originalColumn", () => {
  for (const marked of texts) {
    it(JSON.stringify(marked), () => {
      const code = marked.replace("«", "")
      const before = marked.slice(0, marked.indexOf("«")).split("\n")
      const parsed = parseCell(code, stripTypeScriptTypes) as ParsedCell
      const { column, line } = thrownAt(parsed)
      assert.strictEqual(line, before.length)
      assert.strictEqual(originalColumn(parsed, line, column), before.at(-1)!.length + 1)
    })
  }

  it("gives back what it cannot place", () => {
    assert.strictEqual(originalColumn(parseCell("1") as ParsedCell, 9, 4), 4)
  })
})

/**
 * Pieces of code in any mixture, some of them broken: each is a problem with a place, or compiles after the rewrite.
 */
import * as vm from "node:vm"
import { expect, it } from "vitest"
import { parseCell } from "../../src/syntax/index.ts"
import { strip } from "./Notebook.ts"

const pieces = [
  "let a = 1",
  "const {b, c = 2} = o",
  "var d",
  "var e = 1, f",
  "let l1\n(foo)",
  "for (var i = 0; i < 3; i++) d = i",
  "for (var k of xs) {}",
  "for (var async of xs) ;",
  "for await (const z of zs) {}",
  "function g(x = 1) { return x }",
  "async function h() { await 1 }",
  "function*gen(){yield 1}",
  "class K extends J { static #p = 1; m() { return this.#p } static { var q = 1 } }",
  "import m, { n as nn } from 'mod'",
  "import * as ns from 'mod'",
  "export const p = 1",
  "export default 5",
  "export default class {}",
  "export default function () {}",
  "export { a }",
  "if (a) var r = 1; else var s = 2",
  "while (a) d++",
  "do d--; while (a)",
  "lab: for (;;) break lab",
  "switch (a) { case 1: var t = 2; break }",
  "try { a } catch (u) { var u2 = u } finally {}",
  "(() => { for (;;) break })()",
  "x => ({ y: x })",
  "async (v) => await v",
  "`t${a}u`",
  "/re/g",
  "a<!--b",
  "import.meta.url",
  "await import('x')",
  "using w = y",
  "return 1",
  "{ a: 1 }",
  "[1].map(f)",
  "(1, 2)",
  "-1",
  "let w2: number = 1",
  "type T = string",
  "interface I { a: 1 }",
  "xs.map<number>((q) => q)",
  "foo! as any",
  "enum E { A }",
  "new.target",
  "// c",
  "/* c\n */",
  "//# sourceURL=x",
  "a\n++b"
]
const separators = ["\n", ";", ";\n", " ", "", "\r\n", "\u2028", "\n\n  "]

/** Repeatable: a linear congruence. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor(state / 2 ** 32 * below)
  }
}

const mixture = (random: (below: number) => number): string => {
  const parts = Array.from(
    { length: 1 + random(6) },
    () => pieces[random(pieces.length)]! + separators[random(separators.length)]!
  )
  const code = parts.join("")
  const place = random(code.length)
  return random(4) === 0 ? code.slice(0, place) + code.slice(place + 1 + random(3)) : code
}

const lines = (text: string) => text.split(/\r\n?|[\n\u2028\u2029]/).length

it("mixtures", { timeout: 60_000 }, () => {
  const random = numbers(7)
  let compiled = 0
  let refused = 0
  for (let i = 0; i < 8_000; i++) {
    const code = mixture(random)
    const parsed = parseCell(code, i % 2 ? strip : undefined)
    if ("stage" in parsed) {
      refused++
      expect([code, parsed.line, parsed.column]).toEqual([code, expect.any(Number), expect.any(Number)])
      continue
    }
    compiled++
    const texts = [parsed.rewritten, ...parsed.hoisted.map((script) => `'use strict';${script.code}`)]
    expect(() => texts.map((text) => new vm.Script(text, { filename: code }))).not.toThrow()
    expect([code, lines(parsed.rewritten)]).toEqual([code, lines(`\n${code}\n`)])
  }
  expect(Math.min(compiled, refused)).toBeGreaterThan(1_000)
})

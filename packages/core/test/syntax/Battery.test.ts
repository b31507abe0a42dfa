/**
 * Cells run for real, one notebook a group, in the order given: what a cell leaves behind the next one sees.
 */
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { Notebook } from "./Notebook.ts"

/** A cell and its value as JSON, or what its error says. */
type Case = readonly [code: string, expected: unknown]

const outcome = async (notebook: Notebook, code: string): Promise<unknown> => {
  try {
    return await notebook.run(code)
  } catch (error) {
    return `${(error as Error)?.name}: ${(error as Error)?.message}`
  }
}

const plain = (value: unknown): unknown => {
  if (value === undefined || typeof value === "string") return value
  return JSON.parse(JSON.stringify(value) ?? JSON.stringify(inspect(value)))
}

const battery = (title: string, cases: ReadonlyArray<Case>): unknown =>
  describe(title, () => {
    const notebook = new Notebook({ live: { a: 1 } })
    for (const [index, [code, expected]] of cases.entries()) {
      it(`${index + 1} ${JSON.stringify(code)}`, async () => {
        const value = plain(await outcome(notebook, code))
        expect(value).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected)
      })
    }
  })

battery("a name declared again as any kind", [
  ["let x = 1; x", 1],
  ["const x = 2; x", 2],
  ["var x = 3; x + 1", 4],
  ["function x() { return 7 }\nx()", 7],
  ["class x { static v = 9 }\nx.v", 9],
  ["x", /class x/],
  ["let x = 5", undefined],
  ["x", 5],
  ["let x = x + 1; x", 6],
  ["var x; x", 6],
  ["let x; typeof x", "undefined"],
  ["import x from 'node:path'; typeof x.join", "function"],
  ["async function x() { return 8 }\nawait x()", 8],
  ["function* x() { yield 1; yield 2 }\n[...x()]", [1, 2]],
  ["const { x } = { x: 4 }\nx", 4]
])

battery("destructuring", [
  ["const { a, ...rest } = { a: 1, b: 2, c: 3 }; rest", { b: 2, c: 3 }],
  ["const [p, , q = 4, ...r] = [1, 2, undefined, 5, 6]; [p, q, r]", [1, 4, [5, 6]]],
  ["let { d: { e = 3 } = {}, ['k' + 1]: kk } = { k1: 8 }\n;[e, kk]", [3, 8]],
  ["var{m}={m:1},[n]=[2];[m,n]", [1, 2]],
  ["let a1 = 1, b1, c1 = 3; [a1, b1 === undefined, c1]", [1, true, 3]],
  ["const { f1 = () => 1 } = {}; f1.name", "f1"],
  ["[a, p] = [10, 20]; [a, p]", [10, 20]],
  ["({ a, p } = { a: 5, p: 6 }); a + p", 11],
  ["for (const [k, v] of Object.entries({ z: 1 })) globalThis.kv = k + v\nkv", "z1"]
])

battery("what later cells see", [
  ["let cnt = 0; const inc = () => ++cnt; inc(); inc(); cnt", 2],
  ["cnt = 10; inc()", 11],
  ["let threshold = 5; function check(v) { return v > threshold }\ncheck(7)", true],
  ["let threshold = 10; check(7)", false],
  ["function outer1() { return inner1() } function inner1() { return 1 }\nouter1()", 1],
  ["function inner1() { return 2 }\nouter1()", 2],
  ["inner1 = () => 3\nouter1()", 3],
  ["function fact(n) { return n < 2 ? 1 : n * fact(n - 1) }\nfact(5)", 120],
  ["class A { m() { return 1 } static make() { return new A() } }\nA.make().m()", 1],
  ["class A { m() { return 2 } } new A().m()", 2],
  ["class B extends A { constructor() { super(); this.y = 3 } }\nnew B().m() + new B().y", 5],
  ["delete globalThis.fact && typeof fact", "undefined"],
  ["live.a = 2; live.a", 2],
  ["const fetch = 1; fetch", 1],
  ["result = 5", /ReferenceError/],
  ['"use strict"; undeclared = 1', /ReferenceError/],
  ["const g1 = function () {}; const C1 = class {}; [g1.name, C1.name, check.name]", ["g1", "C1", "check"]]
])

battery("hoisting", [
  ["early()\nfunction early() { return 1 }", undefined],
  ["early()", 1],
  ["let v1 = late()\nfunction late() { return 'late' }\nv1", "late"],
  ["function d1(a = d2()) { return a } function d2() { return 6 }\nd1()", 6],
  ["function a2(){}late()", "late"],
  ["late()\nfunction a3() {}\n[1].length", 1],
  ["var i1; for (var i1 = 0; i1 < 3; i1++) {}\ni1", 3],
  ["for (var k1 of [1, 2]) {}\nk1", 2],
  ["for (var k2 in { a: 1, b: 1 }) {}\nk2", "b"],
  ["for (var u1;;) { break }\nu1", undefined],
  ["for (var [m1, m2] of [[1, 2]]) {}\n[m1, m2]", [1, 2]],
  ["for (var { o1 } = { o1: 4 }, o2 = 5; false;) {}\n[o1, o2]", [4, 5]],
  ["for (var async of [7]) {}\nasync", 7],
  ["if (true) { var n1 = 4 }\nn1", 4],
  ["if (true) var n2 = 5; else var n3 = 6\nn2", 5],
  ["if (false) { } else var n4 = 8\nn4", 8],
  ["while (true) { var n5 = 1; break }\nn5", 1],
  ["do var n6 = 2; while (false)\nn6", 2],
  ["try { throw 1 } catch (e) { var n7 = e }\nn7", 1],
  ["switch (1) { case 1: var n8 = 3 }\nn8", 3],
  ["lab: { var n9 = 1; break lab }\nn9", 1],
  ["lab: var n10 = 2\nn10", 2],
  ["(function () { var hidden1 = 1 })(); typeof hidden1", "undefined"],
  ["class S1 { static { var hidden2 = 2; this.v = hidden2 } }\n[S1.v, typeof hidden2]", [2, "undefined"]],
  ["{ let blk = 1; globalThis.fromBlock = blk }\ntypeof blk + fromBlock", "undefined1"],
  ["if (true) { function inBlock() {} }\ntypeof inBlock", "undefined"]
])

battery("the value of a cell", [
  ["1 + 1", 2],
  ["x1 = 1", /ReferenceError/],
  ["({ a: 1 })", { a: 1 }],
  ["{ a: 1, b: 2 }", { a: 1, b: 2 }],
  ["// a comment\n{ a: 1 }; // and another", { a: 1 }],
  ["{}", {}],
  ["{ a: [1], ...{ b: 2 } }", { a: [1], b: 2 }],
  ["{ globalThis.zz = 1 }", undefined],
  ["{ let q = 1; q }", undefined],
  ["{}\n[1].length", 1],
  ["(1, 2)", 2],
  ["1, 2", 2],
  ["(function () { return 8 })()", 8],
  ["(() => { return 9 })();", 9],
  ["`a${1 + 1}`", "a2"],
  ["return 5", 5],
  ["if (true) { return 'early' }\n'late'", "early"],
  ["5 // trailing", 5],
  ["/* c */ 5 /* d */ ; // e", 5],
  ["5 // c\n;", 5],
  ["5;;;", 5],
  ["// only a comment", undefined],
  ["", undefined],
  ["   \n\n", undefined],
  ["for (const i of [1]) i", undefined],
  ["this === globalThis", true],
  ["'use strict'", "use strict"],
  ["async () => { await 1 }; 3", 3],
  ["#!/usr/bin/env node\n1 + 1", 2],
  ["1\n//# sourceURL=evil.js", 1],
  ["const s1 = '//# sourceURL=a.js'; s1", "//# sourceURL=a.js"],
  ["/[/}]/g.test('}')", true],
  ["((s, ...v) => s.raw[0] + v)`x\\n${1}`", "x\\n1"]
])

battery("await", [
  ["await Promise.resolve(5)", 5],
  ["const y1 = await Promise.resolve({ k: [1, 2] }); y1", { k: [1, 2] }],
  ["for await (const z of [Promise.resolve(1), 2]) { globalThis.last1 = z }\nlast1", 2],
  ["if (await true) { var w1 = await 4 }\nw1", 4],
  ["const f1 = async () => { const z = await 1; return z }; await f1()", 1],
  ["const f2 = async (x) => await x; await f2(3)", 3],
  ["async function* ag() { yield 1 }\nconst o1 = []; for await (const v of ag()) o1.push(v); o1", [1]],
  ["class K1 { static [await 'name1'] = 1 }\nK1.name1", 1],
  ["const r1 = (await Promise.all([1, 2].map(async (v) => v * 2))).length; r1", 2],
  ["await (async () => { throw new RangeError('inner') })()", "RangeError: inner"]
])

battery("imports and exports", [
  ["import fs, { readFileSync as rf } from 'node:fs'\ntypeof rf + typeof fs.readFileSync", "functionfunction"],
  ["import * as path from 'node:path'; path.sep", "/"],
  ["import def, * as ns from 'node:path'; [typeof def.join, typeof ns.join]", ["function", "function"]],
  ["import { nope } from 'node:path'", "SyntaxError: node:path has no export named 'nope'"],
  ["import 'node:path'", undefined],
  ["import {\n  join,\n  resolve as rs\n} from 'node:path'\njoin('a', 'b') + typeof rs", "a/bfunction"],
  ["import { 'join' as quoted } from 'node:path'; quoted('c', 'd')", "c/d"],
  ["(await import('node:path')).basename('/a/b')", "b"],
  ["import.meta.url", "cell:"],
  ["export const ex1 = 1; ex1", 1],
  ["export default 42", 42],
  ["export default (1, 2)", 2],
  ["export default class {}", /class/],
  ["export default 1\n2", 2],
  ["export { ex1 }", undefined],
  ["export { neverDeclaredHere }", undefined],
  ["ex1\nexport { ex1 }\n[3].length", 1],
  ["export default function dd() { return 3 }\ndd()", 3],
  ["export function ee() { return 4 }\nexport class EE { static v = 5 }\nee() + EE.v", 9],
  ["export * from 'node:fs'", /SyntaxError: .*export … from/],
  ["export { readFileSync } from 'node:fs'", /SyntaxError: .*export … from/]
])

battery("statements without semicolons", [
  ["'a'.length\nlet q1 = [1, 2]\n;[q1[0]]", [1]],
  ["let u1\n(() => 5)()", 5],
  ["let u2\n[1].length", 1],
  ["var u3\n;`t`", "t"],
  ["let u4 = 1\n++u4", 2],
  ["let u5\nu5 = 3\nu5", 3],
  ["let m1 =\n  1 +\n  2\nm1", 3],
  ["class Q1 {}\n(() => 1)()", 1],
  ["class a1{}class b1{}typeof b1", "function"],
  ["class a1{}\n[1].length", 1],
  ["let z1 = 1;let z2 = 2;function z3(){return z1}let z4 = z3();z4 + z2", 3],
  ["if (false); else var y2 = 1\ny2", 1],
  ["const obj1 = {\n  m() { return this.v },\n  v: 3\n}\nobj1.m()", 3]
])

battery("syntax of all kinds", [
  ["lab: for (const i of [1, 2, 3]) { for (;;) { if (i < 2) continue lab; break lab } } 'done'", "done"],
  [
    "class P { #x = 1; static #c = 0; get x() { return this.#x } static { this.k = 3 } static has(o) { return #x in o } }\n[new P().x, P.k, P.has(new P())]",
    [1, 3, true]
  ],
  ["let get = 1, set = 2, of = 3, static_ = 5; [get, set, of, static_]", [1, 2, 3, 5]],
  ["let nn; nn ??= 3; nn ||= 4; nn &&= 5; nn", 5],
  ["const t1 = a?.b\nvar a\nt1", undefined],
  ["var r2 = { [Symbol.dispose]() { globalThis.disposed1 = true } }; { using s2 = r2 }\ndisposed1", true],
  ["using r3 = { open: true, [Symbol.dispose]() { this.open = false } }; r3.open", true],
  ["r3.open", false],
  [
    "using r4 = { open: true, [Symbol.dispose]() { this.open = false } }; function peek() { return r4.open }\npeek()",
    true
  ],
  ["await using r5 = { async [Symbol.asyncDispose]() { globalThis.gone5 = 1 } }; typeof r5", "object"],
  ["gone5", 1],
  ["let h1 = 3; let h2 = 5; h1<!--h2", false],
  ["const big = 10n ** 20n; String(big)", "100000000000000000000"],
  ["/(?<y>\\d+)/v.exec('a12').groups.y", "12"],
  ["function nt() { return new.target === nt }\nnew nt() instanceof nt", true],
  ["const o7 = { async *g() { yield 1 }, get v() { return 2 }, ['c' + 1]: 3 }; o7.v + o7.c1", 5],
  ["label1: { 1 }", undefined],
  ["var \u00e9t\u00e9 = '\u65e5\u672c \ud83d\ude00'; \u00e9t\u00e9", "\u65e5\u672c \ud83d\ude00"]
])

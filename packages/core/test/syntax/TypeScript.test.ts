/**
 * Types in cells: gone before the run, every other character in its place.
 */
import { describe, expect, it } from "vitest"
import { Notebook } from "./Notebook.ts"

const values: ReadonlyArray<readonly [code: string, value: unknown]> = [
  ["const n: number = 1; n", 1],
  ["const f = <T>(x: T): T => x; f<number>(2)", 2],
  ["function g<T extends object>(this: void, a: T, ...b: T[]): number { return b.length }\ng({}, {}, {})", 2],
  ["interface Row { a: number; b?: string }\nconst row = { a: 1 } as Row\nrow.a", 1],
  ["type A = { a: string; b: number }\nlet a: A = { a: 'x', b: 1 } satisfies A; a!.b", 1],
  ["new Map<string, number>([['a', 1]]).get('a')", 1],
  ["new Set<string>(['a', 'a']).size", 1],
  ["[1, 2].reduce<Record<string, number>>((m, x) => ({ ...m, [x]: x }), {})[2]", 2],
  ["[1].map<Map<string, Map<string, Array<number>>>>((x) => x as any)[0]", 1],
  ["String.raw<string>`a\\n`", "a\\n"],
  ["const i = 1, n = 2, k = 3\n;(i<n && k>(2))", true],
  [
    "class A<T> { private x: number = 1; readonly y?: string; constructor(z: T) {} get(): number { return this.x } }\nnew A<number>(1).get()",
    1
  ],
  ["abstract class B { abstract m(): void\n  static v = 3 }\nB.v", 3],
  [
    "import type { PathLike } from 'node:fs'\nimport { type Stats, existsSync } from 'node:fs'\ntypeof existsSync",
    "function"
  ],
  ["declare const later: number\ndeclare function h(): void\ntypeof later", "undefined"],
  ["export type E = string\nexport interface F {}\n4", 4],
  [
    "function over(a: string): string\nfunction over(a: number): number\nfunction over(a: any) { return a }\nover(5)",
    5
  ],
  ["return 5 as number", 5],
  ["const q: number = 6\nif (q) return q\nreturn", 6],
  ["const gen = { return(): number { return 7 } }\nreturn gen.return() as number", 7],
  ["let x: number\nif (false) { return }\nx = 8; // return\nreturn x /* return */", 8],
  ["const é: '日本' | '😀' = '😀'; é.length", 2],
  ["{ a: 1 as number }", { a: 1 }],
  ["await (async (x: number): Promise<number> => x)(9)", 9]
]

/** Statements of types end the statement before them. */
const separated: ReadonlyArray<readonly [code: string, value: unknown]> = [
  ["let a = 1\ntype T = number\n;[1].length", 1],
  ["let a = 1\ntype T = number;\n[1, 2].length", 2],
  ["let a = 1\ninterface T { x: number }\n;[1].length", 1],
  ["let a = 1\nexport type T = number\n;(2)", 2],
  ["let a = 1\nimport type { PathLike } from 'node:fs'\n;(3)", 3],
  ["let a = 1\ndeclare const t: number\n;`x`", "x"],
  ["let a = 1\ntype T = number\ntype U = string\n;[1].length", 1],
  ["let a = 1\n/* c */ type T = { a: string; b: number }\n\n;[1].length", 1],
  ["class A { x = 1\n declare z: number\n ['y']() { return 5 } }\nnew A().y()", 5],
  ["let x: /*\n type T = 1 */ number = 2\nx", 2],
  ["let a = 1; type T = number\n;[1].length", 1],
  ["export abstract class C { static v = 1 }\nC.v", 1],
  ["const o = {\n  type: 1,\n  declare: 2 }\no.type as number", 1]
]

describe("types in cells", () => {
  for (const [code, value] of [...values, ...separated]) {
    it(JSON.stringify(code), async () => {
      const notebook = new Notebook()
      const { javascript } = notebook.parse(code)
      expect(javascript).toHaveLength(code.length)
      expect(javascript.match(/\n/g)).toEqual(code.match(/\n/g))
      expect(await notebook.run(code)).toEqual(value)
    })
  }

  it("leaves JavaScript as it is", () => {
    const code = "f(a < b, c > (d)); const as = 1, type = 2, of = 3; type + as"
    expect(new Notebook().parse(code).javascript).toBe(code)
  })
})

/**
 * Places of run-time errors: the line as the engine gives it, the column mapped back to the model's own text. A comment
 * with an exclamation mark stands before the expected place.
 */
import { describe, expect, it } from "vitest"
import { originalColumn } from "../../src/syntax/index.ts"
import { Notebook, positionOf } from "./Notebook.ts"

const marker = "/*!*/"

const expectedPosition = (code: string): string => {
  const before = code.slice(0, code.indexOf(marker) + marker.length).split(/\r\n?|[\n\u2028\u2029]/)
  return `${before.length}:${before.at(-1)!.length + 1}`
}

const thrown = async (code: string): Promise<{ readonly raw: string; readonly mapped: string }> => {
  const notebook = new Notebook({
    boom: () => {
      throw new Error("boom")
    }
  })
  try {
    await notebook.run(code)
  } catch (error) {
    const raw = positionOf(error)!
    const [line, column] = raw.split(":").map(Number) as [number, number]
    return { raw, mapped: `${line}:${originalColumn(notebook.parse(code), line, column)}` }
  }
  throw new Error("the cell did not fail")
}

/** Nothing is inserted before the place, so the engine's own column is right. */
const untouched = [
  "/*!*/boom()",
  "\n\n  /*!*/boom()\n1",
  "const a = 1, b = /*!*/boom()",
  "let a = 1\nlet z = await 1;\nconst w = /*!*/boom()",
  "const { a } = { a: 1 }\nvar b = /*!*/boom()\n1",
  "function f() {\n  return /*!*/boom()\n}\nf()",
  "let a = 1; function f() {\n    throw /*!*/new Error('x')\n}\n\n  f()",
  "async function f(\n  a = /*!*/boom()\n) {}\nawait f()",
  "class A {\n  m() {\n    /*!*/boom()\n  }\n}\nnew A().m()",
  "const f = () => {\n  /*!*/boom()\n}\nf()",
  "for (const x of [1]) {\n  /*!*/boom()\n}",
  "import {\n  join\n} from 'node:path'\n/*!*/boom()\n1",
  "\r\nlet a = 1\r\n/*!*/boom()\r\n1",
  "let a = `\n\n`\n/*!*/boom()\n1",
  "let s = '\u2028'\n/*!*/boom()\n1",
  "for (var i = /*!*/boom(); ;) {}",
  "import.meta.url; /*!*/boom(); 1",
  "const n: number = 1, m = /*!*/boom() as string\n1",
  "interface A {\n  b: string\n}\nconst c: A = /*!*/boom()\n1",
  "export const a = /*!*/boom()\n1"
]

const shifted = [
  "1; /*!*/boom()",
  "[1].map((x) => /*!*/boom())",
  "[1].map((x) => { return /*!*/boom() })",
  "for (const x of [1]) { /*!*/boom() }",
  "while (true) /*!*/boom()",
  "class A extends /*!*/boom() {}",
  "class A { static x = /*!*/boom() }",
  "let a = 1; function f() { return /*!*/boom() } f()",
  "const q = 1; let a = 2; const b = /*!*/boom()",
  "import { join } from 'node:path'; /*!*/boom()",
  "import {\n join } from 'node:path'; /*!*/boom(); 1",
  "function f() { for (;;) { if (true) throw /*!*/new Error('x') } }\nf()",
  "await (async () => /*!*/boom())()",
  "let x; let y; [1].forEach(function (v) { /*!*/boom() })",
  "export default /*!*/boom()",
  "using a = /*!*/boom()",
  "function*g() { /*!*/boom() }\n[...g()]",
  "await import('node:path').then((m) => /*!*/boom())",
  "let a = () => { let b; return () => /*!*/boom() }; a()()"
]

describe("positions", () => {
  for (const code of untouched) {
    it(`as the engine says: ${JSON.stringify(code)}`, async () => {
      const { mapped, raw } = await thrown(code)
      expect(raw.split(":")[0]).toBe(expectedPosition(code).split(":")[0])
      expect(mapped).toBe(expectedPosition(code))
    })
  }
  for (const code of shifted) {
    it(`mapped back: ${JSON.stringify(code)}`, async () => {
      const { mapped, raw } = await thrown(code)
      expect(raw.split(":")[0]).toBe(expectedPosition(code).split(":")[0])
      expect(mapped).toBe(expectedPosition(code))
    })
  }
})

/**
 * Columns of the model's own text. A cell is rewritten in place, which keeps every line but moves what stands behind an
 * insertion. The insertions are few and known, so the two texts of a line can be walked side by side.
 */
import type { ParsedCell } from "../Cell.ts"

type Texts = Pick<ParsedCell, "code" | "rewritten" | "hoisted">

/** What the rewrite and the guards insert, longest first. */
const inserted = ["if(--__b<0)__t();", "(__g(),", "return ", "=void 0", ");", "0,", ";", ")", "(", "{", "}"]

/** Declarations whose keyword was replaced by text of the same width. */
const replaced = /^(?:let|const|var|export default|export|async function\*?|function\*?)(?=[\s({[*])/

/** The column at which the model wrote what the engine found at `column`; both 1-based. */
export const originalColumn = ({ code, hoisted, rewritten }: Texts, line: number, column: number): number => {
  const original = code.split("\n")[line - 1]
  if (original === undefined) return column
  const from = hoisted.find((f) => line > f.line && line <= f.line + f.code.split("\n").length)
  const first = from !== undefined && line === from.line + 1
  const generated = from === undefined
    ? rewritten.split("\n")[line]
    : first
    ? original.slice(0, from.column) + from.code.split("\n")[0]!
    : from.code.split("\n")[line - 1 - from.line]
  return generated === undefined ? column : walk(generated, original, column - 1) + 1
}

/** Offset in `original` of offset `target` in `generated`. */
const walk = (generated: string, original: string, target: number): number => {
  let at = 0
  let own = 0
  while (at < target && own < original.length) {
    const keyword = replaced.exec(original.slice(own))
    if (keyword !== null && !generated.startsWith(keyword[0], at) && (own === 0 || /\W/.test(original[own - 1]!))) {
      at += keyword[0].length
      own += keyword[0].length
      continue
    }
    const insertion = insertionAt(generated, at, original, own)
    if (insertion !== undefined) at += insertion.length
    else {
      at++
      own++
    }
  }
  return Math.min(own, Math.max(0, original.length - 1))
}

/** Preferably one behind which the texts agree again; else one that another follows. */
const insertionAt = (generated: string, at: number, original: string, own: number): string | undefined => {
  const candidates = inserted.filter((text) => generated.startsWith(text, at) && !original.startsWith(text, own))
  return candidates.find((text) => generated[at + text.length] === original[own]) ?? candidates[0]
}

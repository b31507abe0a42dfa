/**
 * Columns of the rewritten text, as engines report them, back to columns of the model's own. Lines need no mapping.
 */
import type { Program } from "acorn"
import type { ParsedCell } from "../Cell.ts"
import type { Edits } from "./Edits.ts"
import { Rewrite } from "./Rewrite.ts"

const lineBreak = /\r\n?|[\n\u2028\u2029]/g

/** Offset of the first character of a line, 1-based; of the end of the text if there is no such line. */
const offsetOfLine = (text: string, line: number): number => {
  lineBreak.lastIndex = 0
  for (let i = 1; i < line; i++) if (lineBreak.exec(text) === null) return text.length
  return line === 1 ? 0 : lineBreak.lastIndex
}

/** `column` (0-based) counts in the rewritten line that holds `lineStart`; the text is rewritten from `from` on. */
const originalOffset = (edits: Edits, from: number, lineStart: number, column: number): number => {
  let position = Math.max(from, lineStart)
  let rest = column
  for (const { end, start, text } of edits.list) {
    if (end < position || (end === position && start < position)) continue
    if (start < position) { // an edit over several lines: only what it leaves on this line counts
      rest -= text.length - 1 - text.search(/[\n\r\u2028\u2029][^\n\r\u2028\u2029]*$/)
      if (rest < 0) return position
      position = end
      continue
    }
    if (rest < start - position) break
    rest -= start - position
    position = end
    if (rest < text.length) return Math.min(start + rest, Math.max(start, end - 1))
    rest -= text.length
  }
  return position + rest
}

/**
 * The column (1-based) in the model's text of a place in the running cell: `line` and `column` (1-based) as the engine
 * gives them for `rewritten` or a hoisted function.
 */
export const originalColumn = (parsed: ParsedCell, line: number, column: number): number => {
  const { javascript } = parsed
  const rewrite = new Rewrite(javascript, parsed.program as unknown as Program)
  const lineStart = offsetOfLine(javascript, line)
  const target = column - 1
  const inMain = originalOffset(rewrite.edits, 0, lineStart, target)
  for (const { edits, node } of rewrite.hoisted) {
    if (inMain < node.start || inMain >= node.end) continue
    // A function's script starts at the column of the function, also where the line has edits before it.
    const lead = node.start > lineStart ? node.start - lineStart : 0
    return originalOffset(edits, node.start, lineStart, target - lead) - lineStart + 1
  }
  return inMain - lineStart + 1
}

/**
 * Columns of the rewritten text, as engines report them, back to columns of the model's own. Lines need no mapping.
 */
import type { Program } from "acorn"
import type { ParsedCell } from "../Cell.ts"
import { Rewrite } from "./Rewrite.ts"
import { lineStarts } from "./Text.ts"

/**
 * The column (1-based) in the model's text of a place in the running cell: `line` and `column` (1-based) as the engine
 * gives them, for `rewritten` as for a hoisted function. Made on demand, as errors are few.
 */
export const originalColumn = (parsed: ParsedCell, line: number, column: number): number => {
  const { javascript } = parsed
  const starts = lineStarts(javascript)
  const lineStart = starts[line - 1] ?? javascript.length
  const lineEnd = starts[line] ?? javascript.length
  const { edits } = new Rewrite(javascript, parsed.program as unknown as Program)
  let position = lineStart
  let rest = column - 1
  for (const { end, start, text } of edits.list) {
    if (start >= lineEnd && start > position) break
    if (end < position || (end === position && start < position)) continue
    if (start < position) {
      // An edit over several lines: what it leaves on this line counts.
      rest -= text.length - 1 - text.search(/[\n\r\u2028\u2029][^\n\r\u2028\u2029]*$/)
      if (rest < 0 || end > lineEnd) break
      position = end
      continue
    }
    if (rest < start - position) break
    rest -= start - position
    position = end
    if (rest < text.length) return Math.min(start + rest, Math.max(start, end - 1)) - lineStart + 1
    rest -= text.length
  }
  return Math.min(position + Math.max(rest, 0), lineEnd) - lineStart + 1
}

/** Tables for people: columns as wide as their widest cell, two spaces apart. */
import { type Span, span } from "./renderer/Paint.ts"
import { widthOf } from "./renderer/Width.ts"

export type Alignment = "left" | "right"

/** Cells beyond the alignments are aligned left. */
export const columns = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  ...alignments: ReadonlyArray<Alignment>
): ReadonlyArray<ReadonlyArray<Span>> => {
  const widths: Array<number> = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))
  }
  return rows.map((row) =>
    row.map((cell, at) => {
      const space = " ".repeat(widths[at]! - widthOf(cell))
      const last = at === row.length - 1
      const padded = alignments[at] === "right" ? space + cell : last ? cell : cell + space
      return span(at === 0 ? padded : `  ${padded}`)
    })
  )
}

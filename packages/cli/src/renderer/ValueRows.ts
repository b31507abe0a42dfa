/** A value as it is printed, highlighted and abbreviated, behind an equals sign. */
import { abbreviate } from "./Abbreviated.ts"
import { Highlighter } from "./Highlighter.ts"
import { span } from "./Paint.ts"
import type { Rows } from "./Rows.ts"

export const valueRows = (rows: Rows, printed: string): void => {
  const highlighter = new Highlighter()
  abbreviate(printed).forEach(({ omission, text }, index) => {
    const spans = omission ? [span(text, "dim")] : highlighter.line(text)
    rows.row([index === 0 ? span("= ", "accent") : span("  "), ...spans], 2)
  })
}

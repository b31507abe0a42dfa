/** Code of a cell with line numbers, line by line as it is written. */
import { Highlighter } from "./Highlighter.ts"
import { type Span, span } from "./Paint.ts"
import type { Rows } from "./Rows.ts"
import { WholeCharacters } from "./Safe.ts"

/** The gutter of a code row: number, right aligned, or nothing. */
export const gutter = (line: number | undefined, mark = " "): string => `${mark}${String(line ?? "").padStart(2)}  `

export class CodeView {
  readonly #rows: Rows
  readonly #highlighter = new Highlighter()
  readonly #whole = new WholeCharacters()
  #partial = ""
  #lines = 0
  /** Everything pushed so far. */
  text = ""

  constructor(rows: Rows) {
    this.#rows = rows
  }

  get lines(): number {
    return this.#lines
  }

  push(code: string): void {
    this.text += code
    const [first = "", ...others] = this.#whole.push(code).split("\n")
    this.#partial += first
    for (const next of others) {
      this.#show(this.#partial)
      this.#partial = next
    }
  }

  /** Shows the last line, if it did not end with a line break. */
  end(): void {
    const last = this.#partial + this.#whole.end()
    this.#partial = ""
    if (last !== "") this.#show(last)
  }

  #show(line: string): void {
    this.#lines += 1
    codeRow(this.#rows, span(gutter(this.#lines), "dim"), this.#highlighter.line(line))
  }
}

/** Indentation that is kept where a long line continues in the next row. */
const maxIndent = 16

/** A line of code behind its gutter; where it wraps it stays indented, by two more. */
export const codeRow = (rows: Rows, number: Span, code: ReadonlyArray<Span>): void => {
  const [indent = ""] = /^ */.exec(code[0]?.text ?? "") ?? []
  const hanging = number.text.length + Math.min(indent.length, maxIndent) + 2
  const flow = rows.flow([...rows.margin, number], [...rows.margin, span(" ".repeat(hanging))])
  flow.spans(code)
  flow.line()
}

/** Code of a cell with line numbers, line by line as it is written. */
import type { Flow } from "./Flow.ts"
import { Highlighter } from "./Highlighter.ts"
import { type Role, span } from "./Paint.ts"
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
    const flow = codeFlow(this.#rows, gutter(this.#lines), ["dim"])
    flow.spans(this.#highlighter.line(line))
    flow.line()
  }
}

/** A row of code behind its gutter. */
export const codeFlow = (rows: Rows, number: string, roles: ReadonlyArray<Role>): Flow =>
  rows.flow([...rows.margin, span(number, ...roles)], [...rows.margin, span(" ".repeat(number.length))])

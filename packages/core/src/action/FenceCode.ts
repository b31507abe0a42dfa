/**
 * The code of a block as it comes in: without the block's indent, without the newline before the closing fence, and
 * nothing of it given out before there is anything but white space.
 */
import { FenceLexer } from "./FenceLexer.ts"
import type { FenceOutput } from "./FenceOutput.ts"

export class FenceCode {
  isEmpty = true
  /** All of the block while it is empty: it may turn out to be text. */
  raw = ""
  readonly #output: FenceOutput
  #lexer = new FenceLexer()
  #indent = 0
  #atLineStart = true
  /** White space before the first code; a newline, or half of one, that may be the last. */
  #leading = ""
  #newline = ""

  constructor(output: FenceOutput) {
    this.#output = output
  }

  open(opener: string, indent: number): void {
    this.isEmpty = true
    this.raw = opener
    this.#lexer = new FenceLexer()
    this.#indent = indent
    this.#atLineStart = true
    this.#leading = this.#newline = ""
  }

  /**
   * A part of a line; its first part holds at least the whole indent. A whole line may be `fenceLike`: that is no
   * JavaScript, so it is in a literal, or a slip, and neither begins nor ends a literal.
   */
  add(part: string, fenceLike = false): void {
    if (!fenceLike) this.#lexer.feed(part)
    if (this.isEmpty) this.raw += part
    const text = this.#newline + (this.#atLineStart ? withoutIndent(part, this.#indent) : part)
    const body = text.replace(/\r?\n$|\r$/, "")
    this.#newline = text.slice(body.length)
    this.#atLineStart = part.endsWith("\n")
    this.#give(body)
  }

  /** Nothing follows, so what was held back is code. */
  flush(): void {
    this.#give(this.#newline)
    this.#newline = ""
    if (this.isEmpty) this.#output.addCode(this.#leading)
  }

  /** Whether a fence here is one. */
  mayClose(): boolean {
    return this.#lexer.place() === "code"
  }

  markPossibleEnd(): void {
    this.#output.recovered ??= this.#output.code
  }

  #give(text: string): void {
    if (!this.isEmpty) {
      this.#output.addCode(text)
      return
    }
    this.#leading += text
    if (!/\S/.test(text)) return
    this.isEmpty = false
    this.#output.addCode(this.#leading)
    this.raw = ""
  }
}

const withoutIndent = (line: string, indent: number): string => {
  let column = 0
  let at = 0
  while (column < indent && (line[at] === " " || line[at] === "\t")) {
    column += line[at] === "\t" ? 4 - column % 4 : 1
    at++
  }
  return line.slice(at)
}

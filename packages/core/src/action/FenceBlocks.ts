/**
 * The scan for a fenced block that says `run`, line by line.
 */
import { FenceCode } from "./FenceCode.ts"
import { closes, type Fence } from "./FenceLine.ts"
import type { FenceOutput } from "./FenceOutput.ts"
import { FenceQuotes } from "./FenceQuotes.ts"

const runInfo = /^(?:ts|js|typescript|javascript|tsx|jsx|mts|mjs)\s+run(?![\w-])/i

export class FenceBlocks {
  phase: "outside" | "inside" | "closed" = "outside"
  readonly quotes = new FenceQuotes()
  readonly #output: FenceOutput
  readonly #code: FenceCode
  /** Of the line at hand, what has not been given out: it may be a fence. */
  #held = ""
  /** Of the line at hand, how much has been given out as text. */
  #shown = 0
  #fence: Fence | undefined

  constructor(output: FenceOutput) {
    this.#output = output
    this.#code = new FenceCode(output)
  }

  push(delta: string): void {
    let at = 0
    while (at < delta.length && this.phase !== "closed") {
      const newline = this.quotes.line.isPlain ? delta.indexOf("\n", at) : at
      const end = newline < 0 ? delta.length : newline + 1
      this.#take(delta.slice(at, end))
      at = end
    }
  }

  end(): void {
    if (this.phase === "outside") {
      if (!this.#opens()) this.#endTextLine()
    } else if (this.phase === "inside") {
      if (this.#held !== "") this.#endCodeLine()
      if (this.phase === "inside") this.#code.flush()
    }
  }

  /** One character of a line that may be a fence, or any part of a plain line. Both may end with its newline. */
  #take(part: string): void {
    const { line } = this.quotes
    const ends = part.endsWith("\n")
    const wasPlain = line.isPlain
    if (wasPlain) line.takePlain(part)
    else if (!ends) line.take(part)
    this.#held += part
    if (this.phase === "inside") {
      if (line.isPlain) this.#giveCode()
      if (ends) this.#endCodeLine()
    } else {
      if (line.isPlain || this.quotes.isOpen) this.#giveText()
      if (ends && !this.#opens()) this.#endTextLine()
    }
  }

  // ------------------------------------------------------------------------------------------ outside

  #giveText(): void {
    this.#output.addText(this.#held)
    this.#shown += this.#held.length
    this.#held = ""
  }

  #opens(): boolean {
    const fence = this.quotes.opening()
    if (fence === undefined || !runInfo.test(fence.info)) return false
    this.#fence = fence
    this.#code.open(this.#held, fence.indent)
    this.#nextLine()
    this.quotes.line.reset()
    this.phase = "inside"
    return true
  }

  #endTextLine(): void {
    this.#giveText()
    this.quotes.endLine(this.#output.text.length - this.#shown, this.#output.text.length)
    this.#nextLine()
  }

  #nextLine(): void {
    this.#held = ""
    this.#shown = 0
  }

  // ------------------------------------------------------------------------------------------ inside

  #giveCode(): void {
    if (this.#held !== "") this.#code.add(this.#held, this.quotes.line.fence !== undefined)
    this.#held = ""
  }

  #endCodeLine(): void {
    const { line } = this.quotes
    const isClosing = closes(line, this.#fence!)
    if (isClosing && this.#code.mayClose()) {
      if (this.#code.isEmpty) this.#backToText()
      else this.phase = "closed"
    } else {
      if (isClosing) this.#code.markPossibleEnd()
      this.#giveCode()
    }
    line.reset()
    if (this.phase === "closed") this.#held = ""
  }

  #backToText(): void {
    this.#output.addText(this.#code.raw + this.#held)
    this.#nextLine()
    this.phase = "outside"
  }
}

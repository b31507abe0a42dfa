/**
 * The scan for what stands between two tags, anywhere in a line.
 */
import type { FenceFormat } from "./FenceParser.ts"
import { FenceLexer } from "./FenceLexer.ts"
import type { FenceOutput } from "./FenceOutput.ts"
import { FenceQuotes } from "./FenceQuotes.ts"

/** Holds back what may be the begin of a tag. */
class TagMatcher {
  buffer = ""
  readonly #tag: string

  constructor(tag: string) {
    this.#tag = tag
  }

  get isMatch(): boolean {
    return this.buffer === this.#tag
  }

  /** Gives what cannot belong to the tag any more. */
  take(char: string): string {
    this.buffer += char
    return this.release(0)
  }

  /** Lets go at least `count` characters. */
  release(count: number): string {
    let released = count
    while (!this.#tag.startsWith(this.buffer.slice(released))) released++
    const text = this.buffer.slice(0, released)
    this.buffer = this.buffer.slice(released)
    return text
  }
}

export class FenceTags {
  phase: "outside" | "inside" | "closed" = "outside"
  readonly quotes = new FenceQuotes()
  readonly #output: FenceOutput
  readonly #opening: TagMatcher
  readonly #closing: TagMatcher
  readonly #tag: string
  #lexer = new FenceLexer()
  #lineStart = 0
  /** Backticks in a row just seen, and in the row that began the inline code at hand. */
  #ticks = 0
  #codeSpan = 0
  /** All of the block while it is empty, then white space that may be the last. */
  #raw = ""
  #space = ""
  #isEmpty = true

  constructor(output: FenceOutput, { close, open }: Exclude<FenceFormat, "fence">) {
    this.#output = output
    this.#tag = open
    this.#opening = new TagMatcher(open)
    this.#closing = new TagMatcher(close)
  }

  push(delta: string): void {
    for (let i = 0; i < delta.length && this.phase !== "closed"; i++) {
      if (this.phase === "outside") this.#outside(delta[i]!)
      else this.#inside(delta[i]!)
    }
  }

  end(): void {
    if (this.phase === "outside") {
      this.#giveText(this.#opening.buffer)
      if (this.#lineStart < this.#output.text.length) this.#endLine()
    } else if (this.phase === "inside") {
      this.#giveCode(this.#closing.buffer)
      this.#output.addCode(this.#space)
    }
  }

  // ------------------------------------------------------------------------------------------ outside

  #outside(char: string): void {
    this.#giveText(this.#opening.take(char))
    if (!this.#opening.isMatch) return
    this.#endTicks()
    if (this.quotes.isOpen || this.#codeSpan > 0) {
      this.#giveText(this.#opening.release(1))
      return
    }
    this.phase = "inside"
    this.#opening.buffer = this.#closing.buffer = this.#space = ""
    this.#raw = this.#tag
    this.#isEmpty = true
    this.#lexer = new FenceLexer()
  }

  #giveText(text: string): void {
    for (const char of text) {
      this.#output.addText(char)
      if (char === "\n") {
        this.#endLine()
        continue
      }
      if (char === "`") this.#ticks++
      else this.#endTicks()
      if (this.quotes.line.isPlain) this.quotes.line.takePlain(char)
      else for (let i = 0; i < char.length; i++) this.quotes.line.take(char[i]!)
    }
  }

  #endLine(): void {
    this.quotes.endLine(this.#lineStart, this.#output.text.length)
    this.#lineStart = this.#output.text.length
    this.#ticks = this.#codeSpan = 0
  }

  #endTicks(): void {
    if (this.#codeSpan === 0) this.#codeSpan = this.#ticks
    else if (this.#codeSpan === this.#ticks) this.#codeSpan = 0
    this.#ticks = 0
  }

  // ------------------------------------------------------------------------------------------ inside

  #inside(char: string): void {
    this.#giveCode(this.#closing.take(char))
    if (!this.#closing.isMatch) return
    const place = this.#lexer.place()
    if (place === "code" || place === "line comment") {
      this.#close()
    } else {
      this.#output.recovered ??= this.#output.code
      this.#giveCode(this.#closing.release(1))
    }
  }

  #close(): void {
    if (!this.#isEmpty) {
      this.phase = "closed"
      return
    }
    this.phase = "outside"
    this.#giveText(this.#raw + this.#closing.buffer)
    this.#closing.buffer = ""
  }

  /** White space beside the opening tag is no part of the code, nor is any before the closing tag. */
  #giveCode(text: string): void {
    this.#lexer.feed(text)
    for (const char of text) {
      if (this.#isEmpty) this.#raw += char
      this.#space += char
      if (/\s/.test(char)) continue
      this.#output.addCode(this.#isEmpty ? this.#space.replace(/^[^\S\n]*\n?/, "") : this.#space)
      this.#isEmpty = false
      this.#space = ""
    }
  }
}

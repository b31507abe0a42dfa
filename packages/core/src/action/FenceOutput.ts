/**
 * What a scan gives: text and code, both as deltas since the last look and as a whole.
 */
export class FenceOutput {
  /** The code up to the first place that could have ended the block, had it not been inside a literal or comment. */
  recovered: string | undefined
  #text = ""
  #code = ""
  // Deltas have strings of their own: a slice of the whole would copy all of it each time.
  #newText = ""
  #newCode = ""

  get text(): string {
    return this.#text
  }

  get code(): string {
    return this.#code
  }

  addText(text: string): void {
    this.#text += text
    this.#newText += text
  }

  addCode(code: string): void {
    this.#code += code
    this.#newCode += code
  }

  take(): { readonly text: string; readonly code: string } {
    const delta = { text: this.#newText, code: this.#newCode }
    this.#newText = this.#newCode = ""
    return delta
  }
}

/**
 * One line of Markdown, read character by character until it is plain text or ends as a fence.
 */
export interface Fence {
  readonly marker: "`" | "~"
  readonly length: number
  readonly info: string
  /** Columns before the marker, a tab counting up to the next multiple of four. */
  readonly indent: number
}

/** As much of a line as it takes to see a list item. */
const headLength = 48

export class FenceLine {
  indent = 0
  /** The begin of the line. */
  head = ""
  #phase: "indent" | "marker" | "info" | "plain" = "indent"
  #marker = ""
  #length = 0
  #info = ""

  /** Whatever follows, it is no fence. */
  get isPlain(): boolean {
    return this.#phase === "plain"
  }

  get isBlank(): boolean {
    return this.#phase === "indent"
  }

  /** What the line is, if it ended here. */
  get fence(): Fence | undefined {
    if (this.#length < 3 || this.#phase === "plain") return undefined
    return {
      marker: this.#marker as Fence["marker"],
      length: this.#length,
      info: this.#info.trim(),
      indent: this.indent
    }
  }

  reset(): void {
    this.indent = 0
    this.head = ""
    this.#phase = "indent"
    this.#marker = this.#info = ""
    this.#length = 0
  }

  /** A part of a plain line. */
  takePlain(text: string): void {
    if (this.head.length < headLength) this.head += text.slice(0, headLength - this.head.length)
  }

  /** One character other than the newline. */
  take(char: string): void {
    this.takePlain(char)
    switch (this.#phase) {
      case "indent":
        if (char === " ") this.indent++
        else if (char === "\t") this.indent += 4 - this.indent % 4
        else if (char === "`" || char === "~") {
          this.#phase = "marker"
          this.#marker = char
          this.#length = 1
        } else if (char !== "\r") this.#phase = "plain"
        return
      case "marker":
        if (char === this.#marker) this.#length++
        else if (this.#length < 3) this.#phase = "plain"
        else {
          this.#phase = "info"
          this.#info = char
        }
        return
      case "info":
        if (this.#marker === "`" && char === "`") this.#phase = "plain"
        else this.#info += char
    }
  }
}

/** Whether a line ends a block that `opening` began. */
export const closes = (line: FenceLine, opening: Fence): boolean => {
  const { fence } = line
  return fence !== undefined && fence.info === "" && fence.marker === opening.marker &&
    fence.length >= opening.length && fence.indent <= opening.indent + 3
}

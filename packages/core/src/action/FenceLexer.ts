/**
 * Just enough of JavaScript's tokens, one character at a time, to know whether a place is inside a template literal, a
 * string or a comment. Code that is wrong must not lead astray for long: strings and regular expressions end with their
 * line.
 */
export type FencePlace = "code" | "template" | "string" | "comment" | "line comment"

type State = "code" | "slash" | "line" | "block" | "star" | "string" | "regexp" | "class" | "template" | "dollar"

/** After these words a slash begins a regular expression. */
const operators = new Set(
  "await case delete do else in instanceof new of return throw typeof void yield".split(" ")
)

export class FenceLexer {
  #state: State = "code"
  #escaped = false
  #quote = ""
  /** Braces that are open inside each `${`. */
  readonly #templates: Array<number> = []
  /** The word before the place at hand, or the last character that is neither of a word nor a space. */
  #previous = ""
  #inWord = false

  feed(text: string): void {
    for (const char of text) this.#step(char)
  }

  place(): FencePlace {
    switch (this.#state) {
      case "string":
      case "regexp":
      case "class":
        return "string"
      case "template":
      case "dollar":
        return "template"
      case "block":
      case "star":
        return "comment"
      case "line":
        return "line comment"
      default:
        return "code"
    }
  }

  #step(char: string): void {
    if (this.#escaped) {
      // `\` and CRLF: the newline is the one that counts.
      this.#escaped = char === "\r"
      return
    }
    switch (this.#state) {
      case "code":
        return this.#code(char)
      case "slash":
        return this.#afterSlash(char)
      case "line":
        if (char === "\n") this.#state = "code"
        return
      case "block":
      case "star":
        if (this.#state === "star" && char === "/") this.#state = "code"
        else this.#state = char === "*" ? "star" : "block"
        return
      case "string":
        if (char === "\\") this.#escaped = true
        else if (char === this.#quote || char === "\n") this.#value()
        return
      case "regexp":
        if (char === "\\") this.#escaped = true
        else if (char === "[") this.#state = "class"
        else if (char === "/" || char === "\n") this.#value()
        return
      case "class":
        if (char === "\\") this.#escaped = true
        else if (char === "]") this.#state = "regexp"
        else if (char === "\n") this.#value()
        return
      case "template":
      case "dollar":
        if (char === "\\") this.#escaped = true
        else if (char === "`") this.#value()
        else if (char === "{" && this.#state === "dollar") {
          this.#templates.push(0)
          this.#state = "code"
          this.#previous = "{"
          return
        }
        if (this.#state === "template" || this.#state === "dollar") this.#state = char === "$" ? "dollar" : "template"
    }
  }

  /** A literal has ended: a slash after it divides. */
  #value(): void {
    this.#state = "code"
    this.#previous = ")"
    this.#inWord = false
  }

  #code(char: string): void {
    if (/[\w$\u0080-\uffff]/.test(char)) {
      this.#previous = this.#inWord ? this.#previous + char : char
      this.#inWord = true
      return
    }
    this.#inWord = false
    if (char === "/") {
      this.#state = "slash"
    } else if (char === "'" || char === '"') {
      this.#state = "string"
      this.#quote = char
    } else if (char === "`") {
      this.#state = "template"
    } else if (char === "}" && this.#templates.at(-1) === 0) {
      this.#templates.pop()
      this.#state = "template"
    } else if (!/\s/.test(char)) {
      const depth = this.#templates.length - 1
      if (depth >= 0) this.#templates[depth]! += char === "{" ? 1 : char === "}" ? -1 : 0
      this.#previous = char
    }
  }

  #afterSlash(char: string): void {
    if (char === "/") this.#state = "line"
    else if (char === "*") this.#state = "block"
    else if (this.#beginsRegexp()) {
      this.#state = "regexp"
      this.#step(char)
    } else {
      this.#state = "code"
      this.#previous = "/"
      this.#code(char)
    }
  }

  #beginsRegexp(): boolean {
    const isOperand = /[\w$)\]\u0080-\uffff]$/.test(this.#previous)
    return !isOperand || operators.has(this.#previous)
  }
}

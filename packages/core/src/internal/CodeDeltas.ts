const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }

/**
 * Reads the `code` of a `{"code":"..."}` that arrives in pieces, so that code can be shown while it streams. It only
 * serves the eye: what runs is the parsed JSON.
 */
export class CodeDeltas {
  #head = ""
  #state: "before" | "inside" | "after" = "before"
  /** The part of an escape that has not arrived in full. */
  #escape = ""

  push(json: string): string {
    if (this.#state === "after") return ""
    if (this.#state === "inside") return this.#decode(json)
    this.#head += json
    const start = /"code"\s*:\s*"/.exec(this.#head)
    if (start === null) return ""
    this.#state = "inside"
    return this.#decode(this.#head.slice(start.index + start[0].length))
  }

  #decode(json: string): string {
    let out = ""
    for (let i = 0; i < json.length; i++) {
      const char = json[i]!
      if (this.#escape !== "") {
        this.#escape += char
        out += this.#unescape()
      } else if (char === "\\") {
        this.#escape = char
      } else if (char === '"') {
        this.#state = "after"
        return out
      } else {
        out += char
      }
    }
    return out
  }

  #unescape(): string {
    const kind = this.#escape[1]!
    if (kind === "u" && this.#escape.length < 6) return ""
    const text = kind === "u" ? String.fromCharCode(parseInt(this.#escape.slice(2), 16)) : escapes[kind] ?? kind
    this.#escape = ""
    return text
  }
}

/**
 * Colours of code, line by line as it is written. A construct over several lines (a template, a comment) is told from
 * its beginning, but no more than that is read again for a new line.
 */
import { SugarHigh } from "sugar-high/core"
import { tokenize } from "sugar-high/lang/typescript"
import type { Role, Span } from "./Paint.ts"

const roles: Readonly<Record<string, ReadonlyArray<Role>>> = {
  keyword: ["keyword"],
  string: ["string"],
  class: ["literal"],
  property: ["property"],
  entity: ["property"],
  comment: ["comment"],
  sign: ["dim"]
}
const plain: ReadonlyArray<Role> = []
const options = { jsx: false }
/** Comes out as a name of its own exactly if nothing before it is still open. */
const probe = "__line_end__"
/** What stays open for longer is read as if it began anew: a stray quote must not cost more with each line. */
const maxOpenLines = 200

export class Highlighter {
  #open = ""
  #openLines = 0

  /** One complete line of TypeScript or JavaScript. */
  line(text: string): ReadonlyArray<Span> {
    const source = `${this.#open}${text}\n`
    const tokens = tokenize(`${source}${probe}`, options)
    const [type, value] = tokens.at(-1) ?? []
    const closed = value === probe && SugarHigh.TokenTypes[type ?? -1] === "identifier"
    this.#openLines = closed ? 0 : this.#openLines + 1
    const spans = spansBetween(tokens, this.#open.length, source.length - 1)
    this.#open = closed || this.#openLines >= maxOpenLines ? "" : source
    return spans
  }
}

type Token = readonly [type: number, value: string]

/** Spans of the text between two offsets. */
const spansBetween = (tokens: ReadonlyArray<Token>, from: number, to: number): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let offset = 0
  for (const [type, value] of tokens) {
    const text = value.slice(Math.max(0, from - offset), Math.max(0, to - offset))
    offset += value.length
    if (text !== "") spans.push({ text, roles: roles[SugarHigh.TokenTypes[type] ?? ""] ?? plain })
  }
  return spans
}

/**
 * Markdown as it streams, lightly: headings, lists, quotes, rules, fenced code, and bold, italic, struck and code
 * within a row. A mark is held back until what follows decides about it, so nothing is ever redrawn, and a mark without
 * a partner stays as it was written. Each character is decided once.
 */
import type { Flow } from "./Flow.ts"
import { Highlighter } from "./Highlighter.ts"
import type { Role, Span } from "./Paint.ts"
import { WholeCharacters } from "./Safe.ts"

/** What may still become a mark at the start of a row. */
const undecidedStart = /^ {0,12}(?:#{1,6}|[-*+]|\d{1,9}[.)]?|>|`+|~+|(?:[-*_] ?)+)?$/
const heading = /^(#{1,6}) +(?=\S)/
const bullet = /^( {0,12})[-*+] +(?=\S)/
const numbered = /^( {0,12})(\d{1,9}[.)]) +(?=\S)/
const quote = /^ {0,3}> ?/
const rule = /^ {0,3}([-*_])( *\1){2,} *$/
const fence = /^( {0,12})(`{3,}|~{3,})\s*(\w*)[^`]*$/
const mightBeFence = /^ {0,12}(`{3}|~{3})/
const mightBeItem = /^(?:#{1,6}| {0,12}(?:[-*+]|\d{1,9}[.)])) +$/
const mightBeRule = /^ {0,3}(?:[-*_] *)+$/

/** How far a mark waits for its partner, in characters. */
const patience = 400
const scripts = new Set(["ts", "tsx", "typescript", "js", "jsx", "javascript", "mjs", "json", "run"])

interface Fence {
  readonly marks: string
  readonly highlighter: Highlighter | undefined
}

export class Markdown {
  readonly #flow: Flow
  readonly #margin: ReadonlyArray<Span>
  readonly #whole = new WholeCharacters()
  #fence: Fence | undefined
  /** Text of this row that is not decided yet. */
  #held = ""
  #atStart = true
  #roles: ReadonlyArray<Role> = []
  #previous = ""

  /** `margin` stands before each row of `flow`. */
  constructor(flow: Flow, margin: ReadonlyArray<Span> = []) {
    this.#flow = flow
    this.#margin = margin
  }

  push(text: string): void {
    const [first = "", ...others] = this.#whole.push(text).split("\n")
    this.#advance(first)
    for (const next of others) {
      this.#finishRow()
      this.#flow.line()
      this.#flow.margins(this.#margin)
      this.#advance(next)
    }
  }

  /** No more text comes: what is held back is shown. */
  end(): void {
    this.#advance(this.#whole.end())
    this.#finishRow()
    this.#flow.end()
    this.#flow.margins(this.#margin)
    this.#fence = undefined
  }

  #advance(text: string): void {
    this.#held += text
    if (this.#fence || this.#held === "") return
    if (this.#atStart) {
      if (undecidedStart.test(this.#held) || mightBeFence.test(this.#held) || mightBeItem.test(this.#held)) return
      if (mightBeRule.test(this.#held)) return
      this.#start()
    }
    this.#inline(false)
  }

  #finishRow(): void {
    if (this.#fence) this.#codeRow(this.#fence)
    else if (this.#atStart && fence.test(this.#held)) this.#openFence()
    else if (this.#atStart && rule.test(this.#held)) this.#flow.text("─".repeat(24), ["frame"])
    else {
      if (this.#atStart && this.#held !== "") this.#start()
      this.#inline(true)
    }
    this.#held = ""
    this.#atStart = true
    this.#roles = []
    this.#previous = ""
  }

  /** The mark at the start of a row, once it is decided. */
  #start(): void {
    this.#atStart = false
    const row = this.#held
    const found = heading.exec(row) ?? bullet.exec(row) ?? numbered.exec(row) ?? quote.exec(row)
    if (!found) return
    const [mark, first = "", second] = found
    this.#held = this.#held.slice(mark.length)
    if (mark.startsWith("#")) this.#roles = ["heading"]
    else if (mark.includes(">")) this.#begin("▎ ", "▎ ", ["frame"], ["quote"])
    else if (second !== undefined) this.#begin(`${first}${second} `, " ".repeat(mark.length), ["accent"], [])
    else this.#begin(`${first}• `, `${first}  `, ["accent"], [])
  }

  #begin(mark: string, hanging: string, roles: ReadonlyArray<Role>, inner: ReadonlyArray<Role>): void {
    this.#flow.margins([...this.#margin, { text: mark, roles }], [...this.#margin, { text: hanging, roles }])
    this.#roles = inner
  }

  #openFence(): void {
    const [, , marks = "", language = ""] = fence.exec(this.#held) ?? []
    this.#flow.text(this.#held, ["dim"])
    this.#fence = { marks, highlighter: scripts.has(language.toLowerCase()) ? new Highlighter() : undefined }
  }

  #codeRow({ highlighter, marks }: Fence): void {
    const row = this.#held
    if (row.trim().startsWith(marks) && row.trim().replaceAll(marks[0]!, "") === "") {
      this.#fence = undefined
      this.#flow.text(row, ["dim"])
    } else if (highlighter) this.#flow.spans(highlighter.line(row))
    else this.#flow.text(row, ["code"])
  }

  /** Shows what is decided of the held text; all of it where the row is complete. */
  #inline(complete: boolean): void {
    while (this.#held !== "") {
      const plainLength = this.#held.search(/[*_`~]/)
      if (plainLength !== 0) {
        this.#show(plainLength < 0 ? this.#held : this.#held.slice(0, plainLength), [])
        continue
      }
      const found = marked(this.#held, this.#previous, complete)
      if (found === "undecided") return
      if (found === undefined) this.#show(/^([*_`~])\1*/.exec(this.#held)![0], [])
      else this.#showMarked(found)
    }
  }

  #show(text: string, roles: ReadonlyArray<Role>): void {
    this.#flow.text(text, [...this.#roles, ...roles])
    this.#held = this.#held.slice(text.length)
    this.#previous = text.at(-1) ?? this.#previous
  }

  #showMarked({ inner, length, role }: Marked): void {
    if (role === "code") this.#flow.text(inner, [...this.#roles, "code"])
    else for (const { text, roles } of nested(inner, role)) this.#flow.text(text, [...this.#roles, ...roles])
    this.#previous = this.#held.charAt(length - 1)
    this.#held = this.#held.slice(length)
  }
}

interface Marked {
  readonly role: Role
  readonly inner: string
  /** Of the whole, with its marks. */
  readonly length: number
}

/** What stands at the start of `text`, which begins with a mark: something marked, nothing, or not to be known yet. */
const marked = (text: string, previous: string, complete: boolean): Marked | undefined | "undecided" => {
  const [marks = ""] = /^([*_`~])\1*/.exec(text) ?? []
  if (marks.length === text.length && !complete) return marks.length < patience ? "undecided" : undefined
  const role = roleOf(marks)
  if (role === undefined || role !== "code" && !opens(marks, previous, text.charAt(marks.length))) return undefined
  // The character after the closing mark decides whether the mark ends there.
  const close = closing(text.slice(0, patience), marks, role === "code")
  if (close !== undefined && (complete || close + marks.length < text.length)) {
    return { role, inner: text.slice(marks.length, close), length: close + marks.length }
  }
  return complete || text.length >= patience ? undefined : "undecided"
}

const roleOf = (marks: string): Role | undefined => {
  if (marks.startsWith("`")) return "code"
  if (marks === "~~") return "struck"
  if (marks === "*" || marks === "_") return "emphasis"
  // Not `__`: in text about code that is far more often a part of a name.
  return marks === "**" ? "strong" : undefined
}

const wordly = /[\p{L}\p{N}]/u
const opens = (marks: string, previous: string, next: string): boolean =>
  next !== "" && next !== " " && !(wordly.test(previous) && (marks === "*" || marks.startsWith("_")))

/** Where the partner of `marks` stands. */
const closing = (text: string, marks: string, code: boolean): number | undefined => {
  for (const found of text.matchAll(/([*_`~])\1*/g)) {
    if (found.index === 0 || found[0] !== marks || found.index + marks.length >= patience) continue
    const before = text.charAt(found.index - 1)
    const after = text.charAt(found.index + marks.length)
    if (code || before !== " " && !(marks.startsWith("_") && wordly.test(after))) return found.index
  }
  return undefined
}

/** Marks within something marked, such as code in bold. */
const nested = (text: string, role: Role): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let rest = text
  let previous = ""
  while (rest !== "") {
    const plainLength = rest.search(/[*_`~]/)
    const found = plainLength === 0 ? marked(rest, previous, true) : undefined
    const length = typeof found === "object"
      ? found.length
      : plainLength === 0
      ? /^([*_`~])\1*/.exec(rest)![0].length
      : plainLength < 0
      ? rest.length
      : plainLength
    const piece = typeof found === "object" ? found : { inner: rest.slice(0, length), role }
    spans.push({ text: piece.inner, roles: piece.role === role ? [role] : [role, piece.role] })
    previous = rest.charAt(length - 1)
    rest = rest.slice(length)
  }
  return spans
}

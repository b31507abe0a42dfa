/**
 * Running text in rows: words as they complete, wrapped at the width of the screen, each row behind a margin. What
 * comes out depends on the text alone, not on how it was cut into pieces, and is never taken back.
 */
import type { Role, Span } from "./Paint.ts"
import type { Lane } from "./Screen.ts"
import { safe } from "./Safe.ts"
import { breaksBefore, splitAt, widthOf } from "./Width.ts"

const none: ReadonlyArray<Role> = []
const asciiOnly = /^[\x20-\x7e]*$/

export class Flow {
  readonly #lane: Lane
  #margin: ReadonlyArray<Span>
  #wrapMargin: ReadonlyArray<Span>
  #begun = false
  #column = 0
  #spaces = 0
  #word: Array<{ text: string; readonly roles: ReadonlyArray<Role> }> = []

  /** `margin` stands before each row, `wrapMargin` before rows that continue one. */
  constructor(lane: Lane, margin: ReadonlyArray<Span> = [], wrapMargin: ReadonlyArray<Span> = margin) {
    this.#lane = lane
    this.#margin = margin
    this.#wrapMargin = wrapMargin
  }

  /** Margins of the next row. */
  margins(margin: ReadonlyArray<Span>, wrapMargin: ReadonlyArray<Span> = margin): void {
    this.#margin = margin
    this.#wrapMargin = wrapMargin
  }

  /** Adds a piece of a row. */
  text(text: string, roles: ReadonlyArray<Role> = none): void {
    for (const [piece] of safe(text).matchAll(/ +|[^ ]+/g)) {
      if (piece.startsWith(" ")) {
        this.#commit()
        this.#spaces += piece.length
      } else if (asciiOnly.test(piece)) {
        this.#append(piece, roles)
      } else {
        for (const character of piece) {
          if (this.#word.length > 0 && breaksBefore(character)) this.#commit()
          this.#append(character, roles)
        }
      }
    }
  }

  spans(spans: ReadonlyArray<Span>): void {
    for (const { text, roles } of spans) this.text(text, roles)
  }

  /** Ends the row. */
  line(): void {
    this.#commit()
    if (!this.#begun) this.#begin(this.#margin, true)
    this.#lane.write("\n")
    this.#begun = false
    this.#spaces = 0
  }

  /** Ends the row if one was begun. */
  end(): void {
    this.#commit()
    if (this.#begun) this.line()
    this.#spaces = 0
  }

  #append(text: string, roles: ReadonlyArray<Role>): void {
    const last = this.#word.at(-1)
    if (last && sameRoles(last.roles, roles)) last.text += text
    else this.#word.push({ text, roles })
  }

  #commit(): void {
    if (this.#word.length === 0) return
    const word = this.#word
    this.#word = []
    if (!this.#begun) this.#begin(this.#margin, false)
    const width = word.reduce((sum, { text }) => sum + widthOf(text), 0)
    const limit = this.#lane.width
    if (this.#column + this.#spaces + width > limit && this.#column > this.#marginWidth()) this.#wrap()
    this.#put(" ".repeat(this.#spaces), none)
    this.#spaces = 0
    for (const { text, roles } of word) this.#putBroken(text, roles, limit)
  }

  /** Words longer than a row are cut. */
  #putBroken(text: string, roles: ReadonlyArray<Role>, limit: number): void {
    let rest = text
    while (this.#column + widthOf(rest) > limit) {
      if (this.#column >= limit && this.#column > this.#marginWidth()) this.#wrap()
      const [head, tail] = splitAt(rest, Math.max(1, limit - this.#column))
      if (tail === "") break
      this.#put(head, roles)
      this.#wrap()
      rest = tail
    }
    this.#put(rest, roles)
  }

  #put(text: string, roles: ReadonlyArray<Role>): void {
    if (text === "") return
    this.#lane.write(this.#lane.paint(text, roles))
    this.#column += widthOf(text)
  }

  #wrap(): void {
    this.#lane.write("\n")
    this.#spaces = 0
    this.#begin(this.#wrapMargin, false)
  }

  #begin(margin: ReadonlyArray<Span>, empty: boolean): void {
    this.#begun = true
    this.#column = 0
    const spans = [{ text: this.#lane.margin, roles: ["frame"] as const }, ...margin]
    const last = spans.findLastIndex(({ text }) => text.trim() !== "")
    spans.forEach(({ text, roles }, index) => {
      if (!empty) this.#put(text, roles)
      else if (index <= last) this.#put(index === last ? text.trimEnd() : text, roles)
    })
  }

  #marginWidth(): number {
    return widthOf(this.#lane.margin) + this.#wrapMargin.reduce((sum, { text }) => sum + widthOf(text), 0)
  }
}

const sameRoles = (a: ReadonlyArray<Role>, b: ReadonlyArray<Role>): boolean =>
  a === b || a.length === b.length && a.every((role, index) => role === b[index])

/**
 * Long output on a screen: its beginning as it comes, its end when it ended, and in between how much is not shown.
 * Text that is fed in pieces gives the same rows as text that is fed at once. Nothing but the screen is shortened.
 */
import { counted } from "./Quantity.ts"
import { safeLines, WholeCharacters } from "./Safe.ts"

export interface Row {
  readonly text: string
  /** The row stands for what is not shown. */
  readonly omission: boolean
}

const maxLines = 12
const maxChars = 2000
const headLines = 8
const headChars = 1333
const tailLines = maxLines - headLines
const tailChars = maxChars - headChars
/** A head with less room than this is not filled with a piece of the next line. */
const worthCutting = 80

const shown = (text: string): Row => ({ text, omission: false })

export class Abbreviated {
  readonly #whole = new WholeCharacters()
  #partial = ""
  #lines = 0
  #chars = 0
  /** Complete lines that no longer fit into the head. */
  readonly #rest: Array<string> = []

  /** Rows that can be shown already. */
  push(text: string): ReadonlyArray<Row> {
    const [first = "", ...others] = this.#whole.push(text).split("\n")
    this.#partial += first
    const rows: Array<Row> = []
    for (const next of others) {
      this.#take(this.#partial, rows)
      this.#partial = next
    }
    return rows
  }

  /** The rows that remain. */
  end(): ReadonlyArray<Row> {
    const rows: Array<Row> = []
    const last = this.#partial + this.#whole.end()
    this.#partial = ""
    if (last !== "") this.#take(last, rows)
    return [...rows, ...this.#close()]
  }

  #take(line: string, rows: Array<Row>): void {
    const [text = ""] = safeLines(line)
    if (this.#rest.length > 0 || this.#lines >= headLines || this.#chars + text.length > headChars) {
      this.#rest.push(text)
      return
    }
    this.#lines += 1
    this.#chars += text.length
    rows.push(shown(text))
  }

  #close(): ReadonlyArray<Row> {
    const rest = this.#rest.splice(0)
    const chars = rest.reduce((sum, line) => sum + line.length, 0)
    if (rest.length <= maxLines - this.#lines && chars <= maxChars - this.#chars) return rest.map(shown)
    const head = this.#cutHead(rest)
    const tail = cutTail(rest)
    const hidden = rest.reduce((sum, line) => sum + line.length, 0)
    const lines = rest.length > 1 ? `${counted(rest.length, "line")}, ` : ""
    return [...head, { text: `… ${lines}${counted(hidden, "character")} not shown …`, omission: true }, ...tail]
  }

  /** A piece of a line that is too long for the head. What is taken leaves `rest`. */
  #cutHead(rest: Array<string>): ReadonlyArray<Row> {
    const room = headChars - this.#chars
    const line = rest[0]
    if (line === undefined || this.#lines >= headLines || room < worthCutting || line.length <= room) return []
    rest[0] = line.slice(room)
    return [shown(`${line.slice(0, room)}…`)]
  }
}

/** The last lines, within the room for a tail; the first of them may be a piece. What is taken leaves `rest`. */
const cutTail = (rest: Array<string>): ReadonlyArray<Row> => {
  const tail: Array<Row> = []
  let room = tailChars
  while (rest.length > 0 && tail.length < tailLines && room > 0) {
    const line = rest.pop()!
    const piece = line.length > room
    if (piece) rest.push(line.slice(0, -room))
    tail.unshift(shown(piece ? `…${line.slice(-room)}` : line))
    room = piece ? 0 : room - line.length
  }
  return tail
}

/** The rows of a text that is there at once. */
export const abbreviate = (text: string): ReadonlyArray<Row> => {
  const output = new Abbreviated()
  return [...output.push(text), ...output.end()]
}

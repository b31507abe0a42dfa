/**
 * In-place edits of a source text, made in the order of the text. No edit adds or removes a line terminator, so line
 * numbers of the result are those of the source.
 */
export interface Edit {
  readonly start: number
  readonly end: number
  text: string
}

export class Edits {
  readonly list: Array<Edit> = []

  replace(start: number, end: number, text: string): Edit {
    const edit = { start, end, text }
    this.list.push(edit)
    return edit
  }

  insert(at: number, text: string): Edit {
    return this.replace(at, at, text)
  }

  /** The part of `source` from `from` to `to` with all edits made. */
  apply(source: string, from: number, to: number): string {
    let result = ""
    let position = from
    for (const edit of this.list) {
      result += source.slice(position, edit.start) + edit.text
      position = edit.end
    }
    return result + source.slice(position, to)
  }
}

/** Spaces for everything but line terminators. */
export const blank = (text: string): string => text.replace(/[^\n\r\u2028\u2029]/g, " ")

/** The line terminators of a text and nothing else. */
export const lineTerminators = (text: string): string => text.replace(/[^\n\r\u2028\u2029]/g, "")

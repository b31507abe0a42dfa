/**
 * In-place edits of a source text, made in the order of the text. No edit adds or removes a line terminator, so line
 * numbers of the result are those of the source.
 */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export class Edits {
  readonly list: Array<Edit> = []

  replace(start: number, end: number, text: string): void {
    this.list.push({ start, end, text })
  }

  insert(at: number, text: string): void {
    this.list.push({ start: at, end: at, text })
  }

  /**
   * The part of `source` from `from` to `to` with the edits made that have the indices from `first` to before `last`.
   */
  apply(source: string, from: number, to: number, first: number, last: number): string {
    let result = ""
    let position = from
    for (let i = first; i < last; i++) {
      const { end, start, text } = this.list[i]!
      result += source.slice(position, start) + text
      position = end
    }
    return result + source.slice(position, to)
  }
}

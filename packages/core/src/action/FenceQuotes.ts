/**
 * The structure of the text around cells: which block is open, since its content is quoted, how far in a fence may
 * stand, and what the last block was.
 */
import { closes, type Fence, FenceLine } from "./FenceLine.ts"

/** An ordinary block, by offsets in the text: of its first fence, of its content, and of what follows it. */
export interface QuotedBlock {
  readonly info: string
  readonly start: number
  readonly contentStart: number
  contentEnd: number
  end: number
}

const listItem = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])([ \t]+|\r?$)/

export class FenceQuotes {
  readonly line = new FenceLine()
  /** The last block that is not inside another; open as long as `isOpen`. */
  last: QuotedBlock | undefined
  #open: Fence | undefined
  /** Where the text of the current list item begins. */
  #listIndent = 0

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** The fence that the line at hand is, outside any block. */
  opening(): Fence | undefined {
    const { fence } = this.line
    return this.isOpen || fence === undefined || fence.indent > this.#listIndent + 3 ? undefined : fence
  }

  /** The line at hand, from `start` to `end` in the text, is over and was no cell. */
  endLine(start: number, end: number): void {
    if (this.last !== undefined && this.isOpen) {
      this.last.end = end
      if (closes(this.line, this.#open!)) this.#open = undefined
      else this.last.contentEnd = end
    } else {
      this.#begin(this.opening(), start, end)
    }
    this.line.reset()
  }

  #begin(fence: Fence | undefined, start: number, end: number): void {
    if (fence !== undefined) {
      this.#open = fence
      this.last = { info: fence.info, start, contentStart: end, contentEnd: end, end }
    } else if (!this.line.isBlank) {
      const item = listItem.exec(this.line.head)
      this.#listIndent = item === null
        ? Math.min(this.#listIndent, this.line.indent)
        : this.line.indent + item[0].trimEnd().length - item[1]!.length + Math.max(1, item[2]!.replace("\r", "").length)
    }
  }
}

/**
 * Captured text with a byte budget.
 *
 * A cell may print without end, so a full output costs nothing more: callers ask `full` before they format.
 */

/** What one stream of one cell printed, in order. */
export class Output {
  readonly #budget: number
  readonly #show: ((text: string) => void) | undefined
  readonly #chunks: Array<string> = []
  #bytes = 0
  #dropped = 0

  /**
   * `budget`: bytes kept; what comes after it is counted by calls and said at the end. `show` is told what is kept, at
   * once.
   */
  constructor(budget: number, show?: (text: string) => void) {
    this.#budget = budget
    this.#show = show
  }

  get full(): boolean {
    return this.#bytes >= this.#budget
  }

  get empty(): boolean {
    return this.#chunks.length === 0 && this.#dropped === 0
  }

  write(text: string): void {
    if (this.full) return this.drop()
    const room = this.#budget - this.#bytes
    const bytes = Buffer.byteLength(text)
    const kept = bytes <= room ? text : cut(text, room)
    this.#chunks.push(kept)
    this.#show?.(kept)
    this.#bytes += bytes
    if (bytes > room) this.#dropped++
  }

  /** Counts a write that was not even formatted. */
  drop(): void {
    this.#dropped++
  }

  /** All that was kept, with a last line about what was not. */
  text(): string {
    const kept = this.#chunks.join("")
    if (this.#dropped === 0) return kept
    const writes = this.#dropped === 1 ? "1 write" : `${this.#dropped} writes`
    return `${kept}${
      kept === "" || kept.endsWith("\n") ? "" : "\n"
    }[output limit of ${this.#budget} bytes reached: ${writes} cut or dropped]\n`
  }
}

/** The longest start of `text` of at most `bytes` bytes, never half a character. */
const cut = (text: string, bytes: number): string => {
  const buffer = Buffer.from(text)
  let end = bytes
  while (end > 0 && (buffer[end]! & 0xc0) === 0x80) end--
  return buffer.toString("utf8", 0, end)
}

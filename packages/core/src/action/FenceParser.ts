/**
 * Finds the first cell in streamed text: a fenced block whose info string says `run` after a language, as in
 * ```` ```ts run ````, or what stands between two tags. Everything else is text, shown as it comes.
 *
 * - A fence has three or more backticks or tildes at the start of a line, at most three spaces in, or in from the text
 *   of a list item. The closing one is of the same kind, at least as long, and alone on its line. A block that is
 *   indented as a whole loses that indent. The language is ts, js, typescript, javascript, tsx, jsx, mts or mjs, in any
 *   case; what follows `run` is ignored.
 * - What an open block of another kind holds is quoted, whatever it is, and so are tags in it or in inline code.
 * - A closing fence or tag inside a template literal, a block comment or (a tag) a string of the code is code. If the
 *   block never ends otherwise, the first such place ends it after all, so a literal that is not closed reaches the
 *   parser, whose message is better.
 * - A block of white space is text, and the search goes on.
 *
 * What comes out does not depend on how the text was cut into chunks. A near miss earns the model one reminder; see
 * `FenceNearMiss.ts` for what is one.
 */
import { FenceBlocks } from "./FenceBlocks.ts"
import { nearMissOf } from "./FenceNearMiss.ts"
import { FenceOutput } from "./FenceOutput.ts"
import { FenceTags } from "./FenceTags.ts"

/** `"fence"`, or tags, which are matched as they are written. */
export type FenceFormat = "fence" | { readonly open: string; readonly close: string }

export type FenceResult =
  /** `text` is what came before the block, exactly. */
  | { readonly _tag: "Block"; readonly code: string; readonly text: string }
  /** Opened and never closed. */
  | { readonly _tag: "Unterminated"; readonly code: string; readonly text: string }
  /**
   * No cell, but something that was probably meant as one: a run-like info string (`wrong-tag`), tags that are slightly
   * wrong (`tag`), or a block of code that is the whole answer (`no-run`). `text` is the whole answer.
   */
  | {
    readonly _tag: "NearMiss"
    readonly kind: "no-run" | "wrong-tag" | "tag"
    readonly language: string
    readonly code: string
    readonly text: string
  }
  | { readonly _tag: "None"; readonly text: string }

export class FenceParser {
  readonly #format: FenceFormat
  readonly #output = new FenceOutput()
  readonly #scanner: FenceBlocks | FenceTags
  #ended = false

  constructor(format: FenceFormat) {
    this.#format = format
    this.#scanner = format === "fence" ? new FenceBlocks(this.#output) : new FenceTags(this.#output, format)
  }

  /**
   * Gives the text to show at once and the code deltas; `complete` once the first block is closed: nothing after it is
   * taken.
   */
  push(delta: string): { readonly text: string; readonly code: string; readonly complete: boolean } {
    if (!this.#ended) this.#scanner.push(delta)
    return { ...this.#output.take(), complete: this.#scanner.phase === "closed" }
  }

  /** The end of the stream. Gives what was held back. */
  end(): { readonly text: string; readonly code: string } {
    if (!this.#ended) this.#scanner.end()
    this.#ended = true
    return this.#output.take()
  }

  /** What was found, after `complete` or `end`. */
  get result(): FenceResult {
    const { code, recovered, text } = this.#output
    if (this.#scanner.phase === "closed") return { _tag: "Block", code, text }
    if (this.#scanner.phase === "inside") {
      return recovered === undefined ? { _tag: "Unterminated", code, text } : { _tag: "Block", code: recovered, text }
    }
    const miss = nearMissOf(text, this.#scanner.quotes.last, this.#format)
    return miss === undefined ? { _tag: "None", text } : { _tag: "NearMiss", ...miss, text }
  }
}

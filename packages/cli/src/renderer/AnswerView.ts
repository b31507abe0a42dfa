/**
 * One answer of the model as it streams: reasoning, text, then perhaps the code of a cell. Ends with the recorded
 * answer, which supplies whatever deltas did not bring.
 */
import type { Message } from "@daylight/core"
import { Abbreviated, type Row } from "./Abbreviated.ts"
import { CellView } from "./CellView.ts"
import type { Flow } from "./Flow.ts"
import { Markdown } from "./Markdown.ts"
import { span } from "./Paint.ts"
import type { Rows } from "./Rows.ts"
import { WholeCharacters } from "./Safe.ts"

export interface AnswerOptions {
  /** Markdown is rendered where colours can show it; without them its source stays as it is. */
  readonly markdown: boolean
  /** All of the reasoning, not only beginning and end. */
  readonly verbose: boolean
}

type Block = "none" | "reasoning" | "text" | "code"

export class AnswerView {
  readonly #rows: Rows
  readonly #options: AnswerOptions
  #block: Block = "none"
  #text = ""
  #reasoning = ""
  #writer: TextWriter | undefined
  #thought: Abbreviated | undefined
  /** The cell that is being written, until it starts. */
  cell: CellView | undefined

  constructor(rows: Rows, options: AnswerOptions) {
    this.#rows = rows
    this.#options = options
  }

  reasoning(delta: string): void {
    if (this.#reasoning === "" && delta.trim() === "") return
    this.#enter("reasoning")
    this.#reasoning += delta
    this.#showThought(this.#thought!.push(delta))
  }

  text(delta: string): void {
    const fresh = this.#block !== "text"
    if (fresh && delta.trim() === "") {
      this.#text += delta
      return
    }
    this.#enter("text")
    this.#text += delta
    this.#writer!.push(fresh ? delta.trimStart() : delta)
  }

  code(delta: string, id: number): void {
    this.#enter("code")
    this.cell ??= new CellView(this.#rows, id)
    this.cell.code(delta)
  }

  /** The whole answer. */
  answered(message: typeof Message.cases.Assistant.Type): void {
    const parts = (tag: "Text" | "Reasoning") =>
      message.content.flatMap((part) => part._tag === tag ? [part.text] : []).join("")
    this.#complete(parts("Reasoning"), this.#reasoning, (rest) => this.reasoning(rest))
    this.#complete(parts("Text"), this.#text, (rest) => this.text(rest))
    this.pause()
  }

  /** What came so far does not count: another attempt follows. */
  discard(): void {
    const shown = this.#block !== "none" || this.#text !== ""
    this.close("discarded")
    if (shown) this.#rows.noted("↺", "warn", [span("the answer above broke off and does not count", "dim")])
    this.#text = ""
    this.#reasoning = ""
  }

  /** Ends the block that streams; a cell's frame stays open, since its run follows. */
  pause(): void {
    if (this.#block === "reasoning") this.#showThought(this.#thought!.end())
    this.#writer?.end()
    this.#writer = undefined
    this.#block = "none"
    this.#rows.lane.release()
  }

  /** Ends everything; a cell that was written and not started is said to be so. */
  close(why: string): void {
    this.pause()
    this.cell?.abandon(why)
    this.cell = undefined
  }

  #enter(block: Block): void {
    if (this.#block === block) return
    this.pause()
    if (block !== "code") this.close("not run")
    this.#block = block
    this.#rows.lane.claim()
    if (block === "code") return
    this.#rows.gap()
    if (block === "reasoning") this.#thought = new Abbreviated()
    else this.#writer = new TextWriter(this.#rows.flow(), this.#options.markdown)
  }

  #complete(whole: string, streamed: string, show: (rest: string) => void): void {
    if (whole === streamed || whole === "") return
    const rest = whole.startsWith(streamed) ? whole.slice(streamed.length) : whole
    if (rest.trim() === "" || streamed.includes(rest.trim())) return
    if (this.cell) this.close("continues below")
    if (rest === whole) this.pause()
    show(rest)
  }

  #showThought(rows: ReadonlyArray<Row>): void {
    if (rows.length === 0) return
    const flow = this.#rows.flow([...this.#rows.margin, span("┆ ", "frame")])
    for (const { text } of rows) {
      flow.text(text, ["dim"])
      flow.line()
    }
  }
}

/** Text of an answer without blank rows at its end. */
class TextWriter {
  readonly #flow: Flow
  readonly #markdown: Markdown | undefined
  readonly #whole = new WholeCharacters()
  #breaks = ""

  constructor(flow: Flow, markdown: boolean) {
    this.#flow = flow
    this.#markdown = markdown ? new Markdown(flow) : undefined
  }

  push(delta: string): void {
    const text = this.#breaks + this.#whole.push(delta)
    const blank = text.search(/\n\s*$/)
    const end = blank < 0 ? text.length : blank
    this.#breaks = text.slice(end)
    this.#write(text.slice(0, end))
  }

  end(): void {
    this.#write(this.#whole.end())
    this.#breaks = ""
    if (this.#markdown) this.#markdown.end()
    else this.#flow.end()
  }

  #write(text: string): void {
    if (this.#markdown) return this.#markdown.push(text)
    const [first = "", ...others] = text.split("\n")
    this.#flow.text(first)
    for (const next of others) {
      this.#flow.line()
      this.#flow.text(next)
    }
  }
}

/**
 * Complete rows of one session: plain rows, rules of a cell's frame, blank rows between blocks. Knows whether a frame
 * is open, so whoever writes a row need not.
 */
import { Flow } from "./Flow.ts"
import { type Role, type Span, span } from "./Paint.ts"
import type { Lane } from "./Screen.ts"
import { safe } from "./Safe.ts"
import { fit, widthOf } from "./Width.ts"

const ruleWidth = 72
const bar = span("│ ", "frame")

export type Corner = "╭" | "├" | "╰"

export class Rows {
  readonly lane: Lane
  /** A cell's frame is open. */
  framed = false
  #wrote = false
  #blank = false

  constructor(lane: Lane) {
    this.lane = lane
  }

  /** What stands before each row at this moment. */
  get margin(): ReadonlyArray<Span> {
    return this.framed ? [bar] : []
  }

  /** Columns for the text of a row. */
  get columns(): number {
    return Math.min(this.lane.width, 160) - this.lane.margin.length - (this.framed ? 2 : 0)
  }

  /** A row that hangs under its first `hanging` columns where it wraps. */
  row(spans: ReadonlyArray<Span>, hanging = 0): void {
    const flow = this.flow(this.margin, [...this.margin, span(" ".repeat(hanging))])
    flow.spans(spans)
    flow.line()
  }

  /** A flow that writes here. */
  flow(margin: ReadonlyArray<Span> = this.margin, wrapMargin: ReadonlyArray<Span> = margin): Flow {
    this.#wrote = true
    this.#blank = false
    return new Flow(this.lane, margin, wrapMargin)
  }

  /** One blank row between blocks, and before the first where others wrote above. */
  gap(othersWrote = false): void {
    if (!this.#wrote && !othersWrote || this.#blank && this.#wrote || this.framed) return
    this.#wrote = true
    this.lane.write(this.lane.blank)
    this.#blank = true
  }

  /** A row of a frame, with a title. */
  rule(corner: Corner, title: ReadonlyArray<Span>): void {
    const columns = Math.min(this.lane.width, ruleWidth) - this.lane.margin.length
    const whole = title.map((part) => safe(part.text)).join("")
    const text = fit(whole, Math.max(1, columns - 4))
    const shown = text === whole ? title : [span(text, ...(title[0]?.roles ?? []))]
    const rest = Math.max(1, columns - widthOf(text) - (text === "" ? 2 : 4))
    const flow = this.flow([])
    flow.text(`${corner}─`, ["frame"])
    if (text !== "") flow.spans([span(" "), ...shown, span(" ")])
    flow.text("─".repeat(rest), ["frame"])
    flow.line()
  }

  /** A row with a sign before it. */
  noted(sign: string, role: Role, text: ReadonlyArray<Span>): void {
    this.row([span(`${sign} `, role), ...text], 2)
  }
}

/**
 * One cell in its frame: the code as the model writes it, what happens while it runs, what came of it. The rows of
 * child agents that run meanwhile stand in the same frame.
 */
import type { CellReport } from "@daylight/core"
import { Abbreviated, type Row } from "./Abbreviated.ts"
import { CallRows } from "./CallRows.ts"
import { CodeView } from "./CodeView.ts"
import { span } from "./Paint.ts"
import { reportRows } from "./ReportRows.ts"
import type { Rows } from "./Rows.ts"

export class CellView {
  readonly calls: CallRows
  readonly #rows: Rows
  readonly #output = new Abbreviated()
  #code: CodeView
  #printed = ""
  #separated = false
  #running = false

  /** Opens the frame. */
  constructor(rows: Rows, id: number) {
    this.#rows = rows
    this.#open(id)
    this.#code = new CodeView(rows)
    this.calls = new CallRows(rows)
  }

  get running(): boolean {
    return this.#running
  }

  /** Lines of code so far. */
  get lines(): number {
    return this.#code.lines
  }

  code(delta: string): void {
    this.#code.push(delta)
  }

  /** The code is complete and runs. What was streamed of it is completed, or shown anew where it differs. */
  start(id: number, code: string): void {
    const streamed = this.#code.text
    if (code.startsWith(streamed)) this.#code.push(code.slice(streamed.length))
    this.#code.end()
    if (!code.startsWith(streamed) && code.trim() !== streamed.trim()) {
      this.#close("replaced")
      this.#open(id)
      this.#code = new CodeView(this.#rows)
      this.#code.push(code)
      this.#code.end()
    }
    this.#running = true
  }

  /** Something happens below the code: its first row is set off. */
  separate(): void {
    this.#code.end()
    if (this.#separated) return
    this.#separated = true
    this.#rows.rule("├", [])
  }

  output(delta: string): void {
    this.#printed += delta
    this.#show(this.#output.push(delta))
  }

  end(report: CellReport): void {
    this.#finishOutput(report)
    this.#finishCalls()
    reportRows(this.#rows, report, this.#code.text, this.#printed === "")
    this.#rows.framed = false
  }

  /** The frame is closed before a report came. */
  abandon(why: string): void {
    this.#code.end()
    this.#show(this.#output.end())
    this.#finishCalls()
    this.#close(why)
  }

  #open(id: number): void {
    this.#rows.gap()
    this.#rows.rule("╭", [span(`cell ${id}`, "strong")])
    this.#rows.framed = true
  }

  #close(why: string): void {
    this.#rows.rule("╰", [span(why, "warn")])
    this.#rows.framed = false
  }

  /** Deltas may have been dropped for a slow reader; the report has all. */
  #finishOutput({ stderr, stdout }: CellReport): void {
    const printed = this.#printed
    if (printed === "") return
    if (stdout.startsWith(printed)) this.#show(this.#output.push(stdout.slice(printed.length)))
    else if (stderr.startsWith(printed)) this.#show(this.#output.push(stderr.slice(printed.length)))
    this.#show(this.#output.end())
  }

  #finishCalls(): void {
    if (this.calls.running !== undefined) this.separate()
    this.calls.end()
  }

  #show(rows: ReadonlyArray<Row>): void {
    if (rows.length > 0) this.separate()
    for (const { omission, text } of rows) this.#rows.row([omission ? span(text, "dim") : span(text)])
  }
}

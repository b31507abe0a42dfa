/** One session on the screen: turns its events, in order, into blocks and rows, and says what goes on meanwhile. */
import type { Event, Live, Message, Recorded } from "@daylight/core"
import { abbreviate } from "./Abbreviated.ts"
import { type AnswerOptions, AnswerView } from "./AnswerView.ts"
import { CallRows } from "./CallRows.ts"
import { CellView } from "./CellView.ts"
import { noticeOf, userText } from "./Notice.ts"
import { outcomeRows } from "./OutcomeRows.ts"
import { span } from "./Paint.ts"
import { duration } from "./Quantity.ts"
import { Rows } from "./Rows.ts"
import type { Lane } from "./Screen.ts"

export interface SessionViewOptions extends AnswerOptions {
  readonly agent: string
  /** Show the prompt of a run. */
  readonly prompts: boolean
  /** Show that a call waits for approval. */
  readonly approvals: boolean
}

type Delta = Exclude<Live["_tag"], "Recorded">

export class SessionView {
  /** What goes on, for the spinner; `undefined` while no run is active. */
  activity: string | undefined
  readonly #rows: Rows
  readonly #options: SessionViewOptions
  #answer: AnswerView
  #cell: CellView | undefined
  /** Calls without a cell, as in `functions` format. */
  #calls: CallRows
  #nextCell = 1
  /** Actions whose result has a view. */
  readonly #shownActions = new Set<string>()

  constructor(lane: Lane, options: SessionViewOptions) {
    this.#options = options
    this.#rows = new Rows(lane)
    this.#answer = new AnswerView(this.#rows, options)
    this.#calls = new CallRows(this.#rows)
  }

  delta(tag: Delta, text: string): void {
    switch (tag) {
      case "TextDelta":
        this.#answer.text(text)
        return this.#says("answering")
      case "ReasoningDelta":
        this.#answer.reasoning(text)
        return this.#says("thinking")
      case "CodeDelta":
        this.#answer.code(text, this.#nextCell)
        return this.#says(`writing cell ${this.#nextCell}, line ${(this.#answer.cell?.lines ?? 0) + 1}`)
      case "OutputDelta":
        return this.#cell?.output(text)
    }
  }

  event({ event, time }: Recorded): void {
    switch (event._tag) {
      case "RunStarted":
        return this.#runStarted(event)
      case "ModelCalled":
        return this.#modelCalled(event.attempt, event.purpose)
      case "ModelAnswered":
        this.#answer.answered(event.message)
        for (const part of event.message.content) {
          if (part._tag === "Action" && part.name !== "run") this.#shownActions.add(part.id)
        }
        return
      case "ModelFailed":
        this.#answer.discard()
        this.#says(event.retryInMs === undefined ? "thinking" : `trying again in ${duration(event.retryInMs)}`)
        return this.#notice(event)
      case "CellStarted":
        return this.#cellStarted(event)
      case "CellEnded":
        return this.#cellEnded(event)
      case "CallStarted":
        if (event.child !== undefined) this.#cell?.separate()
        this.#callRows().started(event, time)
        return this.#saysWhatRuns()
      case "CallEnded":
        this.#cell?.separate()
        this.#callRows().ended(event, time)
        return this.#saysWhatRuns()
      case "CallRefused":
        this.#cell?.separate()
        return this.#callRows().refused(event)
      case "ActionsAnswered":
        return this.#actionsAnswered(event.message)
      case "ApprovalAsked":
        this.#says(`waiting for a decision on ${event.path}`)
        return this.#options.approvals ? this.#notice(event) : undefined
      case "ApprovalDecided":
        this.#notice(event)
        return this.#saysWhatRuns()
      case "RunEnded":
        this.close(event.outcome.reason === "completed" ? "not run" : event.outcome.reason.replace("_", " "))
        this.#rows.gap()
        outcomeRows(this.#rows, event.outcome, this.#rows.lane.depth > 0 ? this.#options.agent : undefined)
        this.activity = undefined
        return
      default:
        return this.#notice(event)
    }
  }

  /** Ends what is open: nothing more comes, or something else begins. */
  close(why: string): void {
    this.#answer.close(why)
    this.#cell?.abandon(why)
    this.#cell = undefined
    this.#calls.end()
    this.#rows.lane.release()
  }

  #runStarted({ added = 0, prompt }: Extract<Event, { readonly _tag: "RunStarted" }>): void {
    this.close("not run")
    this.#shownActions.clear()
    this.#rows.lane.introduce()
    this.#says("starting")
    if (!this.#options.prompts && this.#rows.lane.depth === 0) return this.#rows.gap(true)
    this.#rows.gap()
    const who = this.#rows.lane.depth > 0 ? [span(`${this.#options.agent} `, "accent")] : []
    // What the engine tells the model of variables is not shown.
    const spoken = prompt.content.slice(0, prompt.content.length - added)
    abbreviate(userText({ ...prompt, content: spoken })).forEach(({ text }, index) => {
      this.#rows.row([span(index === 0 ? "▶ " : "  ", "accent"), ...(index === 0 ? who : []), span(text, "prompt")], 2)
    })
  }

  #modelCalled(attempt: number, purpose: string): void {
    if (attempt > 1) this.#answer.discard()
    else if (purpose === "answer" || purpose === "wrap-up") {
      this.close("not run")
      this.#answer = new AnswerView(this.#rows, this.#options)
      this.#calls = new CallRows(this.#rows)
    }
    this.#says(purpose === "compaction" ? "summarising the history" : purpose === "judge" ? "judging" : "thinking")
  }

  #cellStarted(event: Extract<Recorded["event"], { readonly _tag: "CellStarted" }>): void {
    this.#answer.pause()
    this.#cell?.abandon("replaced")
    this.#cell = this.#answer.cell ?? new CellView(this.#rows, event.cell)
    this.#answer.cell = undefined
    this.#cell.start(event.cell, event.code)
    this.#nextCell = event.cell + 1
    this.#shownActions.add(event.action)
    this.#says(`running cell ${event.cell}`)
  }

  #cellEnded(event: Extract<Recorded["event"], { readonly _tag: "CellEnded" }>): void {
    this.#cell ??= new CellView(this.#rows, event.cell)
    this.#cell.end(event.report)
    this.#cell = undefined
    this.#says("thinking")
  }

  /** Answers that no cell and no call has shown: malformed actions, and those that were not run. */
  #actionsAnswered(message: typeof Message.cases.Result.Type): void {
    this.#answer.close("not run")
    this.#calls.end()
    for (const { content, id, ok } of message.content) {
      if (ok || this.#shownActions.has(id)) continue
      const text = content.flatMap((part) => part._tag === "Text" ? [part.text] : []).join("\n")
      abbreviate(text).forEach((row, index) => {
        this.#rows.row([span(index === 0 ? "✗ " : "  ", "bad"), span(row.text, "dim")], 2)
      })
    }
  }

  #notice(event: Recorded["event"]): void {
    const notice = noticeOf(event, this.#options.verbose)
    if (!notice) return
    this.#answer.pause()
    this.#cell?.separate()
    const detail = notice.detail ? [span(`  ${notice.detail.replaceAll("\n", " ")}`, "dim")] : []
    this.#rows.noted(notice.sign, notice.role, [span(notice.text, notice.role), ...detail])
  }

  #callRows(): CallRows {
    return this.#cell?.calls ?? this.#calls
  }

  #saysWhatRuns(): void {
    const call = this.#callRows().running
    this.#says(call ? `calling ${call}` : this.#cell ? "running the cell" : "thinking")
  }

  #says(what: string): void {
    this.activity = this.#rows.lane.depth > 0 ? `${this.#options.agent}: ${what}` : what
  }
}

import type * as Duration from "effect/Duration"
import type { AnySchema } from "../AnySchema.ts"
import type { LimitReached } from "../Budget.ts"
import type { CellReport } from "../Cell.ts"
import { Defaults } from "../Defaults.ts"
import type { OutcomeRecord } from "../Outcome.ts"
import type { RunOptions } from "../Session.ts"
import { addUsage, noUsage, type Usage } from "../Usage.ts"
import type { ActiveClock } from "./ActiveClock.ts"
import type { Answer } from "./Answer.ts"
import type { BudgetNode } from "./BudgetNode.ts"
import { validate, type Validated } from "../schema/Validate.ts"
import { Suspension } from "./Suspension.ts"

type Ending = Partial<Pick<OutcomeRecord, "limit" | "answer" | "error">>

/** What one run keeps while it goes. */
export class Run {
  readonly number: number
  readonly budget: BudgetNode
  readonly clock: ActiveClock
  readonly schema: AnySchema<any> | undefined
  readonly dryRun: boolean
  /** How long it waits for a person before it is suspended. */
  readonly patience: Duration.Input | undefined
  readonly suspension = new Suspension()
  /** It is over, but for its last event. */
  over = false
  step = 0
  cells = 0
  usage: Usage = noUsage
  /** The answer that streams right now: its text counts, whatever stops the run. */
  streaming: Answer | undefined
  /** Set once the cell that called `finish` has ended well. */
  finished: { readonly value: unknown } | undefined
  answerFailures = 0
  readonly nudged = new Set<string>()
  readonly #texts: Array<string> = []
  #offered: { readonly value: unknown } | undefined
  #offering: Promise<unknown> | undefined
  #unfit: string | undefined
  #lastError: string | undefined
  #lastResult = ""
  /** How often the same cell has given the same result, in a row. */
  repeats = 0

  constructor(number: number, budget: BudgetNode, clock: ActiveClock, options: RunOptions<any>) {
    this.number = number
    this.budget = budget
    this.clock = clock
    this.schema = options.answer
    this.dryRun = options.dryRun ?? false
    this.patience = options.patience ?? Defaults.approvalPatience
  }

  /** Where events of this moment stand. */
  get at(): { readonly run: number; readonly step: number } {
    return { run: this.number, step: this.step }
  }

  answered(answer: Answer): void {
    this.streaming = undefined
    this.spent(answer.spent)
    if (answer.text.trim() !== "") this.#texts.push(answer.text)
  }

  /** Counts tokens, also of calls beside the conversation. */
  spent(usage: Usage): void {
    this.usage = addUsage(this.usage, usage)
  }

  outcome(reason: OutcomeRecord["reason"], ending: Ending = {}): OutcomeRecord {
    const { cells, step: steps, usage } = this
    return { reason, text: this.#text(reason), steps, cells, usage, durationMs: this.clock.elapsed, ...ending }
  }

  limited(limit: LimitReached): OutcomeRecord {
    return this.outcome("limit", { limit: limit.unit, error: { name: limit._tag, message: limit.message } })
  }

  /** The answer of a completed run; otherwise all there is, so that no stop loses work. */
  #text(reason: OutcomeRecord["reason"]): string {
    if (reason === "completed") {
      return typeof this.finished?.value === "string"
        ? this.finished.value
        : this.#texts.at(-1) ?? ""
    }
    const late = this.streaming?.text ?? ""
    return (late.trim() === "" ? this.#texts : [...this.#texts, late]).join("\n\n")
  }

  /** The built-in `finish`. Throws in the cell what does not fit; a promise where the schema is asynchronous. */
  finish(value: unknown): unknown {
    if (this.schema === undefined) {
      this.#offered = { value }
      return undefined
    }
    const result = validate(this.schema, value)
    if (!(result instanceof Promise)) return this.#take(result)
    const taken = result.then((result) => this.#take(result))
    this.#offering = taken.catch(() => {}) // told by `settleAnswer`, also if the cell does not await
    return taken
  }

  #take(result: Validated): void {
    if (result.ok) {
      this.#offered = { value: result.value }
      this.#unfit = undefined
      return
    }
    this.answerFailures++
    this.#unfit = result.problem
    throw new TypeError(`finish: the answer does not fit: ${result.problem}`)
  }

  /** At the end of a cell: what became of `finish`. Gives what the model must still be told. */
  async settleAnswer(failed: boolean): Promise<string | undefined> {
    await this.#offering
    return this.takeAnswer(failed)
  }

  get offersLater(): boolean {
    return this.#offering !== undefined
  }

  takeAnswer(failed: boolean): string | undefined {
    const offered = this.#offered
    const unfit = this.#unfit
    this.#offered = this.#offering = this.#unfit = undefined
    if (offered === undefined) {
      return unfit !== undefined && !failed
        ? `[answer] finish: the answer does not fit: ${unfit}`
        : undefined
    }
    if (failed) return "[answer] Not taken, since the cell failed after finish()."
    this.finished = offered
    return undefined
  }

  get answerExhausted(): boolean {
    return this.answerFailures > Defaults.answerRepairs
  }

  /** True if the cell failed just as the one before it. */
  sameError(report: CellReport): boolean {
    const error = report.problem && `${report.problem.stage} ${report.problem.name}: ${report.problem.message}`
    const same = error !== undefined && error === this.#lastError
    this.#lastError = error
    return same
  }

  /** Counts how often one and the same action had one and the same result. */
  countRepeats(result: string): void {
    this.repeats = result === this.#lastResult ? this.repeats + 1 : 1
    this.#lastResult = result
  }
}

/** The last row of a run: how it ended, what it took, and what to do if it did not complete. */
import type { OutcomeReason, OutcomeRecord } from "@daylight/core"
import { abbreviate } from "./Abbreviated.ts"
import { type Role, span } from "./Paint.ts"
import { counted, dollars, duration, number } from "./Quantity.ts"
import type { Rows } from "./Rows.ts"
import { valueRows } from "./ValueRows.ts"
import { valueLines } from "./ValueText.ts"

interface Notice {
  readonly sign: string
  readonly role: Role
  readonly text: string
  readonly remedy?: string | undefined
}

const good = (sign: string, text: string): Notice => ({ sign, role: "good", text })
const pause = (sign: string, text: string, remedy?: string): Notice => ({ sign, role: "warn", text, remedy })
const bad = (text: string, remedy?: string): Notice => ({ sign: "✗", role: "bad", text, remedy })

const notices: Readonly<Record<OutcomeReason, Notice>> = {
  completed: good("✓", "completed"),
  refused: pause("⊘", "refused by the model"),
  invalid_answer: bad("no valid answer", "The value given to finish() did not fit the schema, also after repairs."),
  stuck: bad("stuck: the model made no progress", "Rephrase the request, or give the agent what it is missing."),
  limit: pause("■", "stopped at a limit", "The text so far is kept. Raise the limit to go further."),
  cancelled: pause("■", "cancelled"),
  waiting: pause("?", "waiting for a person to decide", "The session goes on from here once it is decided."),
  model_error: bad("the model failed"),
  runtime_error: bad("the runtime failed", "Variables of this session may be lost."),
  internal_error: bad("internal error", "This is a defect: please report it with the message above.")
}

/** `agent` is named where several run. */
export const outcomeRows = (rows: Rows, outcome: OutcomeRecord, agent: string | undefined): void => {
  const notice = notices[outcome.reason] ?? pause("?", outcome.reason)
  const limit = outcome.limit === undefined ? "" : `: ${outcome.limit}`
  const who = agent === undefined ? "" : `${agent}: `
  rows.noted(notice.sign, notice.role, [
    span(`${who}${notice.text}${limit}`, notice.role),
    span(`  ${expenses(outcome)}`, "dim")
  ])
  if (outcome.error) {
    const { message, name } = outcome.error
    const text = message.startsWith(name) ? message : `${name}: ${message}`
    for (const row of abbreviate(text)) rows.row([span("  "), span(row.text, "bad")], 2)
  }
  if (outcome.answer) valueRows(rows, valueLines(outcome.answer, rows.columns - 2))
  if (notice.remedy) rows.row([span("  "), span(notice.remedy, "dim")], 2)
}

const expenses = ({ cells, durationMs, steps, usage, usd }: OutcomeRecord): string => {
  const about = usage.estimated ? "about " : ""
  const split = `${number(usage.input)} in, ${number(usage.output)} out`
  const tokens = `${about}${counted(usage.input + usage.output, "token")} (${split})`
  const parts = [counted(steps, "step"), counted(cells, "cell"), tokens, duration(durationMs)]
  if (usd !== undefined && usd > 0) parts.splice(3, 0, dollars(usd))
  return parts.join(" · ")
}

/** The last row of a run: how it ended, what it took, and what to do if it did not complete. */
import type { OutcomeReason, OutcomeRecord } from "@daylight/core"
import { abbreviate } from "./Abbreviated.ts"
import { span, type Role } from "./Paint.ts"
import { counted, dollars, duration, number } from "./Quantity.ts"
import type { Rows } from "./Rows.ts"
import { valueText } from "./ValueText.ts"

interface Notice {
  readonly sign: string
  readonly role: Role
  readonly text: string
  readonly remedy?: string | undefined
}

const notices: Readonly<Record<OutcomeReason, Notice>> = {
  completed: { sign: "✓", role: "good", text: "completed" },
  refused: { sign: "⊘", role: "warn", text: "refused by the model" },
  invalid_answer: {
    sign: "✗",
    role: "bad",
    text: "no valid answer",
    remedy: "The value given to finish() did not fit the schema, also after repairs."
  },
  stuck: { sign: "✗", role: "bad", text: "stuck: the model made no progress", remedy: "Rephrase the request, or give the agent what it is missing." },
  limit: { sign: "■", role: "warn", text: "stopped at a limit", remedy: "The text so far is kept. Raise the limit to go further." },
  cancelled: { sign: "■", role: "warn", text: "cancelled" },
  waiting: { sign: "?", role: "warn", text: "waiting for a person to decide", remedy: "The session goes on from here once it is decided." },
  model_error: { sign: "✗", role: "bad", text: "the model failed" },
  runtime_error: { sign: "✗", role: "bad", text: "the runtime failed", remedy: "Variables of this session may be lost." },
  internal_error: { sign: "✗", role: "bad", text: "internal error", remedy: "This is a defect: please report it with the message above." }
}

/** `agent` is named where several run. */
export const outcomeRows = (rows: Rows, outcome: OutcomeRecord, agent: string | undefined): void => {
  const notice = notices[outcome.reason] ?? { sign: "?", role: "warn", text: outcome.reason }
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
  if (outcome.answer) rows.noted("=", "accent", [span(valueText(outcome.answer, rows.columns * 2))])
  if (notice.remedy) rows.row([span("  "), span(notice.remedy, "dim")], 2)
}

const expenses = ({ cells, durationMs, steps, usage, usd }: OutcomeRecord): string => {
  const about = usage.estimated ? "about " : ""
  const tokens = `${about}${counted(usage.input + usage.output, "token")} (${number(usage.input)} in, ${number(usage.output)} out)`
  const parts = [counted(steps, "step"), counted(cells, "cell"), tokens, duration(durationMs)]
  if (usd !== undefined && usd > 0) parts.splice(3, 0, dollars(usd))
  return parts.join(" · ")
}

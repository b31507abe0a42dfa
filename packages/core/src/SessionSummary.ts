/**
 * One row of the list of sessions, as a fold over its events.
 */
import * as Schema from "effect/Schema"
import type { Recorded } from "./Event.ts"
import { SessionId } from "./Ids.ts"
import { OutcomeReason } from "./Outcome.ts"
import { addUsage, noUsage, Usage } from "./Usage.ts"

/** What the list of sessions tells of one: kept up to date in the same transaction as `append`, not derived when read. */
export const SessionSummary = Schema.Struct({
  session: SessionId,
  agent: Schema.String,
  status: Schema.Literals(["open", "running", "waiting", "ended"]),
  title: Schema.String,
  reason: Schema.optional(OutcomeReason),
  opened: Schema.Finite,
  updated: Schema.Finite,
  seq: Schema.Int,
  usage: Usage,
  usd: Schema.optional(Schema.Finite),
  /** Keys of approvals that wait and of effects of unknown outcome. */
  pending: Schema.Array(Schema.String),
  labels: Schema.Record(Schema.String, Schema.String),
  parent: Schema.optional(SessionId)
})
export type SessionSummary = typeof SessionSummary.Type

/** The row after one more event. `undefined` before the first, which must be `SessionOpened`. */
export const summarise = (row: SessionSummary | undefined, { event, seq, session, time }: Recorded): SessionSummary | undefined => {
  if (event._tag === "SessionOpened") {
    return {
      session, agent: event.agent, status: "open", title: "", opened: time, updated: time, seq, usage: noUsage, pending: [], labels: event.labels,
      ...(event.parent && { parent: event.parent.session })
    }
  }
  if (row === undefined) return undefined
  const next = { ...row, updated: time, seq }
  switch (event._tag) {
    case "RunStarted": return { ...next, status: "running", title: row.title === "" ? titleOf(event.prompt.content) : row.title, reason: undefined }
    case "RunContinued": return { ...next, status: "running", reason: undefined }
    case "ModelAnswered": return { ...next, usage: addUsage(row.usage, event.usage), ...(event.usd !== undefined && { usd: (row.usd ?? 0) + event.usd }) }
    case "ModelFailed": return { ...next, usage: addUsage(row.usage, event.usage) }
    case "ApprovalAsked": return { ...next, pending: [...row.pending, event.key] }
    case "ApprovalDecided":
    case "EffectSettled": return { ...next, pending: row.pending.filter((key) => key !== event.key) }
    case "RunEnded": return { ...next, status: event.outcome.reason === "waiting" ? "waiting" : "open", reason: event.outcome.reason }
    default: return next
  }
}

const titleOf = (content: ReadonlyArray<{ readonly _tag: string; readonly text?: string }>): string =>
  (content.find((part) => part._tag === "Text")?.text ?? "").trim().split("\n", 1)[0]!.slice(0, 120)

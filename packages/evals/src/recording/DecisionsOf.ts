/** What people decided in the course of a session, by the place of the call that waited for them. */
import type { RecordedDecision } from "../cassette/Cassette.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"

export const decisionsOf = ({ agent = [], events }: SessionLog): ReadonlyArray<RecordedDecision> => {
  const asked = new Map<string, Pick<RecordedDecision, "cell" | "ordinal" | "path">>()
  return events.flatMap(({ event }): ReadonlyArray<RecordedDecision> => {
    if (event._tag === "ApprovalAsked") asked.set(event.key, event)
    const call = event._tag === "ApprovalDecided" ? asked.get(event.key) : undefined
    if (event._tag !== "ApprovalDecided" || call === undefined) return []
    const { cell, ordinal, path } = call
    return [{ type: "decision", agent, cell, ordinal, path, decision: event.decision, by: event.by }]
  })
}

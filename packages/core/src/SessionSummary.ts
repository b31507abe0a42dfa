/**
 * The list of sessions: one row a session, kept as a fold over its events. A store folds in the transaction of each
 * append, so that a list is never derived from logs when it is read, and nothing that waits for somebody can be missing
 * from it.
 */
import * as Schema from "effect/Schema"
import type { Event, Recorded } from "./Event.ts"
import { SessionId } from "./Ids.ts"
import { OutcomeReason } from "./Outcome.ts"
import { addUsage, noUsage, Usage } from "./Usage.ts"

const summary = {
  session: SessionId,
  agent: Schema.String,
  /** `waiting`: somebody has to act, be it that the run was suspended, or that its code waits in place. */
  status: Schema.Literals(["open", "running", "waiting", "ended"]),
  title: Schema.String,
  reason: Schema.optional(OutcomeReason),
  opened: Schema.Finite,
  updated: Schema.Finite,
  seq: Schema.Int,
  usage: Usage,
  usd: Schema.optional(Schema.Finite),
  cells: Schema.Int,
  /** Cells that failed. */
  failures: Schema.Int,
  /** Keys of approvals and questions that wait, and of effects of unknown outcome. */
  pending: Schema.Array(Schema.String),
  labels: Schema.Record(Schema.String, Schema.String),
  parent: Schema.optional(SessionId)
}

/** What the list of sessions tells of one. */
export const SessionSummary = Schema.Struct({
  ...summary,
  /** Who holds the session now. A `running` session without an owner was left behind by a process that died. */
  owner: Schema.optional(Schema.Struct({ holder: Schema.String, until: Schema.Finite }))
})
export type SessionSummary = typeof SessionSummary.Type

/** What a store keeps to go on folding: the row, and from what its `pending` comes. */
export const Tally = Schema.Struct({
  row: Schema.Struct(summary),
  /** Keys of approvals and questions nobody has answered. */
  asked: Schema.Array(Schema.String),
  /** Keys of effects nobody knows the outcome of. */
  unknown: Schema.Array(Schema.String),
  /** Effects that began and did not end, by `cell:ordinal`: of unknown outcome if their process is gone. */
  begun: Schema.Record(Schema.String, Schema.String)
})
export type Tally = typeof Tally.Type

/** The tally after one more event. `undefined` before the first, which must be `SessionOpened`. */
export const addToTally = (tally: Tally | undefined, recorded: Recorded): Tally | undefined => {
  const { event, seq, session, time } = recorded
  if (event._tag === "SessionOpened") return openTally(event, recorded)
  if (tally === undefined || event._tag === "Unknown") {
    return tally && { ...tally, row: { ...tally.row, updated: time, seq } }
  }
  const next = count(addKeys(tally, event), event)
  return { ...next, row: { ...next.row, session, updated: time, seq, pending: [...next.asked, ...next.unknown] } }
}

/** The row of the list, as it is while `owner` holds the session, or nobody does. */
export const summaryOf = (tally: Tally, owner: SessionSummary["owner"]): SessionSummary => {
  if (owner !== undefined) return { ...tally.row, owner }
  const left = Object.values(tally.begun).filter((key) => !tally.row.pending.includes(key))
  return left.length === 0 ? tally.row : { ...tally.row, pending: [...tally.row.pending, ...left] }
}

/** Of a log that was read whole, as if nobody held the session. `undefined` for an empty one. */
export const summarise = (log: Iterable<Recorded>): SessionSummary | undefined => {
  let tally: Tally | undefined
  for (const recorded of log) tally = addToTally(tally, recorded)
  return tally && summaryOf(tally, undefined)
}

/** What an event adds to the text a list is searched by: what was asked, and what was answered. */
export const searchable = ({ event, session }: Recorded): string | undefined => {
  switch (event._tag) {
    case "SessionOpened":
      return `${session}\n${event.agent}`
    case "RunStarted":
      return textOf(event.prompt.content).slice(0, searchedChars)
    case "RunEnded":
      return event.outcome.text.slice(0, searchedChars)
    default:
      return undefined
  }
}

const searchedChars = 4_000

const openTally = (
  event: typeof Event.cases.SessionOpened.Type,
  { seq, session, time }: Recorded
): Tally => ({
  row: {
    session,
    agent: event.agent,
    status: "open",
    title: "",
    opened: time,
    updated: time,
    seq,
    usage: noUsage,
    cells: 0,
    failures: 0,
    pending: [],
    labels: event.labels,
    ...(event.parent && { parent: event.parent.session })
  },
  asked: [],
  unknown: [],
  begun: {}
})

/** What waits for somebody, and what may have happened. */
const addKeys = (tally: Tally, event: Event): Tally => {
  switch (event._tag) {
    case "ApprovalAsked":
      return { ...tally, asked: including(tally.asked, event.key) }
    case "ApprovalDecided":
      return { ...tally, asked: without(tally.asked, event.key) }
    case "CallStarted":
      // A run of a child is resumed and awaited: its outcome is never unknown.
      return event.effect === "none" || event.child !== undefined
        ? tally
        : { ...tally, begun: { ...tally.begun, [placeOf(event)]: event.key } }
    case "CallEnded": {
      const { [placeOf(event)]: key, ...begun } = tally.begun
      if (key === undefined) return tally
      return { ...tally, begun, unknown: event.status === "unknown" ? including(tally.unknown, key) : tally.unknown }
    }
    case "Recovered": {
      // What is not unknown goes on.
      const begun = Object.entries(tally.begun).filter(([, key]) => !event.unknown.includes(key))
      return { ...tally, begun: Object.fromEntries(begun), unknown: event.unknown.reduce(including, tally.unknown) }
    }
    case "EffectSettled":
      return { ...tally, unknown: without(tally.unknown, event.key) }
    case "RunEnded":
      // What a run that is over asked cannot be answered any more.
      return event.outcome.reason === "waiting" ? tally : { ...tally, asked: [] }
    default:
      return tally
  }
}

/** Status, title, money and counts. */
const count = (tally: Tally, event: Event): Tally => {
  const { row } = tally
  const told = (change: Partial<Tally["row"]>): Tally => ({ ...tally, row: { ...row, ...change } })
  switch (event._tag) {
    case "RunStarted": {
      const { reason: _, ...rest } = row
      const title = row.title === "" ? titleOf(event.prompt.content) : row.title
      return { ...tally, row: { ...rest, status: "running", title } }
    }
    case "RunContinued": {
      const { reason: _, ...rest } = row
      return { ...tally, row: { ...rest, status: tally.asked.length > 0 ? "waiting" : "running" } }
    }
    case "ModelAnswered":
      return told({
        usage: addUsage(row.usage, event.usage),
        ...(event.usd !== undefined && { usd: (row.usd ?? 0) + event.usd })
      })
    case "ModelFailed":
      return told({ usage: addUsage(row.usage, event.usage) })
    case "CellEnded":
      return told({ cells: row.cells + 1, failures: row.failures + (event.report.problem === undefined ? 0 : 1) })
    case "ApprovalAsked":
      return row.status === "running" ? told({ status: "waiting" }) : tally
    case "ApprovalDecided":
      // While a run is suspended, only its continuation makes it run again.
      return row.status === "waiting" && row.reason === undefined && tally.asked.length === 0
        ? told({ status: "running" })
        : tally
    case "RunEnded":
      return told({ status: event.outcome.reason === "waiting" ? "waiting" : "open", reason: event.outcome.reason })
    default:
      return tally
  }
}

const placeOf = ({ cell, ordinal }: { readonly cell: number; readonly ordinal: number }): string => `${cell}:${ordinal}`

const including = (keys: ReadonlyArray<string>, key: string): ReadonlyArray<string> =>
  keys.includes(key) ? keys : [...keys, key]

const without = (keys: ReadonlyArray<string>, key: string): ReadonlyArray<string> => keys.filter((each) => each !== key)

type Content = ReadonlyArray<{ readonly _tag: string; readonly text?: string }>

const textOf = (content: Content): string => content.flatMap((part) => part.text ?? []).join("\n")

const titleOf = (content: Content): string => textOf(content).trim().split("\n", 1)[0]!.slice(0, 120)

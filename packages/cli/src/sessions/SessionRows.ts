/** Sessions on the screen: a table of many, and the facts of one. */
import type { SessionSummary } from "@daylight/core"
import { columns } from "../Columns.ts"
import { type Role, type Span, span } from "../renderer/Paint.ts"
import { counted, dollars, number } from "../renderer/Quantity.ts"
import { safe } from "../renderer/Safe.ts"
import { shownTime } from "./Moment.ts"

type Row = ReadonlyArray<Span>

/** A heading and a row each. The title comes last, cut where the screen ends. */
export const sessionTable = (sessions: ReadonlyArray<SessionSummary>, width: number): ReadonlyArray<Row> => {
  const [heads = [], ...rows] = columns([headings, ...sessions.map(cells)], ...alignments)
  return [
    heads.map(({ text }) => span(text, "dim")),
    ...rows.map((row, at) => fitted(coloured(row, sessions[at]!), width))
  ]
}

/** One fact a row, indented. */
export const sessionFacts = (session: SessionSummary): ReadonlyArray<Row> =>
  columns(factsOf(session).map(([what, value]) => [`  ${what}`, safe(value)]), "left", "left")

/** How it is with it: whether it runs, what it waits for, or how its last run ended. */
export const stateOf = ({ owner, pending, reason, status }: SessionSummary): string => {
  if (status === "running") return owner === undefined ? "left behind" : "running"
  if (status === "waiting") return pending.length === 0 ? "waiting" : `waiting for ${pending.length}`
  return pending.length > 0 ? `unknown effect: ${pending.length}` : reason ?? status
}

const headings = ["SESSION", "AGENT", "STATE", "UPDATED", "CELLS", "COST", "TITLE"]
const alignments = ["left", "left", "left", "left", "right", "right", "left"] as const
const stateColumn = headings.indexOf("STATE")

const cells = (session: SessionSummary): ReadonlyArray<string> => [
  safe(session.session),
  safe(session.agent),
  stateOf(session),
  shownTime(session.updated),
  number(session.cells),
  session.usd === undefined ? "" : dollars(session.usd),
  safe(session.title)
]

const coloured = (row: Row, session: SessionSummary): Row =>
  row.map(({ text }, at) =>
    at === 0 ? span(text, "accent") : at === stateColumn ? span(text, roleOf(session)) : span(text)
  )

const roleOf = (session: SessionSummary): Role => {
  const state = stateOf(session)
  if (state === "completed") return "good"
  if (state === "running" || state === "open") return "strong"
  return state === "cancelled" || session.status === "waiting" ? "warn" : "bad"
}

const fitted = (row: Row, width: number): Row => {
  const before = row.slice(0, -1).reduce((sum, { text }) => sum + text.length, 0)
  const last = row.at(-1)!
  const room = Math.max(12, width - before)
  return last.text.length <= room ? row : [...row.slice(0, -1), { ...last, text: `${last.text.slice(0, room - 1)}…` }]
}

const factsOf = (session: SessionSummary): ReadonlyArray<readonly [what: string, value: string]> => {
  const { agent, cells, failures, labels, opened, owner, parent, pending, seq, updated, usage, usd } = session
  const failed = failures === 0 ? "" : `, ${failures} failed`
  const cost = usd === undefined ? "" : `, ${dollars(usd)}`
  return [
    ["agent", agent],
    ["state", stateOf(session)],
    ["opened", shownTime(opened)],
    ["updated", shownTime(updated)],
    ["log", `${counted(seq, "event")}, ${counted(cells, "cell")}${failed}`],
    ["used", `${number(usage.input)} tokens in, ${number(usage.output)} out${cost}`],
    ...(owner === undefined ? [] : [["held by", `${owner.holder} until ${shownTime(owner.until)}`] as const]),
    ...(parent === undefined ? [] : [["child of", parent] as const]),
    ...Object.entries(labels).map(([key, value]) => ["label", `${key}=${value}`] as const),
    ...pending.map((key) => ["waits for", key] as const)
  ]
}

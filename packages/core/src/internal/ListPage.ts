import * as Effect from "effect/Effect"
import type { SessionQuery } from "../SessionStore.ts"
import { type SessionSummary, summaryOf, type Tally } from "../SessionSummary.ts"
import { StoreError } from "../StoreError.ts"

/** A session as a list sees it. */
export interface Listed {
  readonly tally: Tally
  readonly text: string
  readonly owner: SessionSummary["owner"]
}

interface Page {
  readonly items: ReadonlyArray<SessionSummary>
  readonly next?: string | undefined
}

/** A page of those that match, latest activity first. */
export const pageOf = (all: ReadonlyArray<Listed>, query: SessionQuery): Effect.Effect<Page, StoreError> => {
  const after = query.cursor === undefined ? undefined : placeOf(query.cursor)
  if (after === null) {
    return Effect.fail(
      new StoreError({ reason: { _tag: "Invalid", detail: `"${query.cursor}" is no cursor of a list` } })
    )
  }
  const rows = all.filter((listed) => matches(listed, query))
    .map(({ owner, tally }) => summaryOf(tally, owner))
    .filter((row) => after === undefined || order(after, row) < 0)
    .sort(order)
  const items = rows.slice(0, query.limit ?? 100)
  const last = items.at(-1)
  return Effect.succeed({ items, next: last !== undefined && items.length < rows.length ? cursorOf(last) : undefined })
}

type Place = Pick<SessionSummary, "session" | "updated">

const order = (a: Place, b: Place): number =>
  b.updated - a.updated || (a.session < b.session ? -1 : a.session > b.session ? 1 : 0)

const cursorOf = ({ session, updated }: Place): string => `${updated} ${session}`

const placeOf = (cursor: string): Place | null => {
  const [, updated, session] = /^(\d+(?:\.\d+)?) (.+)$/s.exec(cursor) ?? []
  return updated === undefined ? null : { updated: Number(updated), session: session as Place["session"] }
}

const matches = ({ tally: { row }, text }: Listed, query: SessionQuery): boolean =>
  (query.agent === undefined || row.agent === query.agent) &&
  (query.status === undefined || row.status === query.status) &&
  (query.reason === undefined || row.reason === query.reason) &&
  (query.parent === undefined || row.parent === query.parent) &&
  (query.since === undefined || row.updated >= query.since) &&
  (query.minUsd === undefined || (row.usd ?? 0) >= query.minUsd) &&
  (query.failed === undefined || row.failures > 0 === query.failed) &&
  (query.text === undefined || text.toLowerCase().includes(query.text.toLowerCase())) &&
  Object.entries(query.labels ?? {}).every(([key, value]) => row.labels[key] === value)

/**
 * The list of sessions.
 */
import { type SessionQuery, type SessionSummary, type StoreError, summaryOf } from "@daylight/core"
import * as Effect from "effect/Effect"
import type { Page } from "../internal/Backend.ts"
import { type Cursor, formatCursor, parseCursor } from "../internal/Cursor.ts"
import { isGone, type ProcessMark } from "../internal/Owner.ts"
import { decodeTally } from "../internal/StoredTally.ts"
import { type PostgresDatabase, serverTime, type Value } from "./PostgresDatabase.ts"

interface Row {
  readonly session: string
  readonly tally: string
  readonly name: string
  readonly process: string
  readonly until: number
  readonly alive: boolean
}

export const listPage = (db: PostgresDatabase, query: SessionQuery): Effect.Effect<Page, StoreError> =>
  Effect.gen(function*() {
    const limit = query.limit ?? 100
    const cursor = query.cursor === undefined ? undefined : yield* parseCursor(query.cursor)
    const { values, where } = conditionsOf(query, cursor)
    const rows = yield* db.query<Row>(
      `SELECT s.session, s.tally, o.name, o.process, o.until, coalesce(o.until > ${serverTime}, false) AS alive
       FROM @sessions s LEFT JOIN @owners o ON o.id = s.owner
       WHERE ${where} ORDER BY s.updated DESC, s.session LIMIT ${Math.max(0, Math.floor(limit)) + 1}`,
      ...values
    )
    const items = yield* Effect.forEach(rows.slice(0, limit), toSummary)
    const last = items.at(-1)
    return { items, next: last !== undefined && rows.length > limit ? formatCursor(last) : undefined }
  })

const toSummary = ({ alive, name, process, session, tally, until }: Row): Effect.Effect<SessionSummary, StoreError> => {
  const owned = alive && !isGone(JSON.parse(process) as ProcessMark)
  return Effect.map(
    decodeTally(session, tally),
    (decoded) => summaryOf(decoded, owned ? { holder: name, until } : undefined)
  )
}

const conditionsOf = (query: SessionQuery, cursor: Cursor | undefined) => {
  const values: Array<Value> = []
  const conditions: Array<string> = ["true"]
  /** The text with a place for each value. */
  const add = (text: string, ...given: ReadonlyArray<Value>) => {
    let at = values.length
    values.push(...given)
    conditions.push(text.replaceAll("?", () => `$${++at}`))
  }
  if (query.agent !== undefined) add("s.agent = ?", query.agent)
  if (query.status !== undefined) add("s.status = ?", query.status)
  if (query.reason !== undefined) add("s.reason = ?", query.reason)
  if (query.parent !== undefined) add("s.parent = ?", query.parent)
  if (query.since !== undefined) add("s.updated >= ?", query.since)
  if (query.minUsd !== undefined) add("s.usd >= ?", query.minUsd)
  if (query.failed !== undefined) add(query.failed ? "s.failures > 0" : "s.failures = 0")
  if (cursor !== undefined) {
    add("s.updated <= ? AND (s.updated < ? OR s.session > ?)", cursor.updated, cursor.updated, cursor.session)
  }
  for (const [key, value] of Object.entries(query.labels ?? {})) {
    add("EXISTS (SELECT 1 FROM @labels l WHERE l.session = s.id AND l.key = ? AND l.value = ?)", key, value)
  }
  if (query.text !== undefined && query.text !== "") {
    add(
      "EXISTS (SELECT 1 FROM @texts t WHERE t.session = s.id AND t.text ILIKE ?)",
      `%${query.text.replaceAll(/[\\%_]/g, "\\$&")}%`
    )
  }
  return { values, where: conditions.join(" AND ") }
}

/**
 * The list of sessions. All that can be asked of a row is in one index, which is walked in the order of the list.
 * Labels and texts are looked up first: what few sessions have leads to them at once, what many have is met soon.
 */
import { type SessionQuery, type SessionSummary, type StoreError, summaryOf } from "@daylight/core"
import * as Effect from "effect/Effect"
import type { SQLInputValue } from "node:sqlite"
import type { Page } from "../internal/Backend.ts"
import { type Cursor, formatCursor, parseCursor } from "../internal/Cursor.ts"
import { decodeTally } from "../internal/StoredTally.ts"
import type { Database } from "./Database.ts"
import type { Leases, OwnerRow } from "./Leases.ts"

interface Row extends OwnerRow {
  readonly session: string
  readonly updated: number
  readonly tally: string
}

interface Condition {
  readonly sql: string
  readonly values: ReadonlyArray<SQLInputValue>
}

/** Up to this many sessions are looked at one by one. */
const few = 2_000

export class Listing {
  readonly #db: Database
  readonly #leases: Leases

  constructor(db: Database, leases: Leases) {
    this.#db = db
    this.#leases = leases
  }

  page(query: SessionQuery): Effect.Effect<Page, StoreError> {
    return Effect.gen({ self: this }, function*() {
      const limit = query.limit ?? 100
      const cursor = query.cursor === undefined ? undefined : yield* parseCursor(query.cursor)
      const rows = yield* this.#db.read(() => this.#rows(this.#conditions(query, cursor), limit + 1))
      const items = yield* Effect.forEach(rows.slice(0, limit), (row) => this.#summary(row))
      const last = items.at(-1)
      return { items, next: last !== undefined && rows.length > limit ? formatCursor(last) : undefined }
    })
  }

  #rows(conditions: ReadonlyArray<Condition>, limit: number): ReadonlyArray<Row> {
    const where = ["TRUE", ...conditions.map(({ sql }) => sql)].join(" AND ")
    return this.#db.all<Row>(
      `SELECT s.session, s.updated, s.tally, s.owner, o.name, o.process, coalesce(o.until, 0) AS until
       FROM sessions s LEFT JOIN owners o ON o.id = s.owner
       WHERE ${where} ORDER BY s.updated DESC, s.session LIMIT ?`,
      ...conditions.flatMap(({ values }) => values),
      limit
    )
  }

  #summary(row: Row): Effect.Effect<SessionSummary, StoreError> {
    const owner = row.owner !== null && this.#leases.isAlive(row) ? { holder: row.name, until: row.until } : undefined
    return Effect.map(decodeTally(row.session, row.tally), (tally) => summaryOf(tally, owner))
  }

  #conditions(query: SessionQuery, cursor: Cursor | undefined): ReadonlyArray<Condition> {
    const equals = (column: string, value: SQLInputValue | undefined) =>
      value === undefined ? [] : [{ sql: `s.${column} = ?`, values: [value] }]
    return [
      ...equals("agent", query.agent),
      ...equals("status", query.status),
      ...equals("reason", query.reason),
      ...equals("parent", query.parent),
      ...(query.since === undefined ? [] : [{ sql: "s.updated >= ?", values: [query.since] }]),
      ...(query.minUsd === undefined ? [] : [{ sql: "s.usd >= ?", values: [query.minUsd] }]),
      ...(query.failed === undefined ? [] : [{ sql: query.failed ? "s.failures > 0" : "s.failures = 0", values: [] }]),
      ...(cursor === undefined ? [] : [afterCursor(cursor)]),
      ...Object.entries(query.labels ?? {}).map(([key, value]) => this.#having(withLabel(key, value))),
      ...(query.text === undefined || query.text === "" ? [] : [this.#having(withText(query.text))])
    ]
  }

  #having({ each, ids }: Lookup): Condition {
    const found = this.#db.all<{ readonly id: number }>(`${ids.sql} LIMIT ?`, ...ids.values, few + 1)
    return found.length > few
      ? each
      : { sql: "s.id IN (SELECT value FROM json_each(?))", values: [JSON.stringify(found.map(({ id }) => id))] }
  }
}

const afterCursor = ({ session, updated }: Cursor): Condition => ({
  sql: "s.updated <= ? AND (s.updated < ? OR s.session > ?)",
  values: [updated, updated, session]
})

/** Two ways to the same sessions: all of their ids, and whether `s` is one of them. */
interface Lookup {
  readonly ids: Condition
  readonly each: Condition
}

const withLabel = (key: string, value: string): Lookup => ({
  ids: { sql: "SELECT session AS id FROM labels WHERE key = ? AND value = ?", values: [key, value] },
  each: {
    sql: "EXISTS (SELECT 1 FROM labels WHERE key = ? AND value = ? AND session = s.id)",
    values: [key, value]
  }
})

/**
 * The index knows every three characters of a text; for fewer, the texts are read. It also knows upper and lower case
 * of every alphabet, where `LIKE` knows that of English only; for English, reading the texts of one session is quicker.
 */
const withText = (text: string): Lookup => {
  const like = { sql: "text LIKE ? ESCAPE '\\'", value: `%${text.replaceAll(/[\\%_]/g, "\\$&")}%` }
  const match = { sql: "texts MATCH ?", value: `"${text.replaceAll('"', '""')}"` }
  const all = [...text].length >= 3 ? match : like
  const one = isAscii(text) ? like : all
  return {
    ids: { sql: `SELECT DISTINCT rowid >> 20 AS id FROM texts WHERE ${all.sql}`, values: [all.value] },
    each: {
      sql: `EXISTS (SELECT 1 FROM texts WHERE ${one.sql} AND rowid >= s.id << 20 AND rowid < (s.id + 1) << 20)`,
      values: [one.value]
    }
  }
}

const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

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

/** Up to this many are looked up in one go; what begins in more ways is in many texts, and met soon. */
const fewTrigrams = 100

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
      ...(query.text === undefined || query.text === "" ? [] : [this.#having(this.#withText(query.text))])
    ]
  }

  /**
   * The index knows every three characters of a text, and with them those that begin with two; for one, or for two of
   * another alphabet, the texts are read. It also knows upper and lower case of every alphabet, where `LIKE` knows that
   * of English only; for English, reading the texts of one session is quicker.
   */
  #withText(text: string): Lookup {
    const like = { sql: "text LIKE ? ESCAPE '\\'", value: `%${text.replaceAll(/[\\%_]/g, "\\$&")}%` }
    const sought = [...text].length >= 3 ? [text] : this.#beginningWith(text)
    const all = sought === undefined ? like : { sql: "texts MATCH ?", value: sought.map(quoted).join(" OR ") }
    const one = isAscii(text) ? like : all
    return {
      ids: { sql: `SELECT DISTINCT rowid >> 20 AS id FROM texts WHERE ${all.sql}`, values: [all.value] },
      each: {
        sql: `EXISTS (SELECT 1 FROM texts WHERE ${one.sql} AND rowid >= s.id << 20 AND rowid < (s.id + 1) << 20)`,
        values: [one.value]
      }
    }
  }

  /** The three characters in the index that begin with two; `undefined` where they do not lead to the texts. */
  #beginningWith(text: string): ReadonlyArray<string> | undefined {
    if (text.length !== 2 || !isAscii(text)) return undefined
    const from = text.toLowerCase()
    const to = from.slice(0, 1) + String.fromCharCode(from.charCodeAt(1) + 1)
    const found = this.#db.all<{ readonly term: string }>(
      "SELECT term FROM trigrams WHERE term >= ? AND term < ? LIMIT ?",
      from,
      to,
      fewTrigrams + 1
    )
    // What is nowhere is looked for as it is: the index has nothing for two characters.
    if (found.length === 0) return [text]
    return found.length > fewTrigrams ? undefined : found.map(({ term }) => term)
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

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

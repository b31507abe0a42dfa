/**
 * A SQLite file as the database of a store.
 */
import { type SessionId, type StoredEvent, StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import type { Backend, Batch, Claim, Mail, SessionKey } from "../internal/Backend.ts"
import { decodeTally, encodeTally, filtersOf } from "../internal/StoredTally.ts"
import { Wake } from "../internal/Wake.ts"
import type { Blobs } from "./Blobs.ts"
import type { Database } from "./Database.ts"
import type { Leases, OwnerRow } from "./Leases.ts"
import { Listing } from "./Listing.ts"

/** Room for the texts of one session, in the numbers of rows. */
const textsOfSession = 1_048_576

interface SessionRow extends OwnerRow {
  readonly key: SessionKey
  readonly fence: number
  readonly seq: number
  readonly updated: number
  readonly tally: string
}

export class SqliteBackend implements Backend {
  readonly wake = new Wake()
  readonly #db: Database
  readonly #leases: Leases
  readonly #blobs: Blobs
  readonly #now: () => number
  readonly list: Backend["list"]

  constructor(db: Database, leases: Leases, blobs: Blobs, now: () => number) {
    this.#db = db
    this.#leases = leases
    this.#blobs = blobs
    this.#now = now
    const listing = new Listing(db, leases)
    this.list = (query) => listing.page(query)
  }

  add(session: SessionId, batch: Batch, owned: boolean): Effect.Effect<Claim, StoreError> {
    const { events, tally } = batch
    return this.#db.write((): Claim => {
      if (this.#db.get("SELECT 1 FROM sessions WHERE session = ?", session)) {
        throw refusal(session, { _tag: "AlreadyExists" })
      }
      const owner = owned ? this.#leases.current().id : null
      const last = events.at(-1)!
      this.#db.run(
        `INSERT INTO sessions (session, owner, fence, seq, updated, agent, status, reason, parent, usd, failures, tally)
         VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        session,
        owner,
        last.seq,
        last.time,
        ...filtersOf(tally),
        encodeTally(tally)
      )
      const key = this.#db.lastId
      for (const [name, value] of Object.entries(tally.row.labels)) {
        this.#db.run("INSERT INTO labels (key, value, session) VALUES (?, ?, ?)", name, value, key)
      }
      this.#insert(key, batch)
      return { session, key, owner: owner ?? "", fence: 1, seq: last.seq, time: last.time, tally }
    })
  }

  claim(session: SessionId): Effect.Effect<Claim, StoreError> {
    const taken = this.#db.write(() => {
      const row = this.#find(session)
      if (row.owner !== null && this.#leases.isAlive(row)) {
        this.#leases.shorten(row)
        return Effect.fail(refusal(session, { _tag: "Held", holder: row.name, until: row.until }))
      }
      const owner = this.#leases.current().id
      this.#db.run("UPDATE sessions SET owner = ?, fence = fence + 1 WHERE id = ?", owner, row.key)
      return Effect.map(decodeTally(session, row.tally), (tally): Claim => ({
        session,
        key: row.key,
        owner,
        fence: row.fence + 1,
        seq: row.seq,
        time: row.updated,
        tally
      }))
    })
    return Effect.flatten(taken)
  }

  release({ fence, key, owner }: Claim): Effect.Effect<void, StoreError> {
    return Effect.asVoid(
      this.#db.write(() =>
        this.#db.run("UPDATE sessions SET owner = NULL WHERE id = ? AND owner = ? AND fence = ?", key, owner, fence)
      )
    )
  }

  write(claim: Claim, after: number, batch: Batch): Effect.Effect<void, StoreError> {
    const last = batch.events.at(-1)!
    const written = this.#db.write(() => {
      const changed = this.#db.run(
        `UPDATE sessions
         SET seq = ?, updated = ?, agent = ?, status = ?, reason = ?, parent = ?, usd = ?, failures = ?, tally = ?
         WHERE id = ? AND owner = ? AND fence = ? AND seq = ?
           AND EXISTS (SELECT 1 FROM owners WHERE id = ? AND until > ?)`,
        last.seq,
        last.time,
        ...filtersOf(batch.tally),
        encodeTally(batch.tally),
        claim.key,
        claim.owner,
        claim.fence,
        after,
        claim.owner,
        this.#now()
      )
      if (changed === 0) throw this.#fenced(claim, after)
      this.#insert(claim.key, batch)
    })
    return Effect.tap(written, () => Effect.sync(() => this.wake.tell("events", claim.key)))
  }

  key(session: SessionId): Effect.Effect<SessionKey, StoreError> {
    return this.#db.read(() => this.#find(session).key)
  }

  events(
    session: SessionId,
    key: SessionKey,
    after: number,
    limit: number
  ): Effect.Effect<ReadonlyArray<StoredEvent>, StoreError> {
    return Effect.mapError(
      this.#db.read(() => {
        const events = this.#db.all<StoredEvent>(
          "SELECT seq, time, v, json FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
          key,
          after,
          limit
        )
        if (events.length === 0 && !this.#db.get("SELECT 1 FROM sessions WHERE id = ?", key)) {
          throw refusal(session, { _tag: "NotFound" })
        }
        return events
      }),
      (error) => error.reason._tag === "Corrupt" ? refusal(session, { ...error.reason, seq: after + 1 }) : error
    )
  }

  send(session: SessionId, json: string): Effect.Effect<void, StoreError> {
    const sent = this.#db.write(() => {
      const { key } = this.#find(session)
      this.#db.run("INSERT INTO mail (session, json) VALUES (?, ?)", key, json)
      return key
    })
    return Effect.map(sent, (key) => this.wake.tell("mail", key))
  }

  mail(claim: Claim, after: number): Effect.Effect<ReadonlyArray<Mail>, StoreError> {
    return this.#db.read(() => {
      this.#check(claim)
      return this.#db.all<Mail>("SELECT id, json FROM mail WHERE session = ? AND id > ? ORDER BY id", claim.key, after)
    })
  }

  take(claim: Claim, id: number): Effect.Effect<void, StoreError> {
    return this.#db.write(() => {
      this.#check(claim)
      this.#db.run("DELETE FROM mail WHERE id = ? AND session = ?", id, claim.key)
    })
  }

  remove(session: SessionId): Effect.Effect<void, StoreError> {
    const removed = this.#db.write(() => {
      const row = this.#find(session)
      if (row.owner !== null && this.#leases.isAlive(row)) {
        throw refusal(session, { _tag: "Held", holder: row.name, until: row.until })
      }
      const { key } = row
      this.#blobs.forget(key)
      for (const table of ["events", "labels", "mail"]) this.#db.run(`DELETE FROM ${table} WHERE session = ?`, key)
      this.#db.run("DELETE FROM texts WHERE rowid >= ? AND rowid < ?", key * textsOfSession, (key + 1) * textsOfSession)
      this.#db.run("DELETE FROM sessions WHERE id = ?", key)
      return key
    })
    return Effect.map(removed, (key) => this.wake.tell("events", key))
  }

  readonly putBlob: Backend["putBlob"] = ({ hash }, bytes) => this.#blobs.put(hash, bytes)
  readonly getBlob: Backend["getBlob"] = ({ hash }) => this.#blobs.get(hash)

  #insert(key: SessionKey, { blobs, events, texts }: Batch): void {
    for (const { json, seq, time, v } of events) {
      this.#db.run("INSERT INTO events (session, seq, time, v, json) VALUES (?, ?, ?, ?, ?)", key, seq, time, v, json)
    }
    for (const { seq, text } of texts) {
      const row = key * textsOfSession + seq % textsOfSession
      this.#db.run("INSERT INTO texts (rowid, text) VALUES (?, ?)", row, `${text}\n`)
    }
    for (const hash of blobs) this.#db.run("INSERT OR IGNORE INTO blob_uses (hash, session) VALUES (?, ?)", hash, key)
  }

  #find(session: SessionId): SessionRow {
    const row = this.#db.get<SessionRow>(
      `SELECT s.id AS key, s.fence, s.seq, s.updated, s.tally, s.owner, o.name, o.process, coalesce(o.until, 0) AS until
       FROM sessions s LEFT JOIN owners o ON o.id = s.owner WHERE s.session = ?`,
      session
    )
    if (row === undefined) throw refusal(session, { _tag: "NotFound" })
    return row
  }

  #check(claim: Claim): void {
    const holds = this.#db.get(
      `SELECT 1 FROM sessions s JOIN owners o ON o.id = s.owner
       WHERE s.id = ? AND s.owner = ? AND s.fence = ? AND o.until > ?`,
      claim.key,
      claim.owner,
      claim.fence,
      this.#now()
    )
    if (!holds) throw this.#fenced(claim, claim.seq)
  }

  #fenced({ key, session }: Claim, after: number): StoreError {
    const row = this.#db.get<{ readonly seq: number }>("SELECT seq FROM sessions WHERE id = ?", key)
    return refusal(session, { _tag: "Fenced", expectedSeq: after + 1, actualSeq: row?.seq ?? 0 })
  }
}

const refusal = (session: SessionId, reason: StoreError["reason"]) => new StoreError({ session, reason })

/**
 * A Postgres schema as the database of a store. Every operation is one statement, or such that it may stop between two.
 */
import { type SessionId, type StoredEvent, StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import type { Backend, Batch, Claim, Mail, SessionKey } from "../internal/Backend.ts"
import { isGone, type ProcessMark } from "../internal/Owner.ts"
import { decodeTally } from "../internal/StoredTally.ts"
import type { Wake } from "../internal/Wake.ts"
import type { Announcer } from "./Announcer.ts"
import type { PostgresBlobs } from "./PostgresBlobs.ts"
import { type PostgresDatabase, serverTime } from "./PostgresDatabase.ts"
import type { PostgresLeases } from "./PostgresLeases.ts"
import { listPage } from "./PostgresListing.ts"
import { addSession, addValues, writeSession, writeValues } from "./Statements.ts"

interface SessionRow {
  readonly key: SessionKey
  readonly fence: number
  readonly seq: number
  readonly updated: number
  readonly tally: string
  readonly owner: string | null
  readonly name: string
  readonly process: string
  readonly until: number
  readonly alive: boolean
}

interface Parts {
  readonly db: PostgresDatabase
  readonly leases: PostgresLeases
  readonly blobs: PostgresBlobs
  readonly wake: Wake
  readonly announcer: Announcer
}

export class PostgresBackend implements Backend {
  readonly wake: Wake
  readonly #db: PostgresDatabase
  readonly #leases: PostgresLeases
  readonly #blobs: PostgresBlobs
  readonly #announcer: Announcer

  constructor({ announcer, blobs, db, leases, wake }: Parts) {
    this.#db = db
    this.#leases = leases
    this.#blobs = blobs
    this.#announcer = announcer
    this.wake = wake
  }

  readonly add = Effect.fnUntraced({ self: this }, function*(
    session: SessionId,
    batch: Batch,
    owned: boolean
  ): Effect.fn.Return<Claim, StoreError> {
    const owner = owned ? (yield* this.#leases.current).id : null
    const fence = newFence()
    const added = yield* this.#db.query<{ readonly id: number }>(addSession, ...addValues(batch, session, owner, fence))
    const { seq, time } = batch.events.at(-1)!
    const claim = (key: SessionKey): Claim => ({
      session,
      key,
      owner: owner ?? "",
      fence,
      seq,
      time,
      tally: batch.tally
    })
    if (added[0] !== undefined) return claim(added[0].id)
    const row = yield* this.#find(session)
    // The answer to a first attempt was lost.
    if (row.owner === owner && row.fence === fence) return claim(row.key)
    return yield* refusal(session, { _tag: "AlreadyExists" })
  })

  readonly claim = Effect.fnUntraced(
    { self: this },
    function*(session: SessionId): Effect.fn.Return<Claim, StoreError> {
      const owner = (yield* this.#leases.current).id
      const fence = newFence()
      while (true) {
        const row = yield* this.#find(session)
        if (row.owner === owner && row.fence === fence) return yield* this.#claimOf(session, row, owner, fence)
        yield* this.#checkFree(session, row)
        yield* this.#db.query(
          "UPDATE @sessions SET owner = $1, fence = $2 WHERE id = $3 AND fence = $4 AND owner IS NOT DISTINCT FROM $5",
          owner,
          fence,
          row.key,
          row.fence,
          row.owner
        )
      }
    }
  )

  release({ fence, key, owner }: Claim): Effect.Effect<void, StoreError> {
    return Effect.asVoid(
      this.#db.query("UPDATE @sessions SET owner = NULL WHERE id = $1 AND owner = $2 AND fence = $3", key, owner, fence)
    )
  }

  write(claim: Claim, after: number, batch: Batch): Effect.Effect<void, StoreError> {
    return Effect.flatMap(
      this.#db.query(writeSession, ...writeValues(batch, claim, after)),
      (written) =>
        Effect.andThen(
          written.length > 0 ? Effect.void : this.#checkWritten(claim, after, batch),
          Effect.sync(() => this.#announcer.announce("events", claim.key))
        )
    )
  }

  key(session: SessionId): Effect.Effect<SessionKey, StoreError> {
    return Effect.map(this.#find(session), ({ key }) => key)
  }

  readonly events = Effect.fnUntraced({ self: this }, function*(
    session: SessionId,
    key: SessionKey,
    after: number,
    limit: number
  ): Effect.fn.Return<ReadonlyArray<StoredEvent>, StoreError> {
    const events = yield* this.#db.query<StoredEvent>(
      "SELECT seq, time, v, json FROM @events WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3",
      key,
      after,
      limit
    )
    if (events.length > 0) return events
    const there = yield* this.#db.query("SELECT 1 AS there FROM @sessions WHERE id = $1", key)
    return there.length > 0 ? events : yield* refusal(session, { _tag: "NotFound" })
  })

  readonly list: Backend["list"] = (query) => listPage(this.#db, query)

  /** The lock of the session's row gives signals their numbers in the order in which they become visible. */
  send(session: SessionId, json: string): Effect.Effect<void, StoreError> {
    const sent = this.#db.query<{ readonly key: number }>(
      `WITH target AS (SELECT id FROM @sessions WHERE session = $1 FOR NO KEY UPDATE),
       sent AS (
         INSERT INTO @mail (token, session, json) SELECT $2, target.id, $3 FROM target ON CONFLICT DO NOTHING
       )
       SELECT id AS key FROM target`,
      session,
      globalThis.crypto.randomUUID(),
      json
    )
    return Effect.flatMap(sent, ([row]) =>
      row === undefined
        ? refusal(session, { _tag: "NotFound" })
        : Effect.sync(() => this.#announcer.announce("mail", row.key)))
  }

  mail(claim: Claim, after: number): Effect.Effect<ReadonlyArray<Mail>, StoreError> {
    return Effect.andThen(
      this.#check(claim),
      this.#db.query<Mail>(
        "SELECT id::float8 AS id, json FROM @mail WHERE session = $1 AND id > $2::float8 ORDER BY id",
        claim.key,
        after
      )
    )
  }

  take(claim: Claim, id: number): Effect.Effect<void, StoreError> {
    return Effect.flatMap(
      this.#db.query(
        `DELETE FROM @mail WHERE id = $4::float8 AND session = $1 AND ${holds} RETURNING 1 AS taken`,
        claim.key,
        claim.owner,
        claim.fence,
        id
      ),
      // It may have been taken already.
      (taken) => taken.length > 0 ? Effect.void : this.#check(claim)
    )
  }

  readonly remove = Effect.fnUntraced(
    { self: this },
    function*(session: SessionId): Effect.fn.Return<void, StoreError> {
      const row = yield* this.#find(session)
      yield* this.#checkFree(session, row)
      const hashes = yield* this.#blobs.usedBy(row.key)
      yield* this.#db.query(
        "DELETE FROM @sessions WHERE id = $1 AND fence = $2 AND owner IS NOT DISTINCT FROM $3",
        row.key,
        row.fence,
        row.owner
      )
      const left = yield* this.#db.query("SELECT 1 AS there FROM @sessions WHERE id = $1", row.key)
      // Somebody claimed it meanwhile.
      if (left.length > 0) return yield* Effect.flatMap(this.#find(session), (now) => this.#checkFree(session, now))
      yield* this.#blobs.forget(hashes)
      this.#announcer.announce("events", row.key)
    }
  )

  readonly putBlob: Backend["putBlob"] = ({ hash }, bytes) => this.#blobs.put(hash, bytes)
  readonly getBlob: Backend["getBlob"] = ({ hash }) => this.#blobs.get(hash)

  #find(session: SessionId): Effect.Effect<SessionRow, StoreError> {
    const found = this.#db.query<SessionRow>(
      `SELECT s.id AS key, s.fence, s.seq, s.updated, s.tally, s.owner, o.name, o.process, o.until,
         coalesce(o.until > ${serverTime}, false) AS alive
       FROM @sessions s LEFT JOIN @owners o ON o.id = s.owner WHERE s.session = $1`,
      session
    )
    return Effect.flatMap(
      found,
      ([row]) => row === undefined ? refusal(session, { _tag: "NotFound" }) : Effect.succeed(row)
    )
  }

  #claimOf(session: SessionId, row: SessionRow, owner: string, fence: number): Effect.Effect<Claim, StoreError> {
    return Effect.map(decodeTally(session, row.tally), (tally): Claim => ({
      session,
      key: row.key,
      owner,
      fence,
      seq: row.seq,
      time: row.updated,
      tally
    }))
  }

  #checkFree(session: SessionId, { alive, name, owner, process, until }: SessionRow): Effect.Effect<void, StoreError> {
    if (owner === null || !alive || isGone(JSON.parse(process) as ProcessMark)) return Effect.void
    // A lease that ends later than a full one from now was given before the server's clock was set back.
    const shortened = this.#db.query(
      `UPDATE @owners SET until = ${serverTime} + lease WHERE id = $1 AND until > ${serverTime} + lease`,
      owner
    )
    return Effect.andThen(shortened, refusal(session, { _tag: "Held", holder: name, until }))
  }

  #check(claim: Claim): Effect.Effect<void, StoreError> {
    return Effect.flatMap(
      this.#db.query(`SELECT 1 AS held WHERE ${holds}`, claim.key, claim.owner, claim.fence),
      (held) => held.length > 0 ? Effect.void : this.#fenced(claim, claim.seq)
    )
  }

  /** Nothing was changed: the claim does not hold, or a first attempt, whose answer was lost, has done it. */
  #checkWritten({ fence, key, owner, ...claim }: Claim, after: number, batch: Batch): Effect.Effect<void, StoreError> {
    const mine = this.#db.query<{ readonly seq: number }>(
      "SELECT seq FROM @sessions WHERE id = $1 AND owner = $2 AND fence = $3",
      key,
      owner,
      fence
    )
    return Effect.flatMap(
      mine,
      ([row]) =>
        row?.seq === batch.events.at(-1)!.seq ? Effect.void : this.#fenced({ fence, key, owner, ...claim }, after)
    )
  }

  #fenced({ key, session }: Claim, after: number): Effect.Effect<never, StoreError> {
    return Effect.flatMap(
      this.#db.query<{ readonly seq: number }>("SELECT seq FROM @sessions WHERE id = $1", key),
      ([row]) => refusal(session, { _tag: "Fenced", expectedSeq: after + 1, actualSeq: row?.seq ?? 0 })
    )
  }
}

/** Of $1 session, $2 owner, $3 fence. */
const holds = `EXISTS (
  SELECT 1 FROM @sessions s JOIN @owners o ON o.id = s.owner
  WHERE s.id = $1 AND s.owner = $2 AND s.fence = $3 AND o.until > ${serverTime}
)`

/** One of a claim's own, by which it is recognised when the answer was lost. */
const newFence = (): number => {
  const [high, low] = globalThis.crypto.getRandomValues(new Uint32Array(2))
  return (high! >>> 12) * 4_294_967_296 + low!
}

const refusal = (session: SessionId, reason: StoreError["reason"]) => Effect.fail(new StoreError({ session, reason }))

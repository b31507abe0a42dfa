/**
 * Large values, once each by their hash, as long as a session refers to them.
 */
import { StoreError } from "@daylight/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { StoreDefaults } from "../StoreDefaults.ts"
import { type PostgresDatabase, serverTime } from "./PostgresDatabase.ts"

const orphanAge = Duration.toMillis(StoreDefaults.orphans)

export class PostgresBlobs {
  readonly #db: PostgresDatabase

  constructor(db: PostgresDatabase) {
    this.#db = db
  }

  /** The bytes travel only where they are new. */
  put(hash: string, bytes: Uint8Array): Effect.Effect<void, StoreError> {
    const known = this.#db.query(`UPDATE @blobs SET put = ${serverTime} WHERE hash = $1 RETURNING 1 AS known`, hash)
    return Effect.flatMap(known, ({ length }) =>
      length > 0
        ? Effect.void
        : this.#db.query(
          `INSERT INTO @blobs (hash, put, bytes) VALUES ($1, ${serverTime}, $2)
           ON CONFLICT (hash) DO UPDATE SET put = excluded.put`,
          hash,
          bytes
        ))
  }

  get(hash: string): Effect.Effect<Uint8Array, StoreError> {
    return Effect.flatMap(
      this.#db.query<{ readonly bytes: Uint8Array }>("SELECT bytes FROM @blobs WHERE hash = $1", hash),
      ([row]) =>
        row === undefined
          ? Effect.fail(new StoreError({ reason: { _tag: "NotFound" } }))
          : Effect.succeed(new Uint8Array(row.bytes))
    )
  }

  usedBy(session: number): Effect.Effect<ReadonlyArray<string>, StoreError> {
    return Effect.map(
      this.#db.query<{ readonly hash: string }>("SELECT hash FROM @blob_uses WHERE session = $1", session),
      (rows) => rows.map(({ hash }) => hash)
    )
  }

  /**
   * Those of `hashes` that nobody refers to any more, unless they were just put: whoever did is about to refer to them.
   */
  forget(hashes: ReadonlyArray<string>): Effect.Effect<unknown, StoreError> {
    return hashes.length === 0
      ? Effect.void
      : this.#db.query(
        `DELETE FROM @blobs b USING json_array_elements_text($1::json) AS gone WHERE b.hash = gone AND ${isOrphan}`,
        JSON.stringify(hashes)
      )
  }

  /** Those whose session never came to refer to them, or is gone. */
  get sweep(): Effect.Effect<unknown, StoreError> {
    return this.#db.query(`DELETE FROM @blobs b WHERE ${isOrphan}`)
  }
}

const isOrphan =
  `b.put <= ${serverTime} - ${orphanAge} AND NOT EXISTS (SELECT 1 FROM @blob_uses u WHERE u.hash = b.hash)`

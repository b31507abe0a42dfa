/**
 * Large values, once each by their hash, as long as a session refers to them.
 */
import { StoreError } from "@daylight/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { StoreDefaults } from "../StoreDefaults.ts"
import type { Database } from "./Database.ts"

const orphanAge = Duration.toMillis(StoreDefaults.orphans)

export class Blobs {
  readonly #db: Database
  readonly #now: () => number

  constructor(db: Database, now: () => number) {
    this.#db = db
    this.#now = now
  }

  put(hash: string, bytes: Uint8Array): Effect.Effect<void, StoreError> {
    return this.#db.write(() => {
      const known = this.#db.run("UPDATE blobs SET put = ? WHERE hash = ?", this.#now(), hash) > 0
      if (!known) this.#db.run("INSERT INTO blobs (hash, put, bytes) VALUES (?, ?, ?)", hash, this.#now(), bytes)
    })
  }

  get(hash: string): Effect.Effect<Uint8Array, StoreError> {
    return this.#db.read(() => {
      const row = this.#db.get<{ readonly bytes: Uint8Array }>("SELECT bytes FROM blobs WHERE hash = ?", hash)
      if (row === undefined) throw new StoreError({ reason: { _tag: "NotFound" } })
      return row.bytes
    })
  }

  /** Inside a transaction: a session refers to nothing any more. */
  forget(session: number): void {
    const hashes = this.#db.all<{ readonly hash: string }>("SELECT hash FROM blob_uses WHERE session = ?", session)
    this.#db.run("DELETE FROM blob_uses WHERE session = ?", session)
    for (const { hash } of hashes) {
      this.#db.run(`DELETE FROM blobs WHERE hash = ? AND ${isOrphan}`, hash, this.#now() - orphanAge)
    }
  }

  /** Those whose session never came to refer to them, or is gone. */
  get sweep(): Effect.Effect<void, StoreError> {
    return Effect.asVoid(
      this.#db.write(() => this.#db.run(`DELETE FROM blobs WHERE ${isOrphan}`, this.#now() - orphanAge))
    )
  }
}

/** One that was just put is about to be referred to. */
const isOrphan = "put <= ? AND NOT EXISTS (SELECT 1 FROM blob_uses u WHERE u.hash = blobs.hash)"

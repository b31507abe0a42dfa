/**
 * Sessions in a SQLite file: the embedded default. Any number of processes of one machine may use the file at the same
 * time.
 */
import { SessionStore, type StoreError } from "@daylight/core"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type LeaseOptions, leaseTimes } from "./internal/LeaseOptions.ts"
import { makeStore } from "./internal/makeStore.ts"
import { Blobs } from "./sqlite/Blobs.ts"
import { watchChanges } from "./sqlite/Changes.ts"
import { checkpointWhenIdle } from "./sqlite/Checkpoints.ts"
import { Database, type DatabaseOptions } from "./sqlite/Database.ts"
import { Leases } from "./sqlite/Leases.ts"
import { SqliteBackend } from "./sqlite/SqliteBackend.ts"
import { StoreDefaults } from "./StoreDefaults.ts"

export interface SqliteStoreOptions extends DatabaseOptions, LeaseOptions {
  /** How often it is looked for what other processes wrote, while somebody waits for it. Default 25 ms. */
  readonly poll?: Duration.Input | undefined
}

const make = Effect.fnUntraced(function*(
  options: SqliteStoreOptions
): Effect.fn.Return<SessionStore["Service"], StoreError, Scope.Scope> {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const db = yield* Database.open(options)
  const leases = yield* Leases.make(db, leaseTimes(options), now)
  const blobs = new Blobs(db, now)
  if (options.readOnly !== true) {
    yield* blobs.sweep
    yield* Effect.forkScoped(checkpointWhenIdle(db))
  }
  const backend = new SqliteBackend(db, leases, blobs, now)
  yield* Effect.forkScoped(watchChanges(db, backend.wake, options.poll ?? StoreDefaults.poll))
  return yield* makeStore(backend)
})

export const SqliteStore = {
  /**
   * Fails with a `StoreError`: `Unavailable` for a file that cannot be opened, is of a newer version or of something
   * else, `Corrupt` for one that is damaged.
   */
  layer: (options: SqliteStoreOptions): Layer.Layer<SessionStore, StoreError> =>
    Layer.effect(SessionStore, make(options)),
  make
}

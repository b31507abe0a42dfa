/**
 * Sessions in a Postgres database: for processes on many machines.
 */
import { SessionStore, type StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type LeaseOptions, leaseTimes } from "../internal/LeaseOptions.ts"
import { makeStore } from "../internal/makeStore.ts"
import { Wake } from "../internal/Wake.ts"
import { Announcer } from "./Announcer.ts"
import { PostgresBackend } from "./PostgresBackend.ts"
import { PostgresBlobs } from "./PostgresBlobs.ts"
import { PostgresDatabase, type PostgresOptions } from "./PostgresDatabase.ts"
import { PostgresLeases } from "./PostgresLeases.ts"

export interface PostgresStoreOptions extends PostgresOptions, LeaseOptions {}

const make = Effect.fnUntraced(function*(
  options: PostgresStoreOptions
): Effect.fn.Return<SessionStore["Service"], StoreError, Scope.Scope> {
  const db = yield* PostgresDatabase.open(options)
  const leases = yield* PostgresLeases.make(db, leaseTimes(options))
  const blobs = new PostgresBlobs(db)
  yield* blobs.sweep
  const wake = new Wake()
  const announcer = yield* Announcer.make(db, wake)
  return yield* makeStore(new PostgresBackend({ db, leases, blobs, wake, announcer }))
})

export const PostgresStore = {
  /**
   * Fails with a `StoreError` of reason `Unavailable` where the server cannot be reached, or the schema is of a newer
   * version.
   */
  layer: (options: PostgresStoreOptions): Layer.Layer<SessionStore, StoreError> =>
    Layer.effect(SessionStore, make(options)),
  make
}

/**
 * The lease of this process, by the clock of the server: one row that is renewed while it holds sessions. A lease that
 * ran out is never renewed; the next claim begins another, and what the old one held is lost to it.
 */
import type { StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { leaseTimes } from "../internal/LeaseOptions.ts"
import { makeOwner, type Owner } from "../internal/Owner.ts"
import { type PostgresDatabase, serverTime } from "./PostgresDatabase.ts"

type Times = ReturnType<typeof leaseTimes>

export class PostgresLeases {
  readonly #db: PostgresDatabase
  readonly #times: Times
  readonly #turn = Semaphore.makeUnsafe(1)
  #owner: Owner | undefined

  private constructor(db: PostgresDatabase, times: Times) {
    this.#db = db
    this.#times = times
  }

  /** Gives signs of life until the scope closes, and then says that this process is gone. */
  static make(db: PostgresDatabase, times: Times): Effect.Effect<PostgresLeases, never, Scope.Scope> {
    const leases = new PostgresLeases(db, times)
    const heartbeat = Effect.repeat(
      Effect.catch(leases.#renew, (error) => Effect.logWarning(`no sign of life was given: ${error.message}`)),
      Schedule.spaced(times.heartbeat)
    )
    return Effect.forkScoped(Effect.delay(heartbeat, times.heartbeat)).pipe(
      Effect.andThen(Effect.addFinalizer(() => Effect.ignore(leases.#end))),
      Effect.as(leases)
    )
  }

  /** The owner that claims now, with a lease that holds. */
  get current(): Effect.Effect<Owner, StoreError> {
    return this.#turn.withPermit(Effect.gen({ self: this }, function*() {
      if (this.#owner !== undefined && (yield* this.#extend(this.#owner))) return this.#owner
      const owner = makeOwner()
      yield* this.#begin(owner)
      return this.#owner = owner
    }))
  }

  get #renew(): Effect.Effect<unknown, StoreError> {
    return Effect.suspend(() => this.#owner === undefined ? Effect.void : this.#extend(this.#owner))
  }

  #extend({ id }: Owner): Effect.Effect<boolean, StoreError> {
    return Effect.map(
      this.#db.query(
        `UPDATE @owners SET until = ${serverTime} + lease WHERE id = $1 AND until > ${serverTime} RETURNING id`,
        id
      ),
      (rows) => rows.length > 0
    )
  }

  #begin({ id, name, process }: Owner): Effect.Effect<unknown, StoreError> {
    const forgotten = this.#db.query(
      `DELETE FROM @owners o
       WHERE until <= ${serverTime} AND NOT EXISTS (SELECT 1 FROM @sessions s WHERE s.owner = o.id)`
    )
    const begun = this.#db.query(
      `INSERT INTO @owners (id, name, process, lease, until)
       VALUES ($1, $2, $3, $4::float8, ${serverTime} + $4::float8) ON CONFLICT DO NOTHING`,
      id,
      name,
      JSON.stringify(process),
      this.#times.lease
    )
    return Effect.andThen(forgotten, begun)
  }

  get #end(): Effect.Effect<unknown, StoreError> {
    return Effect.suspend(() =>
      this.#owner === undefined
        ? Effect.void
        : this.#db.query("UPDATE @owners SET until = 0 WHERE id = $1", this.#owner.id)
    )
  }
}

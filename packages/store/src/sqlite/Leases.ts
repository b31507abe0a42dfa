/**
 * The lease of this process: one row that is renewed while it holds sessions. A lease that ran out is never renewed;
 * the next claim begins another, and what the old one held is lost to it.
 */
import type { StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { leaseTimes } from "../internal/LeaseOptions.ts"
import { isGone, makeOwner, type Owner, type ProcessMark } from "../internal/Owner.ts"
import type { Database } from "./Database.ts"

export interface OwnerRow {
  readonly owner: string
  readonly name: string
  readonly process: string
  readonly until: number
}

type Times = ReturnType<typeof leaseTimes>

export class Leases {
  readonly #db: Database
  readonly #times: Times
  readonly #now: () => number
  #owner: Owner | undefined

  private constructor(db: Database, times: Times, now: () => number) {
    this.#db = db
    this.#times = times
    this.#now = now
  }

  /** Gives signs of life until the scope closes, and then says that this process is gone. */
  static make(db: Database, times: Times, now: () => number): Effect.Effect<Leases, never, Scope.Scope> {
    const leases = new Leases(db, times, now)
    const heartbeat = Effect.repeat(
      Effect.catch(leases.#renew, (error) => Effect.logWarning(`no sign of life was given: ${error.message}`)),
      Schedule.spaced(times.heartbeat)
    )
    return Effect.forkScoped(Effect.delay(heartbeat, times.heartbeat)).pipe(
      Effect.andThen(Effect.addFinalizer(() => Effect.ignore(leases.#end))),
      Effect.as(leases)
    )
  }

  /** Inside a transaction: the owner that claims now, with a lease that holds. */
  current(): Owner {
    if (this.#owner === undefined || !this.#extend(this.#owner)) this.#owner = this.#begin()
    return this.#owner
  }

  isAlive({ process, until }: Pick<OwnerRow, "process" | "until">): boolean {
    return until > this.#now() && !isGone(JSON.parse(process) as ProcessMark)
  }

  /**
   * A lease that ends later than a full one from now was given before the clock was set back; it is shortened, and a
   * living owner renews it.
   */
  shorten({ owner, until }: Pick<OwnerRow, "owner" | "until">): void {
    this.#db.run(
      "UPDATE owners SET until = ? + lease WHERE id = ? AND until = ? AND until > ? + lease",
      this.#now(),
      owner,
      until,
      this.#now()
    )
  }

  get #renew(): Effect.Effect<void, StoreError> {
    return Effect.suspend(() => {
      const owner = this.#owner
      return owner === undefined ? Effect.void : Effect.asVoid(this.#db.write(() => this.#extend(owner)))
    })
  }

  #extend({ id }: Owner): boolean {
    const now = this.#now()
    return this.#db.run("UPDATE owners SET until = ? + lease WHERE id = ? AND until > ?", now, id, now) > 0
  }

  #begin(): Owner {
    const owner = makeOwner()
    const now = this.#now()
    this.#db.run(
      "DELETE FROM owners WHERE until <= ? AND id NOT IN (SELECT owner FROM sessions WHERE owner IS NOT NULL)",
      now
    )
    this.#db.run(
      "INSERT INTO owners (id, name, process, lease, until) VALUES (?, ?, ?, ?, ?)",
      owner.id,
      owner.name,
      JSON.stringify(owner.process),
      this.#times.lease,
      now + this.#times.lease
    )
    return owner
  }

  get #end(): Effect.Effect<void, StoreError> {
    return Effect.suspend(() => {
      const owner = this.#owner
      if (owner === undefined) return Effect.void
      return Effect.asVoid(this.#db.write(() => this.#db.run("UPDATE owners SET until = 0 WHERE id = ?", owner.id)))
    })
  }
}

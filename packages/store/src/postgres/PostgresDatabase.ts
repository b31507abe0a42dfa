/**
 * Statements against a Postgres server, each a transaction of its own, repeated while the server is away for a moment.
 * A statement may have been carried out although its answer was lost, so each is written such that a repeat is
 * recognised.
 */
import { StoreError } from "@daylight/core"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { StoreDefaults } from "../StoreDefaults.ts"
import { migrate } from "./Migrations.ts"
import { isPassing, toStoreError } from "./PostgresErrors.ts"

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string
  /** Where the tables are; made if it is not there. Lower-case letters, digits and `_`. Default `daylight`. */
  readonly schema?: string | undefined
  /** Encrypted, by the rules of `node:tls`. Default: as the address says. */
  readonly ssl?: boolean | undefined
  /** Most connections at the same time. Default 10. */
  readonly connections?: number | undefined
  /**
   * What an acknowledged event outlives. `machine` (default): a crash of the server. `process`: one of this process; a
   * crash of the server may lose the last second.
   */
  readonly durability?: "process" | "machine" | undefined
  /** How long a statement waits for a server that is away before it fails as `Unavailable`. Default 5 seconds. */
  readonly patience?: Duration.Input | undefined
}

export type Value = string | number | null | Uint8Array

export class PostgresDatabase {
  readonly schema: string
  readonly #client: PgClient.PgClient
  readonly #patience: Duration.Input

  private constructor(client: PgClient.PgClient, schema: string, patience: Duration.Input) {
    this.#client = client
    this.schema = schema
    this.#patience = patience
  }

  /** Connected until the scope closes, with tables that are up to date. */
  static open(options: PostgresOptions): Effect.Effect<PostgresDatabase, StoreError, Scope.Scope> {
    const { patience = StoreDefaults.patience, schema = StoreDefaults.schema } = options
    if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) {
      const detail = `"${schema}" is no name for a schema: use up to 40 lower-case letters, digits and _`
      return Effect.fail(new StoreError({ reason: { _tag: "Invalid", detail } }))
    }
    return Effect.gen(function*() {
      const context = yield* Effect.mapError(Layer.build(clientLayer(options)), toStoreError)
      const client = Context.get(context, PgClient.PgClient)
      const db = new PostgresDatabase(client, schema, patience)
      yield* db.#patiently(migrate(client, schema))
      return db
    })
  }

  /** `@` before a name stands for the schema: `SELECT 1 FROM @sessions WHERE id = $1`. */
  query<Row extends object>(
    text: string,
    ...values: ReadonlyArray<Value>
  ): Effect.Effect<ReadonlyArray<Row>, StoreError> {
    return this.#patiently(this.#client.unsafe<Row>(this.#named(text), values.map(storable)))
  }

  /** Whatever other processes announce, from now on. */
  get announcements(): Effect.Effect<Queue.Dequeue<{ readonly payload: string }, SqlError>, StoreError, Scope.Scope> {
    return Effect.mapError(this.#client.listen(this.#channel), toStoreError)
  }

  announce(payloads: ReadonlyArray<string>): Effect.Effect<void, StoreError> {
    return Effect.asVoid(
      this.query(
        "SELECT pg_notify($1, payload) FROM json_array_elements_text($2::json) AS payload",
        this.#channel,
        JSON.stringify(payloads)
      )
    )
  }

  get #channel() {
    return `daylight_${this.schema}`
  }

  #named(text: string): string {
    return text.replaceAll("@", `"${this.schema}".`)
  }

  #patiently<A>(effect: Effect.Effect<A, SqlError | StoreError>): Effect.Effect<A, StoreError> {
    return effect.pipe(
      Effect.retry({
        while: (error) => error._tag === "SqlError" && isPassing(error),
        schedule: untilPatienceEnds(this.#patience)
      }),
      Effect.mapError((error) => error._tag === "SqlError" ? toStoreError(error) : error)
    )
  }
}

/** The time of the server in epoch milliseconds: the clock that all leases are measured by. */
export const serverTime = "(extract(epoch FROM clock_timestamp()) * 1000)::float8"

const clientLayer = ({ connections, durability, ssl, url }: PostgresOptions) =>
  PgClient.layer({
    url: Redacted.make(url),
    ssl,
    maxConnections: connections ?? 10,
    multiplex: true,
    applicationName: "daylight",
    maxMessageSize: 1_100_000_000,
    startupParameters: { ...(durability === "process" && { synchronous_commit: "off" }) }
  })

/** Postgres has no place for NUL and for half a character in a text; logs are JSON, where they are escaped. */
export const plain = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\u2400")

const storable = (value: Value): Value => typeof value === "string" ? plain(value) : value

const untilPatienceEnds = (patience: Duration.Input) =>
  Schedule.jittered(Schedule.spaced("50 millis")).pipe(Schedule.upTo({ duration: patience }))

/**
 * The tables of a Postgres schema, by numbered steps that only go forward. One of a newer version is refused, never
 * changed.
 */
import { StoreError } from "@daylight/core"
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** Step n makes version n + 1 of version n. Steps that were published are never edited. */
const steps: ReadonlyArray<ReadonlyArray<string>> = [
  [
    // One row a living process, and those that left a session behind. Times are those of the server.
    `CREATE TABLE @owners (
      id text PRIMARY KEY,
      name text NOT NULL,
      process text NOT NULL,
      lease float8 NOT NULL,
      until float8 NOT NULL
    )`,
    // The columns beside the tally are what a list is filtered by.
    `CREATE TABLE @sessions (
      id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
      session text COLLATE "C" NOT NULL UNIQUE,
      owner text,
      fence float8 NOT NULL,
      seq integer NOT NULL,
      updated float8 NOT NULL,
      agent text NOT NULL,
      status text NOT NULL,
      reason text,
      parent text,
      usd float8 NOT NULL,
      failures integer NOT NULL,
      tally text NOT NULL
    ) WITH (fillfactor = 70)`,
    "CREATE INDEX ON @sessions (owner) WHERE owner IS NOT NULL",
    "CREATE INDEX ON @sessions (updated DESC, session)",
    "CREATE INDEX ON @sessions (agent, updated DESC)",
    "CREATE INDEX ON @sessions (status, updated DESC) WHERE status IN ('running', 'waiting')",
    "CREATE INDEX ON @sessions (parent) WHERE parent IS NOT NULL",
    `CREATE TABLE @events (
      session integer NOT NULL REFERENCES @sessions ON DELETE CASCADE,
      seq integer NOT NULL,
      time float8 NOT NULL,
      v integer NOT NULL,
      json text NOT NULL,
      PRIMARY KEY (session, seq)
    )`,
    `CREATE TABLE @labels (
      session integer NOT NULL REFERENCES @sessions ON DELETE CASCADE,
      key text NOT NULL,
      value text NOT NULL,
      PRIMARY KEY (session, key)
    )`,
    "CREATE INDEX ON @labels (key, value, session)",
    `CREATE TABLE @texts (
      session integer NOT NULL REFERENCES @sessions ON DELETE CASCADE,
      seq integer NOT NULL,
      text text NOT NULL,
      PRIMARY KEY (session, seq)
    )`,
    `CREATE TABLE @mail (
      id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
      token text NOT NULL UNIQUE,
      session integer NOT NULL REFERENCES @sessions ON DELETE CASCADE,
      json text NOT NULL
    )`,
    "CREATE INDEX ON @mail (session, id)",
    `CREATE TABLE @blobs (
      hash text PRIMARY KEY,
      put float8 NOT NULL,
      bytes bytea NOT NULL
    )`,
    `CREATE TABLE @blob_uses (
      session integer NOT NULL REFERENCES @sessions ON DELETE CASCADE,
      hash text NOT NULL,
      PRIMARY KEY (session, hash)
    )`,
    "CREATE INDEX ON @blob_uses (hash)"
  ]
]

/** Of the lock that lets one process migrate at a time: "dayl". */
const lock = 0x6461796c

export const migrate = (client: PgClient, schema: string): Effect.Effect<void, SqlError | StoreError> => {
  const run = <Row extends object>(text: string) => client.unsafe<Row>(text.replaceAll("@", `"${schema}".`))
  return client.withTransaction(Effect.gen(function*() {
    yield* run(`SELECT pg_advisory_xact_lock(${lock})`)
    // What is there needs no right to create.
    const [known] = yield* run<{ readonly there: boolean }>(
      `SELECT to_regclass('"${schema}".migrations') IS NOT NULL AS there`
    )
    if (known?.there !== true) {
      yield* run(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      yield* run("CREATE TABLE @migrations (version integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())")
    }
    const [row] = yield* run<{ readonly version: number }>(
      "SELECT coalesce(max(version), 0)::integer AS version FROM @migrations"
    )
    const version = row?.version ?? 0
    if (version > steps.length) return yield* newer(schema, version)
    for (let step = version; step < steps.length; step++) {
      yield* Effect.forEach(steps[step]!, (statement) => run(statement), { discard: true })
      yield* run(`INSERT INTO @migrations (version) VALUES (${step + 1})`)
    }
  }))
}

const newer = (schema: string, version: number) =>
  new StoreError({
    reason: {
      _tag: "Unavailable",
      detail:
        `schema ${schema} is of version ${version} and this program knows up to ${steps.length}: update the program`
    }
  })

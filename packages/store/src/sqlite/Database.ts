/**
 * A SQLite file, opened as a store needs it: write-ahead log, prepared statements, one transaction at a time, and
 * errors that say what went wrong.
 */
import type { StoreError } from "@daylight/core"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { dirname, resolve } from "node:path"
import process from "node:process"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { StoreDefaults } from "../StoreDefaults.ts"
import { makeFolders } from "./Folders.ts"
import { migrate } from "./Migrations.ts"
import { isBusy, toStoreError } from "./SqliteErrors.ts"

export interface DatabaseOptions {
  /** Made with its folders if it is not there. `:memory:` for one that ends with the process. */
  readonly filename: string
  /** Nothing is made, changed or migrated. Default false. */
  readonly readOnly?: boolean | undefined
  /**
   * What an acknowledged event outlives. `process` (default): a crash or kill of this process. `machine`: a loss of
   * power too, for one wait for the disk at each write.
   */
  readonly durability?: "process" | "machine" | undefined
  /** The file grows no larger, in bytes; a write beyond fails as `Full`. Default: no limit. */
  readonly maxBytes?: number | undefined
  /** How long a write waits for other processes before it fails as `Unavailable`. Default 5 seconds. */
  readonly patience?: Duration.Input | undefined
}

export class Database {
  readonly #db: DatabaseSync
  readonly #patience: Duration.Input
  readonly #prepared = new Map<string, StatementSync>()
  #commits = 0

  private constructor(db: DatabaseSync, patience: Duration.Input) {
    this.#db = db
    this.#patience = patience
  }

  /** Closed with the scope. */
  static open(options: DatabaseOptions): Effect.Effect<Database, StoreError, Scope.Scope> {
    const patience = options.patience ?? StoreDefaults.patience
    return Effect.acquireRelease(
      patiently(() => openFile(options), patience),
      (db) => Effect.sync(() => db.close())
    ).pipe(Effect.map((db) => new Database(db, patience)))
  }

  all<Row>(sql: string, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<Row> {
    return this.#prepare(sql).all(...values) as unknown as ReadonlyArray<Row>
  }

  get<Row>(sql: string, ...values: ReadonlyArray<SQLInputValue>): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined
  }

  /** Gives the number of rows that were changed. */
  run(sql: string, ...values: ReadonlyArray<SQLInputValue>): number {
    return Number(this.#prepare(sql).run(...values).changes)
  }

  /** Transactions that wrote, since the file was opened. */
  get commits(): number {
    return this.#commits
  }

  /**
   * What is in the write-ahead log goes to its place in the file, as far as nobody reads it there: waits for the disk.
   */
  get checkpoint(): Effect.Effect<void, StoreError> {
    return Effect.asVoid(this.read(() => this.all("PRAGMA wal_checkpoint(PASSIVE)")))
  }

  /** Of the row that was inserted last. */
  get lastId(): number {
    return this.get<{ readonly id: number }>("SELECT last_insert_rowid() AS id")!.id
  }

  /** Reads. Waits for others if it has to. */
  read<A>(body: () => A): Effect.Effect<A, StoreError> {
    return patiently(body, this.#patience)
  }

  /** All or nothing. Waits for others if it has to; a `StoreError` that is thrown undoes everything. */
  write<A>(body: () => A): Effect.Effect<A, StoreError> {
    return patiently(() => this.#transaction(body), this.#patience)
  }

  #transaction<A>(body: () => A): A {
    // The lock for writing is taken at the start: no transaction has to give up half-way.
    this.run("BEGIN IMMEDIATE")
    try {
      const value = body()
      this.run("COMMIT")
      this.#commits++
      return value
    } catch (error) {
      // A full disk or a broken file has undone it already.
      if (this.#db.isTransaction) this.run("ROLLBACK")
      throw error
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql)
    if (statement === undefined) {
      if (this.#prepared.size >= 256) this.#prepared.clear()
      this.#prepared.set(sql, statement = this.#db.prepare(sql))
    }
    return statement
  }
}

/**
 * A write does the checkpoint itself only when the log has so many pages (32 MB): until then it is left to idle
 * moments.
 */
const latestCheckpoint = 8_000

/** SQLite itself waits this long, in milliseconds, and holds up the whole process; longer waits leave it free. */
const blockingWait = 4

/** Another process is writing. */
class Locked {
  readonly _tag = "Locked"
  readonly error: StoreError

  constructor(error: StoreError) {
    this.error = error
  }
}

const patiently = <A>(body: () => A, patience: Duration.Input): Effect.Effect<A, StoreError> => {
  const once = Effect.try({
    try: body,
    catch: (error) => isBusy(error) ? new Locked(toStoreError(error)) : toStoreError(error)
  })
  const isLocked = (error: StoreError | Locked) => error._tag === "Locked"
  return once.pipe(
    Effect.catchIf(isLocked, () => Effect.retry(once, { while: isLocked, schedule: untilPatienceEnds(patience) })),
    Effect.mapError((error) => error._tag === "Locked" ? error.error : error)
  )
}

const untilPatienceEnds = (patience: Duration.Input) =>
  Schedule.jittered(Schedule.spaced("10 millis")).pipe(Schedule.upTo({ duration: patience }))

const openFile = (options: DatabaseOptions): DatabaseSync => {
  const { durability = "process", filename, maxBytes, readOnly = false } = options
  // A program without types may have given it another name.
  if (typeof filename !== "string") throw new TypeError('filename is missing: { filename: "sessions.db" }')
  const inMemory = filename === ":memory:"
  if (!readOnly && !inMemory) makeFolders(dirname(resolve(filename)))
  const db = new (sqlite().DatabaseSync)(filename, { readOnly, timeout: blockingWait })
  try {
    if (!readOnly) {
      db.exec("PRAGMA journal_mode = WAL")
      db.exec(`PRAGMA synchronous = ${durability === "machine" ? "FULL" : "NORMAL"}`)
      db.exec(`PRAGMA wal_autocheckpoint = ${latestCheckpoint}; PRAGMA journal_size_limit = 67108864`)
      if (maxBytes !== undefined) db.exec(`PRAGMA max_page_count = ${pagesOf(db, maxBytes)}`)
    }
    migrate(db, { readOnly, filename })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const pagesOf = (db: DatabaseSync, bytes: number): number => {
  const { page_size: size } = db.prepare("PRAGMA page_size").get() as { readonly page_size: number }
  return Math.max(1, Math.floor(bytes / size))
}

/** Older versions of Node warn at the first use that it is experimental; nobody who opens a store asked. */
const sqlite = (): typeof import("node:sqlite") => {
  const warn = process.emitWarning
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule("node:sqlite")
  } finally {
    process.emitWarning = warn
  }
}

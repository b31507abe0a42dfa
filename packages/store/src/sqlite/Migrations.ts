/**
 * The tables of a SQLite file, by numbered steps that only go forward. A file of a newer version is refused, never
 * changed.
 */
import { StoreError } from "@daylight/core"
import type { DatabaseSync } from "node:sqlite"

/** Step n makes version n + 1 of version n. Steps that were published are never edited. */
const steps: ReadonlyArray<string> = [
  `
  -- One row a living process, and those that left a session behind.
  CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    process TEXT NOT NULL,
    lease REAL NOT NULL,
    until REAL NOT NULL
  ) WITHOUT ROWID;

  -- The columns beside the tally are what a list is filtered by.
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL UNIQUE,
    owner TEXT,
    fence INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    updated REAL NOT NULL,
    agent TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    parent TEXT,
    usd REAL NOT NULL,
    failures INTEGER NOT NULL,
    tally TEXT NOT NULL
  );
  CREATE INDEX sessions_by_owner ON sessions (owner) WHERE owner IS NOT NULL;
  -- Holds every filter, so that a page is found without looking at the rows of others.
  CREATE INDEX sessions_by_activity
    ON sessions (updated DESC, session, agent, status, reason, parent, usd, failures);

  CREATE TABLE events (
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    time REAL NOT NULL,
    v INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) WITHOUT ROWID;

  CREATE TABLE labels (
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    session INTEGER NOT NULL,
    PRIMARY KEY (key, value, session)
  ) WITHOUT ROWID;
  CREATE INDEX labels_by_session ON labels (session);

  -- A session's texts are the rows from id * 1048576 on.
  CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'trigram');

  CREATE TABLE mail (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    json TEXT NOT NULL
  );
  CREATE INDEX mail_by_session ON mail (session, id);

  CREATE TABLE blobs (
    hash TEXT PRIMARY KEY,
    put REAL NOT NULL,
    bytes BLOB NOT NULL
  );
  CREATE TABLE blob_uses (
    hash TEXT NOT NULL,
    session INTEGER NOT NULL,
    PRIMARY KEY (hash, session)
  ) WITHOUT ROWID;
  CREATE INDEX blob_uses_by_session ON blob_uses (session);
  `,
  `
  -- Which three characters there are, to find those that begin with the two that are asked for. A text ends with a line
  -- break, so that also its last two characters begin three.
  CREATE VIRTUAL TABLE trigrams USING fts5vocab (texts, row);
  UPDATE texts SET text = text || char(10);
  `
]

/** "dayl", so that a file of something else is told from an empty one. */
const application = 0x6461796c

export const migrate = (
  db: DatabaseSync,
  { filename, readOnly }: { readonly filename: string; readonly readOnly: boolean }
): void => {
  check(db, filename)
  if (versionOf(db) === steps.length) return
  if (readOnly) throw unavailable(`${filename} is of an older version: open it for writing once to bring it up to date`)
  db.exec("BEGIN IMMEDIATE")
  try {
    // Another process may have done it meanwhile.
    check(db, filename)
    for (const step of steps.slice(versionOf(db))) db.exec(step)
    db.exec(`PRAGMA application_id = ${application}; PRAGMA user_version = ${steps.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}

const check = (db: DatabaseSync, filename: string): void => {
  const version = versionOf(db)
  if (version > steps.length) {
    throw unavailable(
      `${filename} is of version ${version} and this program knows up to ${steps.length}: update the program`
    )
  }
  if (numberOf(db, "application_id") !== application && (version !== 0 || numberOf(db, "schema_version") !== 0)) {
    throw unavailable(`${filename} is a database of something else: choose another file`)
  }
}

const versionOf = (db: DatabaseSync): number => numberOf(db, "user_version")

const numberOf = (db: DatabaseSync, pragma: string): number =>
  Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])

const unavailable = (detail: string) => new StoreError({ reason: { _tag: "Unavailable", detail } })

/**
 * Three public tables of United States government data (from the `vega-datasets` package) in an in-memory SQLite
 * database, as raw as they were published: every column is TEXT, names keep their spaces, an empty field is NULL.
 * Cleaning is the agents' work.
 *
 * - `birdstrikes`: 10,000 wildlife strikes reported to the FAA, at 50 airports, 1990 to 2002
 * - `airports`: 3,376 airports with their codes, states and coordinates
 * - `flights`: departures of passenger airlines by route in 2008
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type CsvTable, parseCsv } from "./Csv.ts"

const SOURCES = { birdstrikes: "birdstrikes.csv", airports: "airports.csv", flights: "flights-airport.csv" } as const

/** Opens a new database with the three tables. The caller closes it. */
export const openDatabase = (): DatabaseSync => {
  const db = new DatabaseSync(":memory:")
  for (const [name, file] of Object.entries(SOURCES)) insertTable(db, name, parseCsv(readDataset(file)))
  return db
}

/** Outlines of the states as TopoJSON, for the map in the chart. */
export const readStateOutlines = (): object => JSON.parse(readDataset("us-10m.json")) as object

const readDataset = (file: string): string => readFileSync(join(dataFolder(), file), "utf8")

/** The package exports its entry only; the files lie beside it. */
const dataFolder = (): string => join(dirname(createRequire(import.meta.url).resolve("vega-datasets")), "..", "data")

const insertTable = (db: DatabaseSync, name: string, table: CsvTable): void => {
  const columns = table.columns.map((column) => `"${column.replaceAll('"', '""')}"`)
  db.exec(`create table ${name} (${columns.map((column) => `${column} text`).join(", ")})`)
  const insert = db.prepare(`insert into ${name} values (${columns.map(() => "?").join(", ")})`)
  db.exec("begin")
  for (const row of table.rows) insert.run(...row)
  db.exec("commit")
}

/** Rows 9 and 11: large objects that only change hands, and many sessions at once. */
import type { Kept } from "./objects/OpenSessions.ts"
import type { Line } from "./support/Figure.ts"
import { isolated } from "./support/Isolated.ts"
import { summaryOfNumbers } from "./support/Samples.ts"
import { printTable } from "./support/Table.ts"

/** Memory is counted in processes of their own. */
const processes = 3

const openSessions = async (): Promise<ReadonlyArray<Line>> => {
  const kept: Array<Kept> = []
  for (let i = 0; i < processes; i++) {
    kept.push(await isolated<Kept>(new URL("./objects/OpenSessions.ts", import.meta.url)))
  }
  const of = (pick: (kept: Kept) => number) => summaryOfNumbers(kept.map(pick))
  return [
    { row: 11, what: "each of 1,000 open sessions", unit: "KB", bar: 100, ...of(({ opened }) => opened) },
    { what: "  resident", unit: "KB", ...of(({ openedResident }) => openedResident) },
    { what: "  time to open", unit: "us", ...of(({ opening }) => opening * 1_000) },
    { row: 11, what: "each after a first cell", unit: "KB", bar: 400, ...of(({ afterCell }) => afterCell) },
    { what: "  resident", unit: "KB", ...of(({ afterCellResident }) => afterCellResident) },
    { row: 11, what: "idle sessions evicted to a snapshot", unavailable: "nothing evicts a session" }
  ]
}

await printTable("Objects and sessions", async () => [
  ...await isolated<ReadonlyArray<Line>>(new URL("./objects/ByReference.ts", import.meta.url)),
  ...await openSessions()
])

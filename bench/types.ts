/** Row 12: the type check of a cell before it runs, by a compiler that is warm, alone and in a whole step. */
import type { Line } from "./support/Figure.ts"
import { isolated } from "./support/Isolated.ts"
import { printTable } from "./support/Table.ts"

await printTable("Types", () => isolated<ReadonlyArray<Line>>(new URL("./types/Checks.ts", import.meta.url)))

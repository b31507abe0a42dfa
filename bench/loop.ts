/** Rows 1 to 4: what the engine itself costs in each step, with a model that answers at once. */
import type { Line } from "./support/Figure.ts"
import { isolated } from "./support/Isolated.ts"
import { printTable } from "./support/Table.ts"

await printTable("The loop", async () => [
  ...await isolated<ReadonlyArray<Line>>(new URL("./loop/FunctionSteps.ts", import.meta.url)),
  ...await isolated<ReadonlyArray<Line>>(new URL("./loop/CellSteps.ts", import.meta.url)),
  ...await isolated<ReadonlyArray<Line>>(new URL("./loop/Growth.ts", import.meta.url))
])

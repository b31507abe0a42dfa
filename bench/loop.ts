/** Rows 1 to 4: what the engine itself costs in each step, with a model that answers at once. */
import * as CellSteps from "./loop/CellSteps.ts"
import * as FunctionSteps from "./loop/FunctionSteps.ts"
import * as Growth from "./loop/Growth.ts"
import { printTable } from "./support/Table.ts"

await printTable("The loop", async () => [
  ...await FunctionSteps.measure(),
  ...await CellSteps.measure(),
  ...await Growth.measure()
])

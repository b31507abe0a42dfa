/**
 * Row 7, and what a store costs beside: a durable step, a page of a long list, another process's event. Postgres is
 * measured where `DAYLIGHT_POSTGRES_URL` names a server; it gets a schema of its own, `daylight_bench`.
 */
import type { Line } from "./support/Figure.ts"
import { isolated } from "./support/Isolated.ts"
import { printTable } from "./support/Table.ts"

await printTable("The store", async () => [
  ...await isolated<ReadonlyArray<Line>>(new URL("./store/DurableSteps.ts", import.meta.url)),
  ...await isolated<ReadonlyArray<Line>>(new URL("./store/Following.ts", import.meta.url)),
  ...await isolated<ReadonlyArray<Line>>(new URL("./store/LongList.ts", import.meta.url)),
  ...await isolated<ReadonlyArray<Line>>(new URL("./store/Crowd.ts", import.meta.url))
])

/** Row 12: the type check of a cell of 30 lines against the declarations of its bindings, by a checker that is warm. */
import type { Line } from "./support/Figure.ts"
import { printTable } from "./support/Table.ts"

const checker = "@daylight/core/typescript"

const measure = async (): Promise<ReadonlyArray<Line>> => {
  const missing = await import(checker).then(() => undefined, (error: NodeJS.ErrnoException) => error)
  if (missing?.code === "ERR_PACKAGE_PATH_NOT_EXPORTED") {
    return [{ row: 12, what: "type check of 30 lines, warm", unavailable: `${checker} does not exist` }]
  }
  throw missing ?? new Error(`${checker} exists, and nobody has written its measurement yet`)
}

await printTable("Types", measure)

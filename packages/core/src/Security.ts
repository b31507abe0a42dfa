/**
 * Static rules over a cell, before it runs.
 */
import * as Context from "effect/Context"
import type { CellProblem, ParsedCell } from "./Cell.ts"

/** Static rules over a cell before it runs. Hardening, not a boundary. An empty array allows. */
export interface Security {
  readonly check: (cell: ParsedCell, bound: ReadonlySet<string>) => ReadonlyArray<CellProblem>
}
export const Security: Context.Reference<Security> = Context.Reference<Security>("@daylight/core/Security", {
  defaultValue: () => ({ check: () => [] }) // the `standard` preset, once it exists
})

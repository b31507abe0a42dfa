/**
 * The way from the rules, which are data, to what checks them, which is loaded with the parser. A program that runs no
 * cell loads neither.
 */
import type { CellProblem, ParsedCell } from "../Cell.ts"
import type { SecurityRule } from "./SecurityRule.ts"

export type StaticCheck = (
  rules: ReadonlyArray<SecurityRule>,
  cell: ParsedCell,
  bound: ReadonlySet<string>
) => ReadonlyArray<CellProblem>

/** Set as soon as a cell is parsed. */
export const staticCheck: { check: StaticCheck } = {
  check: () => [{
    stage: "security",
    name: "SecurityViolation",
    message: "the rules could not be checked: the cell was not parsed by parseCell of @daylight/core/syntax",
    frames: []
  }]
}

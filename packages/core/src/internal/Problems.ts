import type { CellProblem } from "../Cell.ts"

/** Problems that are told beside the first. */
const told = 9

/** Several problems of one cell as the first of them, which names the others: a report has room for one. */
export const asOne = (problems: ReadonlyArray<CellProblem>): CellProblem => {
  const [first, ...others] = problems as [CellProblem, ...Array<CellProblem>]
  if (others.length === 0) return first
  const lines = others.slice(0, told).map(({ column, line, message }) =>
    line === undefined ? message : `line ${line}, column ${column ?? 1}: ${message}`
  )
  if (others.length > told) lines.push(`and ${others.length - told} more`)
  const hints = new Set(problems.map(({ hint }) => hint).filter((hint) => hint !== undefined))
  return { ...first, hint: [`Also ${lines.join("; ")}.`, ...hints].join(" ") }
}

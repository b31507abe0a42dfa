/**
 * Why a text is no cell: thrown inside this folder, turned into a `CellProblem` at its edge.
 */
import { getLineInfo } from "acorn"
import type { CellProblem } from "../Cell.ts"
import { hintFor } from "./Hints.ts"

export class CellSyntaxError extends SyntaxError {
  /** Offset in the cell's text, where known. */
  readonly offset: number | undefined
  readonly hint: string | undefined

  constructor(message: string, offset: number | undefined, hint?: string | undefined) {
    super(message)
    this.name = "SyntaxError"
    this.offset = offset
    this.hint = hint
  }
}

export const toProblem = (error: CellSyntaxError, code: string): CellProblem => {
  const place = error.offset === undefined ? undefined : getLineInfo(code, Math.min(error.offset, code.length))
  const hint = error.hint ?? (error.offset === undefined ? undefined : hintFor(code, error.offset, error.message))
  return {
    stage: "syntax",
    name: "SyntaxError",
    message: error.message,
    ...(place && { line: place.line, column: place.column + 1 }),
    frames: [],
    ...(hint !== undefined && { hint })
  }
}

/**
 * Types of a cell, before it runs.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CellProblem } from "./Cell.ts"

/** Cell against declarations, before it runs. */
export interface TypeChecker {
  readonly check: (code: string, declarations: string) => Effect.Effect<ReadonlyArray<CellProblem>>
}

/** One object, so that the engine recognises it and derives no declarations. */
const unchecked: TypeChecker = { check: () => Effect.succeed([]) }

/** Default: no check. The layer over TypeScript 7's API is `@daylight/core/typescript` (optional peer `typescript`). */
export const TypeChecker: Context.Reference<TypeChecker> = Context.Reference<TypeChecker>(
  "@daylight/core/TypeChecker",
  {
    defaultValue: () => unchecked
  }
)

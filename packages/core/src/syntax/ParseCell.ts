/**
 * A cell from text to what the static rules, the type check and a runtime need.
 */
import type { Program } from "acorn"
import type { CellProblem, ParsedCell } from "../Cell.ts"
import { checkRules } from "../security/Check.ts"
import { staticCheck } from "../security/StaticCheck.ts"
import { CellSyntaxError, toProblem } from "./CellSyntaxError.ts"
import { NestedTooDeeply } from "./Parse.ts"
import { Rewrite } from "./Rewrite.ts"
import { checkNames } from "./Scope.ts"
import { parseSource } from "./Source.ts"

/** Takes the types out of a text and keeps its length and lines, as `stripTypeScriptTypes` of `node:module` does. */
export type Strip = (code: string) => string

/**
 * Parses a cell once. Gives the cell, or the problem with line and column in the model's own text; whatever the text,
 * it does not throw. Without `strip` a cell must be plain JavaScript.
 */
export const parseCell = (code: string, strip?: Strip | undefined): ParsedCell | CellProblem => {
  staticCheck.check = checkRules
  try {
    const { javascript, program } = parseSource(code, strip)
    const rewrite = new Rewrite(javascript, program)
    checkNames(javascript, program, rewrite)
    return {
      code,
      javascript,
      program: program as Program & ParsedCell["program"],
      ...rewrite.texts(),
      names: rewrite.names,
      imports: rewrite.imports,
      awaits: rewrite.awaits
    }
  } catch (error) {
    if (error instanceof CellSyntaxError) return toProblem(error, code)
    if (error instanceof RangeError) return toProblem(new NestedTooDeeply(), code) // the walk ran out of stack
    throw error
  }
}

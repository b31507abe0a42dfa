/**
 * Types out of a text, by the platform's own stripper, with its length kept, and what the stripper gets wrong put
 * right.
 */
import { CellSyntaxError } from "./CellSyntaxError.ts"
import { nestsTooDeeply } from "./Nesting.ts"
import { NestedTooDeeply } from "./Parse.ts"
import type { Strip } from "./ParseCell.ts"
import { stripperProblem } from "./StripperProblem.ts"

/** A name directly before `<`, which is not `<=` or `<<`. */
const openAngle = /[\w$]<(?![=<])/g
const longestTypeArguments = 400

/**
 * Whether the text has a call with type arguments, such as `f<T>(x)`: valid JavaScript, but two comparisons there. A
 * quick scan from each `name<`, given up at the first character that no simple type argument has.
 */
export const hasTypeArguments = (code: string): boolean => {
  openAngle.lastIndex = 0
  while (openAngle.exec(code) !== null) if (closesBeforeCall(code, openAngle.lastIndex)) return true
  return false
}

const closesBeforeCall = (code: string, from: number): boolean => {
  let depth = 1
  const end = Math.min(code.length, from + longestTypeArguments)
  for (let i = from; i < end; i++) {
    const char = code[i]!
    if (char === "<") depth++
    else if (char === ">" && code[i - 1] !== "=" && --depth === 0) return /^\s*[(`]/.test(code.slice(i + 1, i + 40))
    else if (";+*/!?()".includes(char)) return false
  }
  return false
}

/** Throws `CellSyntaxError`. Gives a text of the same length. */
export const stripTypes = (code: string, strip: Strip): string => {
  if (nestsTooDeeply(code)) throw new NestedTooDeeply()
  const javascript = callStrip(code, strip)
  if (javascript.length === code.length) return separateStatements(code, javascript)
  throw new CellSyntaxError(
    "The types of this cell could not be taken out in place",
    undefined,
    "Write it without types."
  )
}

const callStrip = (code: string, strip: Strip): string => {
  try {
    return strip(code)
  } catch (error) {
    if (!/return/i.test((error as Error).message)) throw stripperProblem(error, code)
    return stripWithReturns(code, strip)
  }
}

const returnKeyword = /(?<![.\w$])return(?![\w$:])/g
const withoutOperand = /^[ \t]*(?:[;}\r\n]|\/\/|$)/

/**
 * Strippers read modules, where `return` at the top is an error. So it is stripped as another statement of the same
 * width, `throw ` with an operand and `void 0` without one, and put back where it is.
 */
const stripWithReturns = (code: string, strip: Strip): string => {
  const places: Array<number> = []
  const disguised = code.replace(returnKeyword, (keyword, place: number) => {
    places.push(place)
    return withoutOperand.test(code.slice(place + keyword.length)) ? "void 0" : "throw "
  })
  try {
    const javascript = strip(disguised)
    let result = ""
    let position = 0
    for (const place of places) {
      const isKept = javascript.slice(place, place + 6) === disguised.slice(place, place + 6)
      result += javascript.slice(position, place) + (isKept ? "return" : "      ")
      position = place + 6
    }
    return result + javascript.slice(position)
  } catch (error) {
    throw stripperProblem(error, code)
  }
}

/** How a statement of types alone begins. */
const typeStatement =
  /(?<![\w$.])(?:export\s+)?(?:type\s+[\w$]+\s*[=<]|(?:interface|declare|abstract)\s+(?!class\b)[\w$]|(?:import|export)\s+type\b)/g

/**
 * A statement of types ends the statement before it, and so must what is left of it: in `a()⏎type T = 1⏎;[b]` the
 * semicolon belongs to the type and goes with it. A `;` takes the first place of each such statement that left none.
 */
const separateStatements = (code: string, javascript: string): string => {
  let result = javascript
  for (const { index } of code.matchAll(typeStatement)) {
    if (javascript[index] === " " && followsCode(code, javascript, index)) {
      result = `${result.slice(0, index)};${result.slice(index + 1)}`
    }
  }
  return result
}

/**
 * Whether what stands before is still there, and a statement may begin: else the place is inside a type or a comment,
 * or after another statement of types.
 */
const followsCode = (code: string, javascript: string, start: number): boolean => {
  let before = start - 1
  while (before >= 0 && /\s/.test(code[before]!)) before--
  if (before < 0 || javascript[before] !== code[before]) return false
  return /[;{}/]/.test(code[before]!) || code.slice(before, start).includes("\n")
}

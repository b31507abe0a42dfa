/**
 * The names that a pattern binds, and the names that cells may not use because the rewrite does.
 */
import type { Pattern } from "acorn"

export const boundIdentifiers = (
  pattern: Pattern,
  found: Array<{ readonly name: string; readonly start: number }> = []
): Array<{ readonly name: string; readonly start: number }> => {
  switch (pattern.type) {
    case "Identifier":
      found.push(pattern)
      break
    case "ObjectPattern":
      for (const property of pattern.properties) {
        boundIdentifiers(property.type === "RestElement" ? property.argument : property.value, found)
      }
      break
    case "ArrayPattern":
      for (const element of pattern.elements) if (element) boundIdentifiers(element, found)
      break
    case "AssignmentPattern":
      boundIdentifiers(pattern.left, found)
      break
    case "RestElement":
      boundIdentifiers(pattern.argument, found)
      break
  }
  return found
}

/**
 * What a runtime puts beside the namespace for rewritten cells: `__b` the guards' count-down, `__t()` called when it is
 * spent, `__g()` both in one expression, `__import(specifier, options, names)`, `__meta`; `__u0`... keep `using`
 * values.
 */
const reserved = /^__(?:[btg]|u\d+|import|meta)$/
/** A quick look at the text: only if it matches can a reserved name be in the tree (also in escaped form). */
const mayHoldReserved = /__(?:[btg]|u\d+|import|meta)(?![\w$])|\\u/

export const isReserved = (name: string): boolean => reserved.test(name)
export const mightUseReserved = (code: string): boolean => mayHoldReserved.test(code)

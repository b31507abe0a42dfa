/**
 * Values as text for the model: Node's way of printing, bounded, and without running any code of the value.
 */
import { inspect as nodeInspect } from "node:util"
import { type Cuts, mirror, type PrintLimits, restKey } from "./Mirror.ts"

const previewLimits: PrintLimits = { depth: 4, items: 100, keys: 60, stringChars: 2_000, nodes: 2_000, line: 100 }
const consoleLimits: PrintLimits = { depth: 2, items: 100, keys: 200, stringChars: 10_000, nodes: 20_000, line: 80 }
export const sampleLimits: PrintLimits = { depth: 1, items: 3, keys: 6, stringChars: 60, nodes: 40, line: 10_000 }

export const print = (value: unknown, limits: PrintLimits, cuts?: Cuts): string => {
  try {
    const text = nodeInspect(mirror(value, limits, cuts), {
      depth: Infinity,
      maxArrayLength: limits.items,
      maxStringLength: null,
      breakLength: limits.line
    })
    return text.replaceAll(`'${restKey}': `, "")
  } catch (error) {
    // Such as a stack overflow in a structure of a million levels: the cell is not to blame for its preview.
    return `[cannot be shown: ${error instanceof Error ? error.message : "unknown reason"}]`
  }
}

/** The value of a cell. `whole`: nothing was left out but what lies too deep. */
export const previewOf = (value: unknown): { readonly text: string; readonly whole: boolean } => {
  if (value === undefined) return { text: "", whole: true }
  const cuts = { made: 0 }
  const text = print(value, previewLimits, cuts)
  return { text, whole: cuts.made === 0 }
}

/** One argument of `console.log`. `depth`: nested levels, 2 as in Node. */
export const consoleText = (value: unknown, depth = consoleLimits.depth): string =>
  typeof value === "string"
    ? value
    : print(value, depth === consoleLimits.depth ? consoleLimits : { ...consoleLimits, depth })

/** One line of at most `chars` characters. */
export const sampleOf = (value: unknown, chars = 120): string => {
  const text = print(value, sampleLimits).replace(/\s*\n\s*/g, " ")
  return text.length <= chars ? text : `${text.slice(0, chars - 1)}…`
}

/**
 * Which findings of the compiler stop a cell. A cell that would have run must not be refused, so only what is certain
 * counts: the types of live values are read off samples, and model-written code is JavaScript at heart.
 */
import type { Finding } from "./Project.ts"

/** What is known of the cell beside the finding. */
export interface CellText {
  readonly code: string
  /** The same text with types blanked, where that is known: a name that is gone there is a type. */
  readonly javascript: string | undefined
  /** Names that the declarations declare, each with the line that does. */
  readonly declared: ReadonlyMap<string, string>
}

export const isBlocking = (finding: Finding, cell: CellText): boolean => {
  switch (finding.code) {
    case 2304: // Cannot find name
    case 2552: // Cannot find name. Did you mean …?
      return !isType(finding, cell) && !isAfterTypeof(finding, cell) && !isMade(finding, cell)
    case 2339: // Property does not exist on type
    case 2551: // Property does not exist on type. Did you mean …?
      return isMember(finding, cell)
    case 2488: // must have a [Symbol.iterator]()
    case 2504: // must have a [Symbol.asyncIterator]()
      return /^Type 'Promise</.test(finding.text)
    case 2588: // Cannot assign because it is a constant
    case 2540: // Cannot assign because it is a read-only property
      return true
    case 2345: // Argument is not assignable to parameter
    case 2322: // Type is not assignable to type, inside an argument
    case 2353: // Object literal may only specify known properties
    case 2561: // … Did you mean to write …?
    case 2740: // Type is missing properties
    case 2741: // Property is missing in type
      return calledRoot(finding, cell) !== undefined
    case 2554: // Expected n arguments, but got m
    case 2555: // Expected at least n arguments, but got m
      return isCertainCount(finding, cell)
    default:
      return false
  }
}

const isType = ({ end, start }: Finding, { javascript }: CellText): boolean =>
  javascript !== undefined && javascript.slice(start, end).trim() === ""

/** `globalThis.made = 1` makes a variable that the compiler does not see. */
const isMade = ({ end, start }: Finding, { code }: CellText): boolean =>
  code.includes(`globalThis.${code.slice(start, end)}`)

const isAfterTypeof = ({ start }: Finding, { code }: CellText): boolean => /\btypeof\s+$/.test(code.slice(0, start))

/**
 * A member of a class, an interface or a type of the language. An anonymous object type may come from a sample or from
 * an object that the cell is still filling, and a class of the cell may get its members as it runs: there only a slip
 * of the pen counts. What is written need not be there before.
 */
const isMember = ({ code: number, end, text }: Finding, cell: CellText): boolean => {
  const type = /on type '([\s\S]+?)'\.(?: Did you mean|$|\s)/.exec(text)?.[1] ?? ""
  if (/^(?:never|object|\{\}|unknown|undefined|null)(?:\[\])?$/.test(type) || isAssigned(end, cell)) return false
  const name = /^([\p{ID_Start}$_][\p{ID_Continue}$.]*)(?:<[\s\S]*>)?$/u.exec(type)?.[1]
  if (type.endsWith("[]") || (name !== undefined && !declaresClass(cell, name))) return true
  return number === 2551
}

const declaresClass = ({ code }: CellText, name: string): boolean =>
  new RegExp(`\\bclass\\s+${name.replaceAll(/[$.]/g, "\\$&")}(?![\\w$])`).test(code)

const isAssigned = (end: number, { code }: CellText): boolean =>
  /^\s*(?:[-+*/%&|^?]{0,3}=(?![=>])|\+\+|--)/.test(code.slice(end))

/**
 * A function read off its source may do with fewer arguments than it names; one that is declared with types may not.
 */
const isCertainCount = (finding: Finding, cell: CellText): boolean => {
  const root = calledRoot(finding, cell)
  if (root === undefined) return false
  const [, expected, got] = /Expected (?:at least )?(\d+)(?:-\d+)? arguments?, but got (\d+)/.exec(finding.text) ?? []
  return Number(got) > Number(expected) || !/: any\b/.test(cell.declared.get(root)!)
}

/** The name the application declared, if the finding is its call or inside the arguments of one. */
const calledRoot = ({ start }: Finding, { code, declared }: CellText): string | undefined => {
  const name = /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*\()/u.exec(code.slice(start))?.[0]
  const called = name === undefined ? undefined : rootBefore(code, start, /\s*\??\.\s*$/u) ?? name
  if (called !== undefined && declared.has(called)) return called
  for (let open = enclosing(code, start); open >= 0; open = enclosing(code, open)) {
    const root = rootBefore(code, open, /\s*$/u)
    if (root !== undefined) return declared.has(root) ? root : undefined
  }
  return undefined
}

/** `a` of `a.b.c` before an offset, with `end` in between. */
const rootBefore = (code: string, at: number, end: RegExp): string | undefined => {
  const before = code.slice(0, at)
  if (!end.test(before)) return undefined
  return /([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s*\??\.\s*[\p{ID_Continue}$]+)*$/u.exec(before.replace(end, ""))?.[1]
}

/**
 * The offset of the bracket around `from` that opens arguments. Texts with brackets in them may mislead it, towards
 * "none".
 */
const enclosing = (code: string, from: number): number => {
  let depth = 0
  for (let i = from - 1; i >= 0; i--) {
    const character = code[i]!
    if (character === ")" || character === "]" || character === "}") depth++
    else if (character === "(" || character === "[" || character === "{") {
      if (depth > 0) depth--
      else if (character === "(") return i
    }
  }
  return -1
}

/**
 * Examples in the documentation, made executable. `expression // => value` becomes an assertion; so does
 * `const name = expression // => value`, about `name`, and `console.log(expression) // => value`, about what is logged.
 * The value is code, or what Node would print.
 */
import { parseSync } from "vite"
import type { Fence } from "./Fences.ts"

export interface Example {
  readonly fence: Fence
  /** Whether it is executed; else it is type-checked only, for it needs a key, a terminal or a network. */
  readonly runs: boolean
}

/** The fences marked `ts`: `ts no-run` is type-checked only, `ts fragment` is neither and not among them. */
export const examplesOf = (fences: ReadonlyArray<Fence>): ReadonlyArray<Example> =>
  fences.flatMap((fence) => {
    const [language = "", ...marks] = fence.info.split(/\s+/)
    if (!["ts", "typescript"].includes(language) || marks.includes("fragment")) return []
    return [{ fence, runs: !marks.includes("no-run") }]
  })

/** The example with its comments turned into assertions. Lines stay where they are. */
export const withAssertions = (code: string): string => {
  const { comments, errors, program } = parseSync("example.ts", code)
  if (errors[0] !== undefined) throw new Error(errors[0].message)
  const statements = statementsIn(program)
  const edits = comments.flatMap(({ start, type, value }): ReadonlyArray<Edit> => {
    const expected = /^\s*=> (.+)$/.exec(value)?.[1]
    if (type !== "Line" || expected === undefined) return []
    const statement = statements.findLast(({ end }) => end <= start && code.slice(end, start).trim() === "")
    if (statement === undefined) throw new Error(`"//${value}" does not follow a value or a variable`)
    return [assertion(code, statement, expected)]
  })
  if (edits.length === 0) return code
  const edited = edits.toReversed()
    .reduce((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), code)
  return `${edited}\n${helper}`
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly expression?: Node
  readonly declarations?: ReadonlyArray<{ readonly id: Node & { readonly name?: string } }>
}

/** The statements that have a value, outer ones before those inside them. */
const statementsIn = (node: unknown): ReadonlyArray<Node> => {
  if (typeof node !== "object" || node === null) return []
  const inside = Object.values(node).flatMap(statementsIn)
  return isValued(node) ? [node, ...inside] : inside
}

const isValued = (node: object): node is Node =>
  "type" in node && (node.type === "ExpressionStatement" || node.type === "VariableDeclaration")

const assertion = (code: string, { declarations, end, expression, start }: Node, expected: string): Edit => {
  const comment = JSON.stringify(expected)
  if (expression !== undefined) {
    const text = code.slice(expression.start, expression.end)
    const value = /^console\.log\(([\s\S]*)\)$/.exec(text)?.[1] ?? text
    return { from: start, to: end, text: `__expect(${value}, ${comment})` }
  }
  const name = declarations?.at(-1)?.id.name
  if (name === undefined) throw new Error(`"// => ${expected}" needs a variable with one name`)
  return { from: end, to: end, text: `; __expect(${name}, ${comment})` }
}

/** A function, so that it may stand last and no line moves. */
const helper = `
function __expect(actual: unknown, comment: string): void {
  const { inspect, isDeepStrictEqual } = process.getBuiltinModule("node:util")
  if (inspect(actual, { breakLength: Infinity, depth: 9 }) === comment || actual === comment) return
  const message = "the documentation says " + comment + ", the value is " + inspect(actual, { depth: 9 })
  let expected: unknown
  try {
    expected = (0, eval)("(" + comment + ")")
  } catch {
    throw new Error(message) // the comment is no code, and nothing prints like it
  }
  if (!isDeepStrictEqual(actual, expected)) throw new Error(message)
}
`

/**
 * Texts that can be told from the code: constants, what they are joined from, and what a variable is given anywhere in
 * the cell. Looks at the syntax only; nothing of the cell runs.
 */
import type { AnyNode, CallExpression, Expression, Program, Super } from "acorn"
import { forEachChild } from "../syntax/Children.ts"

/** `open`: it may be something else as well. */
export interface Texts {
  readonly known: ReadonlyArray<string>
  readonly open: boolean
}

const unknown: Texts = { known: [], open: true }
const only = (text: string): Texts => ({ known: [text], open: false })
/** Longer or more than this is not pursued. */
const limits = { depth: 12, known: 32, chars: 4_096 }

export class Constants {
  readonly #program: Program
  #given: Map<string, Array<AnyNode>> | undefined
  readonly #found = new Map<string, Texts>()

  constructor(program: Program) {
    this.#program = program
  }

  /** What variables of this name are given, wherever in the cell. */
  given(name: string): ReadonlyArray<AnyNode> {
    return (this.#given ??= assignments(this.#program)).get(name) ?? []
  }

  texts(node: AnyNode, depth = 0): Texts {
    if (depth > limits.depth) return unknown
    switch (node.type) {
      case "Literal":
        return "regex" in node && node.regex ? unknown : only(String(node.value))
      case "Identifier":
        return this.#ofVariable(node.name, depth)
      case "TemplateLiteral":
        return joined(
          node.quasis.flatMap((quasi, i) => {
            const text = only(quasi.value.cooked ?? "")
            return i < node.expressions.length ? [text, this.texts(node.expressions[i]!, depth + 1)] : [text]
          })
        )
      case "BinaryExpression":
        return node.operator === "+"
          ? joined([this.texts(node.left, depth + 1), this.texts(node.right, depth + 1)])
          : unknown
      case "ConditionalExpression":
        return either([this.texts(node.consequent, depth + 1), this.texts(node.alternate, depth + 1)])
      case "LogicalExpression":
        return either([this.texts(node.left, depth + 1), this.texts(node.right, depth + 1)])
      case "AssignmentExpression":
        return this.texts(node.right, depth + 1)
      case "SequenceExpression":
        return this.texts(node.expressions.at(-1)!, depth + 1)
      case "ParenthesizedExpression":
      case "ChainExpression":
        return this.texts(node.expression, depth + 1)
      case "CallExpression":
        return this.#ofCall(node, depth)
      case "MemberExpression": {
        const list = this.#list(node.object, depth + 1)
        const at = node.computed ? Number(this.texts(node.property, depth + 1).known[0]) : NaN
        const text = list?.[at]
        return text === undefined ? unknown : only(text)
      }
      default:
        return unknown
    }
  }

  #ofVariable(name: string, depth: number): Texts {
    const found = this.#found.get(name)
    if (found !== undefined) return found
    this.#found.set(name, unknown) // what is made from itself is not known
    const given = this.given(name)
    const texts = given.length === 0 ? unknown : either(given.map((node) => this.texts(node, depth + 1)))
    this.#found.set(name, texts)
    return texts
  }

  #ofCall({ arguments: args, callee }: CallExpression, depth: number): Texts {
    if (callee.type === "Identifier") {
      const decode = decoders.get(callee.name)
      return decode && args[0] ? mapped(this.texts(args[0], depth + 1), decode) : unknown
    }
    if (callee.type !== "MemberExpression") return unknown
    const method = callee.computed ? this.texts(callee.property, depth + 1).known[0] : nameOf(callee.property)
    if (method === undefined) return unknown
    if (callee.object.type === "Identifier" && callee.object.name === "String") {
      return this.#fromCodes(method, args, depth)
    }
    const given = args.map((arg) => this.texts(arg, depth + 1))
    if (given.some(({ known, open }) => open || known.length !== 1)) return unknown
    const values = given.map(({ known }) => known[0]!)
    if (method === "join") {
      const list = this.#list(callee.object, depth + 1)
      return list === undefined ? unknown : only(list.join(values[0] ?? ",").slice(0, limits.chars))
    }
    const apply = methods.get(method)
    return apply === undefined
      ? unknown
      : mapped(this.texts(callee.object, depth + 1), (text) => apply(text, values))
  }

  #fromCodes(method: string, args: ReadonlyArray<AnyNode>, depth: number): Texts {
    if (method !== "fromCharCode" && method !== "fromCodePoint" && method !== "raw") return unknown
    const codes = args.flatMap((arg) =>
      arg.type === "SpreadElement"
        ? this.#list(arg.argument, depth + 1) ?? [""]
        : this.texts(arg, depth + 1).known[0] ?? ""
    )
    if (codes.some((code) => !/^\d+$/.test(code))) return unknown
    return mapped(only(""), () => String.fromCodePoint(...codes.map(Number)))
  }

  /** The texts of a list that is written out. */
  #list(node: Expression | Super | AnyNode, depth: number): ReadonlyArray<string> | undefined {
    if (depth > limits.depth) return undefined
    if (node.type === "Identifier") {
      const given = this.given(node.name)
      return given.length === 1 ? this.#list(given[0]!, depth + 1) : undefined
    }
    if (node.type === "ArrayExpression") {
      const list: Array<string> = []
      for (const element of node.elements) {
        if (element?.type === "SpreadElement") {
          const spread = this.#list(element.argument, depth + 1)
          if (spread === undefined) return undefined
          list.push(...spread)
          continue
        }
        const { known, open } = element ? this.texts(element, depth + 1) : unknown
        if (open || known.length !== 1) return undefined
        list.push(known[0]!)
      }
      return list
    }
    if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
      const method = nameOf(node.callee.property)
      const { object } = node.callee
      if (method === "reverse" || method === "toReversed") return this.#list(object, depth + 1)?.toReversed()
      if (method === "split" && node.arguments[0]) {
        const by = this.texts(node.arguments[0], depth + 1).known[0]
        const text = this.texts(object, depth + 1).known[0]
        return by === undefined || text === undefined ? undefined : text.slice(0, limits.chars).split(by)
      }
      if (method === "from" && node.arguments[0]) return this.#list(node.arguments[0], depth + 1)
      return undefined
    }
    const { known, open } = this.texts(node, depth + 1)
    return open || known.length !== 1 ? undefined : [...known[0]!]
  }
}

type Method = (text: string, values: ReadonlyArray<string>) => string

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["concat", (text, values) => text.concat(...values)],
  ["toString", (text) => text],
  ["valueOf", (text) => text],
  ["toLowerCase", (text) => text.toLowerCase()],
  ["toUpperCase", (text) => text.toUpperCase()],
  ["trim", (text) => text.trim()],
  ["normalize", (text) => text.normalize()],
  ["slice", (text, [from, to]) => text.slice(Number(from ?? 0), to === undefined ? undefined : Number(to))],
  ["substring", (text, [from, to]) => text.substring(Number(from ?? 0), to === undefined ? undefined : Number(to))],
  ["replace", (text, [what, by]) => text.replace(what ?? "", () => by ?? "")],
  ["replaceAll", (text, [what, by]) => text.replaceAll(what ?? "", () => by ?? "")],
  ["repeat", (text, [times]) => text.repeat(Math.min(Number(times ?? 0), limits.chars / Math.max(1, text.length)))],
  ["at", (text, [at]) => text.at(Number(at ?? 0)) ?? ""],
  ["charAt", (text, [at]) => text.charAt(Number(at ?? 0))],
  ["padEnd", (text, [length, by]) => text.padEnd(Math.min(Number(length ?? 0), limits.chars), by ?? " ")],
  ["padStart", (text, [length, by]) => text.padStart(Math.min(Number(length ?? 0), limits.chars), by ?? " ")]
])

const decoders: ReadonlyMap<string, (text: string) => string> = new Map([
  ["String", String],
  ["atob", atob],
  ["unescape", unescape],
  ["decodeURIComponent", decodeURIComponent],
  ["decodeURI", decodeURI]
])

/** What cannot be computed is not known. */
const mapped = ({ known, open }: Texts, f: (text: string) => string): Texts => {
  try {
    return { known: known.map(f).filter((text) => text.length <= limits.chars), open }
  } catch {
    return unknown // a malformed escape, a code out of range: the cell would fail as well
  }
}

const joined = (parts: ReadonlyArray<Texts>): Texts => {
  let known: ReadonlyArray<string> = [""]
  let open = false
  for (const part of parts) {
    known = known.flatMap((text) => part.known.map((more) => text + more)).slice(0, limits.known)
    open ||= part.open
  }
  return { known: known.filter((text) => text.length <= limits.chars), open }
}

const either = (parts: ReadonlyArray<Texts>): Texts => ({
  known: parts.flatMap(({ known }) => known).slice(0, limits.known),
  open: parts.some(({ open }) => open)
})

const nameOf = (node: AnyNode): string | undefined => node.type === "Identifier" ? node.name : undefined

const assignments = (program: Program): Map<string, Array<AnyNode>> => {
  const given = new Map<string, Array<AnyNode>>()
  const add = (target: AnyNode, value: AnyNode | null | undefined): void => {
    if (!value) return
    if (target.type === "AssignmentPattern") {
      add(target.left, target.right)
      return add(target.left, value)
    }
    if (target.type !== "Identifier") return
    const list = given.get(target.name)
    if (list === undefined) given.set(target.name, [value])
    else list.push(value)
  }
  const visit = (node: AnyNode): void => {
    if (node.type === "VariableDeclarator") add(node.id, node.init)
    else if (node.type === "AssignmentExpression") add(node.left, node.right)
    else if (node.type === "AssignmentPattern") add(node.left, node.right)
    forEachChild(node, visit)
  }
  visit(program)
  return given
}

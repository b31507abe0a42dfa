/**
 * Which names a cell declares, and where: found for the few names a rule asks about, so that a cell without any costs
 * nothing.
 */
import type { AnyNode, Pattern, Program } from "acorn"
import { forEachChild } from "../syntax/Children.ts"
import { boundIdentifiers } from "../syntax/Names.ts"

type Names = ReadonlySet<string>
const none: Names = new Set()

export class Scopes {
  readonly #declared = new Map<AnyNode, Names>()

  /** Whether one of these nodes, from the program inwards, declares the name. */
  declares(ancestors: ReadonlyArray<AnyNode>, name: string): boolean {
    for (let i = ancestors.length - 1; i >= 0; i--) if (this.#namesOf(ancestors[i]!).has(name)) return true
    return false
  }

  #namesOf(node: AnyNode): Names {
    let names = this.#declared.get(node)
    if (names === undefined) this.#declared.set(node, names = namesOf(node))
    return names
  }
}

const namesOf = (node: AnyNode): Names => {
  const names = new Set<string>()
  const add = (pattern: Pattern | AnyNode | null | undefined) => {
    if (pattern) { for (const { name } of boundIdentifiers(pattern as Pattern)) names.add(name) }
  }
  switch (node.type) {
    case "Program":
      lexical(node.body, names)
      hoisted(node, names)
      for (const statement of node.body) {
        if (statement.type === "ImportDeclaration") {
          for (const { local } of statement.specifiers) names.add(local.name)
        }
      }
      return names
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      node.params.forEach(add)
      add(node.id)
      if (node.type !== "ArrowFunctionExpression") names.add("arguments")
      hoisted(node.body, names)
      return names
    case "ClassDeclaration":
    case "ClassExpression":
      add(node.id)
      return names
    case "BlockStatement":
    case "StaticBlock":
      lexical(node.body, names)
      return names
    case "SwitchStatement":
      for (const { consequent } of node.cases) lexical(consequent, names)
      return names
    case "ForStatement":
      if (node.init) lexical([node.init], names)
      return names
    case "ForInStatement":
    case "ForOfStatement":
      lexical([node.left], names)
      return names
    case "CatchClause":
      add(node.param)
      return names
    default:
      return none
  }
}

/** Declarations that stand directly in a block. */
const lexical = (statements: ReadonlyArray<AnyNode>, names: Set<string>): void => {
  for (const statement of statements) {
    const declaration = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration"
      ? statement.declaration
      : statement
    if (declaration?.type === "VariableDeclaration") {
      for (const { id } of declaration.declarations) for (const { name } of boundIdentifiers(id)) names.add(name)
    } else if (declaration?.type === "FunctionDeclaration" || declaration?.type === "ClassDeclaration") {
      if (declaration.id) names.add(declaration.id.name)
    }
  }
}

/** Every `var` below, short of functions within. */
const hoisted = (root: Program | AnyNode, names: Set<string>): void => {
  const visit = (node: AnyNode): void => {
    if (node.type === "VariableDeclaration" && node.kind === "var") lexical([node], names)
    if (!isFunction(node)) forEachChild(node, visit)
  }
  forEachChild(root, visit)
}

export const isFunction = (node: AnyNode): boolean =>
  node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"

/**
 * Assignments to what the same cell declares `const` or imports. In the namespace every name can be written, so the
 * mistake would pass unseen. Told only where the name certainly is that one, by the scopes of the language.
 */
import type { AnyNode, Pattern, Program } from "acorn"
import { forEachChild } from "./Children.ts"
import { boundIdentifiers } from "./Names.ts"

export interface ConstAssignment {
  readonly name: string
  readonly offset: number
}

export const findConstAssignment = (program: Program, constants: ReadonlySet<string>): ConstAssignment | undefined => {
  let found: ConstAssignment | undefined

  const check = (target: AnyNode, shadowed: ReadonlySet<string>) => {
    for (const { name, start } of boundIdentifiers(target as Pattern)) {
      if (constants.has(name) && !shadowed.has(name)) found ??= { name, offset: start }
    }
  }
  const walk = (node: AnyNode, outer: ReadonlySet<string>): void => {
    if (found) return
    const own = declaredBy(node)
    const shadowed = own.length === 0 ? outer : new Set([...outer, ...own])
    if (node.type === "AssignmentExpression") check(node.left, shadowed)
    else if (node.type === "UpdateExpression") check(node.argument, shadowed)
    else if ((node.type === "ForOfStatement" || node.type === "ForInStatement") && !isDeclaration(node.left)) {
      check(node.left, shadowed)
    }
    forEachChild(node, (child) => walk(child, shadowed))
  }
  for (const node of program.body) walk(node, new Set())
  return found
}

const isDeclaration = (node: AnyNode) => node.type === "VariableDeclaration"

/** The names that hold inside a node and hide those outside. */
const declaredBy = (node: AnyNode): ReadonlyArray<string> => {
  switch (node.type) {
    case "BlockStatement":
    case "StaticBlock":
      return [...node.body.flatMap(lexicalNames), ...(node.type === "StaticBlock" ? varNames(node) : [])]
    case "SwitchStatement":
      return node.cases.flatMap((branch) => branch.consequent.flatMap(lexicalNames))
    case "ForStatement":
      return node.init ? lexicalNames(node.init) : []
    case "ForOfStatement":
    case "ForInStatement":
      return lexicalNames(node.left)
    case "CatchClause":
      return node.param ? namesOf(node.param) : []
    case "ClassExpression":
    case "ClassDeclaration":
      return node.id ? [node.id.name] : []
    case "FunctionExpression":
      return [...(node.id ? [node.id.name] : []), ...functionNames(node)]
    case "FunctionDeclaration":
    case "ArrowFunctionExpression":
      return functionNames(node)
    default:
      return []
  }
}

const namesOf = (pattern: Pattern): Array<string> => boundIdentifiers(pattern).map(({ name }) => name)

const lexicalNames = (node: AnyNode): ReadonlyArray<string> => {
  if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") return node.id ? [node.id.name] : []
  if (node.type !== "VariableDeclaration" || node.kind === "var") return []
  return node.declarations.flatMap(({ id }) => namesOf(id))
}

const functionNames = (node: Extract<AnyNode, { params: any }>): ReadonlyArray<string> => [
  ...node.params.flatMap(namesOf),
  ...varNames(node.body)
]

/** Names of `var` anywhere inside, as far as they hoist. */
const varNames = (node: AnyNode): ReadonlyArray<string> => {
  const names: Array<string> = []
  const walk = (child: AnyNode): void => {
    if (child.type.includes("Function") || child.type === "StaticBlock") return
    if (child.type === "VariableDeclaration" && child.kind === "var") {
      for (const { id } of child.declarations) names.push(...namesOf(id))
    }
    forEachChild(child, walk)
  }
  forEachChild(node, walk)
  return names
}

/**
 * Where the child nodes of each kind of syntax node are, in the order of the text. A table instead of a look at all
 * properties: it is what makes the walk cheap. A shorthand property is its value, a template its expressions.
 */
import type { AnyNode } from "acorn"

type Child = AnyNode | ReadonlyArray<AnyNode | null> | null | undefined

const children: { readonly [type: string]: ReadonlyArray<string> } = {
  Program: ["body"],
  ExpressionStatement: ["expression"],
  BlockStatement: ["body"],
  StaticBlock: ["body"],
  WithStatement: ["object", "body"],
  ReturnStatement: ["argument"],
  LabeledStatement: ["body"],
  IfStatement: ["test", "consequent", "alternate"],
  SwitchStatement: ["discriminant", "cases"],
  SwitchCase: ["test", "consequent"],
  ThrowStatement: ["argument"],
  TryStatement: ["block", "handler", "finalizer"],
  CatchClause: ["param", "body"],
  WhileStatement: ["test", "body"],
  DoWhileStatement: ["body", "test"],
  ForStatement: ["init", "test", "update", "body"],
  ForInStatement: ["left", "right", "body"],
  ForOfStatement: ["left", "right", "body"],
  VariableDeclaration: ["declarations"],
  VariableDeclarator: ["id", "init"],
  FunctionDeclaration: ["params", "body"],
  FunctionExpression: ["params", "body"],
  ArrowFunctionExpression: ["params", "body"],
  ClassDeclaration: ["superClass", "body"],
  ClassExpression: ["superClass", "body"],
  ClassBody: ["body"],
  ArrayExpression: ["elements"],
  ObjectExpression: ["properties"],
  UnaryExpression: ["argument"],
  UpdateExpression: ["argument"],
  BinaryExpression: ["left", "right"],
  LogicalExpression: ["left", "right"],
  AssignmentExpression: ["left", "right"],
  AssignmentPattern: ["left", "right"],
  ConditionalExpression: ["test", "consequent", "alternate"],
  CallExpression: ["callee", "arguments"],
  NewExpression: ["callee", "arguments"],
  SequenceExpression: ["expressions"],
  YieldExpression: ["argument"],
  AwaitExpression: ["argument"],
  SpreadElement: ["argument"],
  RestElement: ["argument"],
  TemplateLiteral: ["expressions"],
  TaggedTemplateExpression: ["tag", "quasi"],
  ChainExpression: ["expression"],
  ImportExpression: ["source", "options"],
  ParenthesizedExpression: ["expression"],
  ArrayPattern: ["elements"],
  ObjectPattern: ["properties"],
  ExportNamedDeclaration: ["declaration"],
  ExportDefaultDeclaration: ["declaration"]
}
/** Nodes with a key, which is an expression only where it is computed. */
const keyed = new Set(["Property", "MethodDefinition", "PropertyDefinition"])
const computedKey = ["key", "value"]
const valueOnly = ["value"]
const computedMember = ["object", "property"]
const objectOnly = ["object"]
const none: ReadonlyArray<string> = []

const keysOf = (node: AnyNode): ReadonlyArray<string> => {
  const keys = children[node.type]
  if (keys !== undefined) return keys
  if (node.type === "MemberExpression") return node.computed ? computedMember : objectOnly
  if (keyed.has(node.type)) return (node as { computed?: boolean }).computed ? computedKey : valueOnly
  return none
}

/** Calls `visit` with each direct child that can hold expressions or statements, in the order of the text. */
export const forEachChild = (node: AnyNode, visit: (child: AnyNode) => void): void => {
  const keys = keysOf(node)
  for (let i = 0; i < keys.length; i++) {
    const child = (node as unknown as Readonly<Record<string, Child>>)[keys[i]!]
    if (!child) continue
    if (!("length" in child)) {
      visit(child)
      continue
    }
    for (let j = 0; j < child.length; j++) if (child[j]) visit(child[j]!)
  }
}

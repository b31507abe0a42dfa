/** Changes of what belongs to the language, and so to everybody who uses it. */
import type { AnyNode, AssignmentExpression, CallExpression, UnaryExpression, UpdateExpression } from "acorn"
import type { CompiledRule, Report } from "./CompiledRule.ts"
import { lastNames, type View } from "./View.ts"

const builtins: ReadonlySet<string> = new Set(
  ("Object Function Array String Number Boolean Symbol BigInt Math JSON Reflect Promise Date RegExp Map Set WeakMap " +
    "WeakSet Error TypeError RangeError SyntaxError ReferenceError AggregateError Intl Iterator ArrayBuffer DataView " +
    "URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal console crypto structuredClone").split(" ")
)

/** Functions that change the object they are given first. */
const changing: ReadonlySet<string> = new Set([
  "Object.assign",
  "Object.defineProperty",
  "Object.defineProperties",
  "Object.setPrototypeOf",
  "Object.freeze",
  "Object.seal",
  "Reflect.set",
  "Reflect.defineProperty",
  "Reflect.deleteProperty",
  "Reflect.setPrototypeOf"
])

const changingNames = lastNames(changing)

export const tampering: CompiledRule["visits"] = {
  AssignmentExpression: ({ left }: AssignmentExpression, view, report) => judge(left, view, report),
  UpdateExpression: ({ argument }: UpdateExpression, view, report) => judge(argument, view, report),
  UnaryExpression: ({ argument, operator }: UnaryExpression, view, report) => {
    if (operator === "delete") judge(argument, view, report)
  },
  CallExpression: (node: CallExpression, view, report) => {
    const [target] = node.arguments
    if (target === undefined || view.calls(node.callee, changing, changingNames) === undefined) return
    const owner = ownerOf(target, view)
    if (owner !== undefined) report(`'${owner}' belongs to the language and may not be changed`, node)
  }
}

const judge = (target: AnyNode, view: View, report: Report): void => {
  if (target.type !== "MemberExpression") return
  const owner = ownerOf(target.object, view)
  if (owner !== undefined) report(`'${owner}' belongs to the language and may not be changed`, target)
}

/** The built-in an expression stands for, also by way of the prototype of some value. */
const ownerOf = (node: AnyNode, view: View): string | undefined => {
  if (node.type === "CallExpression") {
    const path = view.pathOf(node.callee)
    const [of] = node.arguments
    if (path !== "Object.getPrototypeOf" && path !== "Reflect.getPrototypeOf") return undefined
    return of?.type === "ThisExpression" ? undefined : "a prototype"
  }
  const path = mayBeBuiltin(node, view) ? view.pathOf(node) : undefined
  if (path === undefined) return undefined
  const [root = "", ...rest] = path.split(".")
  if (!builtins.has(root) || !view.isGlobal(root)) return undefined
  return rest.length === 0 || rest[0] === "prototype" ? path : undefined
}

/** A look at the name an expression begins with, before it is followed. */
const mayBeBuiltin = (node: AnyNode, view: View): boolean => {
  let root = node
  while (root.type === "MemberExpression") root = root.object
  if (root.type !== "Identifier") return true
  return builtins.has(root.name) || view.constants.given(root.name).length > 0 || root.name === "globalThis"
}

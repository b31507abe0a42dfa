/** Code that is made from text, whichever way. */
import type { AnyNode, BinaryExpression, CallExpression, Identifier, MemberExpression, ObjectPattern } from "acorn"
import type { CompiledRule, Report } from "./CompiledRule.ts"
import { forKeys, forReflectedKey, isMemberOf, isTypeof } from "./Places.ts"
import type { View } from "./View.ts"

const makers: ReadonlySet<string> = new Set(["eval", "Function", "AsyncFunction", "GeneratorFunction"])
const timers: ReadonlySet<string> = new Set(["setTimeout", "setInterval", "setImmediate"])
const comparing: ReadonlySet<string> = new Set(["===", "!==", "==", "!="])

const say = (name: string): string => `'${name}' makes code from text and may not be used`
const constructorText =
  "'constructor' leads to Function, which makes code from text, and may be compared and named only"

export const codeFromText: CompiledRule["visits"] = {
  Identifier: (node: Identifier, view, report) => {
    if (!makers.has(node.name) || !view.isGlobal(node.name) || isHarmless(node, view)) return
    report(say(node.name), node)
  },
  MemberExpression: (node: MemberExpression, view, report) => {
    const { known } = view.keys(node)
    if (view.isGlobalObject(node.object)) {
      const name = known.find((key) => makers.has(key))
      if (name !== undefined) report(say(name), node)
    }
    if (known.includes("constructor") && !isInspection(node, view)) report(constructorText, node)
  },
  ObjectPattern: (node: ObjectPattern, view, report) =>
    forKeys(node, view, (key, property) => {
      const nested = property.value as AnyNode
      const onlyName = nested.type === "ObjectPattern" &&
        nested.properties.every((each) => each.type === "Property" && (each.key as Identifier).name === "name")
      if (key === "constructor" && !onlyName) report(constructorText, property)
    }),
  CallExpression: (node: CallExpression, view, report) => {
    forReflectedKey(node, view, (keys) => {
      if (keys.includes("constructor")) report(constructorText, node)
    })
    judgeTimer(node, view, report)
  }
}

/** What is made of `Function` in ordinary code: `x instanceof Function`, `Function.prototype`, `typeof eval`. */
const isHarmless = (node: Identifier, view: View): boolean => {
  const { parent } = view
  if (isTypeof(parent) || isComparison(parent)) return true
  if (node.name === "eval" || !isMemberOf(parent, node)) return false
  return !parent.computed && view.keys(parent).known[0] === "prototype"
}

/** Looking at what something is. */
const isInspection = (node: MemberExpression, view: View): boolean => {
  const { ancestors, parent } = view
  if (isTypeof(parent) || isComparison(parent)) return true
  if (isMemberOf(parent, node)) {
    const { known, open } = view.keys(parent)
    if (!open && known.length === 1 && known[0] === "name") return true
  }
  if (node.object.type !== "ThisExpression" || !ancestors.some(({ type }) => type === "ClassBody")) return false
  // `new this.constructor()` and `this.constructor.create()`, as classes do.
  return parent?.type === "NewExpression" && parent.callee === node ||
    isMemberOf(parent, node) && !view.keys(parent).open && !view.keys(parent).known.includes("constructor")
}

const isComparison = (node: AnyNode | undefined): node is BinaryExpression =>
  node?.type === "BinaryExpression" && (comparing.has(node.operator) || node.operator === "instanceof")

const judgeTimer = (node: CallExpression, view: View, report: Report): void => {
  const [handler] = node.arguments
  const path = handler && view.calls(node.callee, timers, timers)
  if (path === undefined || handler === undefined) return
  if (handler.type === "Identifier" && view.isLocal(handler.name) && view.constants.given(handler.name).length === 0) {
    return
  }
  if (isText(handler) || view.constants.texts(handler).known.length > 0) {
    report(`'${path}' with a text makes code of it; give it a function`, node)
  }
}

const isText = (node: AnyNode): boolean =>
  node.type === "TemplateLiteral" || node.type === "Literal" && typeof node.value === "string" ||
  node.type === "BinaryExpression" && node.operator === "+"

import type {
  AnyNode,
  CallExpression,
  Identifier,
  ImportDeclaration,
  ImportExpression,
  MemberExpression,
  NewExpression,
  ObjectExpression,
  ObjectPattern,
  Property,
  ThisExpression
} from "acorn"
import { globs } from "../policy/Glob.ts"
import type { CompiledRule, Report } from "./CompiledRule.ts"
import { codeFromText } from "./CodeFromText.ts"
import { forKeys, forReflectedKey, isMemberOf, isTypeof } from "./Places.ts"
import type {
  CallRule,
  ComputedCallRule,
  CustomRule,
  GlobalRule,
  ImportRule,
  PatternRule,
  PresetRule,
  PropertyRule,
  SecurityRule
} from "./SecurityRule.ts"
import { tampering } from "./Tampering.ts"
import type { View } from "./View.ts"

type Rule = Exclude<SecurityRule, PresetRule>

export const compileRule = (rule: Rule): CompiledRule => {
  const { instead, name = rule._tag } = rule
  return { name, instead, visits: {}, ...partsOf(rule) }
}

const partsOf = (rule: Rule): Pick<CompiledRule, "visits"> | Pick<CompiledRule, "whole"> => {
  switch (rule._tag) {
    case "Import":
      return { visits: imports(rule) }
    case "Global":
      return { visits: globals(rule) }
    case "Call":
      return { visits: calls(rule) }
    case "Property":
      return { visits: properties(rule) }
    case "CodeFromText":
      return { visits: codeFromText }
    case "Tampering":
      return { visits: tampering }
    case "ComputedCall":
      return { visits: computedCalls(rule) }
    case "Pattern":
      return { whole: pattern(rule) }
    case "Custom":
      return { whole: custom(rule) }
  }
}

type Visits = CompiledRule["visits"]

const imports = ({ except = [], modules }: ImportRule): Visits => {
  const forbidden = globs(modules)
  const granted = globs(except)
  const judge = (specifier: string, at: AnyNode, report: Report) => {
    if (forbidden(specifier) && !granted(specifier)) report(`the module '${specifier}' may not be imported`, at)
  }
  return {
    ImportDeclaration: (node: ImportDeclaration, _, report) => judge(String(node.source.value), node, report),
    ImportExpression: (node: ImportExpression, view, report) => {
      const { known, open } = view.constants.texts(node.source)
      for (const specifier of known) judge(specifier, node, report)
      if (open) report("a module whose name is computed may not be imported", node)
    }
  }
}

const globals = (rule: GlobalRule): Visits => {
  const names = new Set(rule.names)
  const wholeObject = names.has("globalThis")
  const say = (name: string) => `'${name}' may not be used`
  return {
    Identifier: (node: Identifier, view, report) => {
      if (!names.has(node.name) || isTypeof(view.parent) || !view.isGlobal(node.name)) return
      // A property of the global object is judged by its name, below.
      if (isMemberOf(view.parent, node) && view.isGlobalObject(node)) return
      if (isIn(view.parent, node)) return
      report(say(node.name), node)
    },
    ThisExpression: (node: ThisExpression, view, report) => {
      if (!wholeObject || isMemberOf(view.parent, node) || !view.isGlobalObject(node)) return
      report("the global object may not be used as a value", node)
    },
    MemberExpression: (node: MemberExpression, view, report) => {
      if (!view.isGlobalObject(node.object) || isTypeof(view.parent)) return
      const { known, open } = view.keys(node)
      const name = known.find((key) => names.has(key))
      if (name !== undefined) report(say(name), node)
      else if (open && wholeObject) report("a global whose name is computed may not be used", node)
    },
    MetaProperty: (node, _, report) => {
      if (node.meta.name === "import" && names.has("import.meta")) report(say("import.meta"), node)
    }
  }
}

const calls = ({ paths }: CallRule): Visits => {
  const forbidden = globs(paths)
  const say = (path: string) => `'${path}' may not be called`
  return {
    Identifier: (node: Identifier, view, report) => {
      if (isMemberOf(view.parent, node) || isTypeof(view.parent)) return
      if (forbidden(node.name) && !view.isLocal(node.name)) report(say(node.name), node)
    },
    MemberExpression: (node: MemberExpression, view, report) => {
      const path = view.pathOf(node)
      if (path !== undefined && forbidden(path)) report(say(path), node)
    },
    VariableDeclarator: (node, view, report) => {
      if (node.id.type !== "ObjectPattern" || !node.init) return
      const object = view.pathOf(node.init)
      if (object === undefined) return
      forKeys(node.id, view, (key, at) => {
        if (forbidden(`${object}.${key}`)) report(say(`${object}.${key}`), at)
      })
    }
  }
}

const properties = (rule: PropertyRule): Visits => {
  const names = new Set(rule.names)
  const say = (name: string) => `the property '${name}' may not be used`
  const judge = (keys: ReadonlyArray<string>, at: AnyNode, report: Report) => {
    const name = keys.find((key) => names.has(key))
    if (name !== undefined) report(say(name), at)
  }
  return {
    MemberExpression: (node: MemberExpression, view, report) => judge(view.keys(node).known, node, report),
    ObjectPattern: (node: ObjectPattern, view, report) => forKeys(node, view, (key, at) => judge([key], at, report)),
    ObjectExpression: (node: ObjectExpression, _, report) => {
      if (!names.has("__proto__")) return
      for (const property of node.properties) {
        if (property.type === "Property" && isPrototypeKey(property)) report(say("__proto__"), property)
      }
    },
    CallExpression: (node: CallExpression, view, report) =>
      forReflectedKey(node, view, (keys) => judge(keys, node, report))
  }
}

/** In an object literal the key sets the prototype; a shorthand, a computed key or a method does not. */
const isPrototypeKey = ({ computed, key, method, shorthand }: Property): boolean =>
  !computed && !method && !shorthand &&
  (key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : undefined) === "__proto__"

const computedCalls = (_: ComputedCallRule): Visits => ({
  CallExpression: ({ callee }: CallExpression, view, report) => judgeComputed(callee, view, report),
  NewExpression: ({ callee }: NewExpression, view, report) => judgeComputed(callee, view, report)
})

const judgeComputed = (callee: AnyNode, view: View, report: Report): void => {
  if (callee.type === "MemberExpression" && callee.computed && view.keys(callee).open) {
    report("a method whose name is computed may not be called", callee)
  }
}

const pattern = ({ pattern }: PatternRule): CompiledRule["whole"] => {
  const once = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""))
  return ({ code }) => {
    const match = once.exec(code)
    return match === null ? [] : [{ what: `the text matches ${String(pattern)}`, offset: match.index }]
  }
}

const custom = ({ check }: CustomRule): CompiledRule["whole"] => (cell, bound) => check(cell, bound)

/** `"name" in globalThis` */
const isIn = (parent: AnyNode | undefined, node: AnyNode): boolean =>
  parent?.type === "BinaryExpression" && parent.operator === "in" && parent.right === node

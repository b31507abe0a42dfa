/**
 * What the rules ask about a cell: which names are its own, which texts are constants, and what a path such as
 * `db.drop` leads to.
 */
import type { AnyNode, MemberExpression, Program } from "acorn"
import { Constants, type Texts } from "./Constants.ts"
import { Scopes } from "./Scopes.ts"

/** Names of the global object. */
const globalObjects: ReadonlySet<string> = new Set([
  "globalThis",
  "global",
  "self",
  "window",
  "frames",
  "top",
  "parent"
])
/** Nothing that a binding or a cell may be called. */
const fixed: ReadonlySet<string> = new Set(["eval", "Function", "globalThis"])

const noKeys: Texts = { known: [], open: false }

export class View {
  /** From the program to the parent of the node that is looked at. */
  readonly ancestors: Array<AnyNode> = []
  readonly constants: Constants
  readonly #scopes = new Scopes()
  readonly #bound: ReadonlySet<string>
  /** The global object may have another name only where it is mentioned. */
  readonly #mentionsGlobal: boolean
  #keyed: MemberExpression | undefined
  #keys: Texts = noKeys

  constructor(program: Program, javascript: string, bound: ReadonlySet<string>) {
    this.constants = new Constants(program)
    this.#bound = bound
    this.#mentionsGlobal = /globalThis|\bthis\b|\\u/.test(javascript)
  }

  get parent(): AnyNode | undefined {
    return this.ancestors.at(-1)
  }

  /** The name means something of the language or the runtime, and nothing of the cell or the application. */
  isGlobal(name: string): boolean {
    return (fixed.has(name) || !this.#bound.has(name)) && !this.isLocal(name)
  }

  isLocal(name: string): boolean {
    return this.#scopes.declares(this.ancestors, name)
  }

  isGlobalObject(node: AnyNode): boolean {
    switch (node.type) {
      case "Identifier":
        if (globalObjects.has(node.name)) return this.isGlobal(node.name)
        return this.#mentionsGlobal &&
          this.constants.given(node.name).some((given) => given.type === "Identifier" && given.name === "globalThis")
      case "ThisExpression":
        return !this.ancestors.some(bindsThis)
      case "ParenthesizedExpression":
        return this.isGlobalObject(node.expression)
      default:
        return false
    }
  }

  /** The names a member expression may reach. */
  keys(node: MemberExpression): Texts {
    if (this.#keyed === node) return this.#keys
    this.#keyed = node
    return this.#keys = node.computed
      ? this.constants.texts(node.property)
      : node.property.type === "Identifier"
      ? { known: [node.property.name], open: false }
      : noKeys
  }

  /** The path of a callee whose last name is one of these: a look at that name spares most callees the rest. */
  calls(callee: AnyNode, paths: ReadonlySet<string>, names: ReadonlySet<string>): string | undefined {
    const found = callee.type === "Identifier"
      ? names.has(callee.name) || this.constants.given(callee.name).length > 0
      : callee.type !== "MemberExpression" || this.keys(callee).known.some((key) => names.has(key))
    const path = found ? this.pathOf(callee) : undefined
    return path !== undefined && paths.has(path) ? path : undefined
  }

  /** `db.orders.drop`, through aliases of what it begins with; `undefined` for what begins with no name. */
  pathOf(node: AnyNode, depth = 0): string | undefined {
    if (depth > 8) return undefined
    switch (node.type) {
      case "Identifier": {
        if (!this.isLocal(node.name)) return node.name
        const given = this.constants.given(node.name)
        return given.length === 1 ? this.pathOf(given[0]!, depth + 1) : undefined
      }
      case "ThisExpression":
        return this.isGlobalObject(node) ? "globalThis" : undefined
      case "MemberExpression": {
        const [key] = this.keys(node).known
        const object = key === undefined ? undefined : this.pathOf(node.object, depth + 1)
        return object === undefined ? undefined : globalObjects.has(object) ? key : `${object}.${key}`
      }
      case "AwaitExpression":
        return this.pathOf(node.argument, depth + 1)
      case "ChainExpression":
      case "ParenthesizedExpression":
        return this.pathOf(node.expression, depth + 1)
      case "SequenceExpression":
        return this.pathOf(node.expressions.at(-1)!, depth + 1)
      default:
        return undefined
    }
  }
}

/** An arrow function has the `this` around it. */
const bindsThis = ({ type }: AnyNode): boolean =>
  type === "FunctionDeclaration" || type === "FunctionExpression" || type === "StaticBlock" ||
  type === "PropertyDefinition"

/** The last names of paths. */
export const lastNames = (paths: Iterable<string>): ReadonlySet<string> =>
  new Set(Array.from(paths, (path) => path.slice(path.lastIndexOf(".") + 1)))

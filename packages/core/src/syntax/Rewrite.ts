/**
 * The notebook form of a cell. One walk over the tree makes in-place edits, in the order of the text:
 *
 * - top-level declarations, and `var` wherever it hoists to the top, become assignments to properties of the namespace,
 *   so that later cells see them, may declare them again as any kind, and older closures see the new value;
 * - a top-level function becomes a script of its own, run before the rest; it calls itself through the namespace;
 * - imports become awaited calls, exports plain declarations, the last expression the value;
 * - loops and functions are guarded (`Guards.ts`).
 *
 * Keywords are replaced by text of the same width, so columns stay where they can.
 */
import type { AnyNode, FunctionDeclaration, Pattern, Program, VariableDeclaration } from "acorn"
import type { ParsedCell } from "../Cell.ts"
import { CellSyntaxError } from "./CellSyntaxError.ts"
import { forEachChild } from "./Children.ts"
import { Edits } from "./Edits.ts"
import { guardBlock, guardExpression, guardStatement, hasExpressionBody } from "./Guards.ts"
import { importExpression } from "./Imports.ts"
import { boundIdentifiers } from "./Names.ts"
import { blank, lineStarts, lineTerminators } from "./Text.ts"

type NameKind = ParsedCell["names"] extends ReadonlyMap<string, infer Kind> ? Kind : never
type TopLevel = Program["body"][number]
/** In a list of statements, as the only statement of an `if` or a loop, or in the head of a `for`. */
type Context = "list" | "single" | "head"

/** A hoisted function, and which of the edits are inside it. */
interface Hoisted {
  readonly node: FunctionDeclaration
  readonly firstEdit: number
  readonly lastEdit: number
}

export class Rewrite {
  readonly names = new Map<string, NameKind>()
  readonly imports: Array<string> = []
  /** What the cell assigns to by `=`, `++` or a loop head, at any depth. */
  readonly assigned: Array<AnyNode> = []
  /** All edits, those inside hoisted functions as well. */
  readonly edits = new Edits()
  awaits = false
  private readonly hoisted: Array<Hoisted> = []
  private readonly source: string
  private readonly visit: (node: AnyNode) => void
  /** Functions around the node at hand, and what else has its own `var` and `await`. */
  private depth = 0
  private usings = 0

  constructor(source: string, program: Program) {
    this.source = source
    this.visit = (node) => this.node(node)
    const value = valueStatement(program)
    for (const node of program.body) this.topLevel(node, node === value)
  }

  /**
   * The rest of the cell and its functions. Where a function was, the rest is blank and as wide as the function's new
   * text, so that no two places of a line have the same column.
   */
  texts(): Pick<ParsedCell, "rewritten" | "hoisted"> {
    const functions: Array<ParsedCell["hoisted"][number]> = []
    let body = ""
    let place: Place = { line: 0, column: 0 }
    let position = 0
    let edit = 0
    for (const { firstEdit, lastEdit, node: { end, id, start } } of this.hoisted) {
      const before = this.edits.apply(this.source, position, start, edit, firstEdit)
      const code = this.edits.apply(this.source, start, end, firstEdit, lastEdit)
      const left = emptyStatement(code)
      place = placeAfter(place, before)
      functions.push({ name: id.name, code, ...place })
      place = placeAfter(place, left)
      body += before + left
      position = end
      edit = lastEdit
    }
    body += this.edits.apply(this.source, position, this.source.length, edit, this.edits.list.length)
    return { rewritten: `(${this.awaits ? "async " : ""}()=>{"use strict";\n${body}\n})()`, hoisted: functions }
  }

  // ------------------------------------------------------------------------------------------ top level

  private topLevel(node: TopLevel, isValue: boolean): void {
    switch (node.type) {
      case "VariableDeclaration":
        return this.variables(node, "list")
      case "FunctionDeclaration":
        return this.hoist(node)
      case "ClassDeclaration":
        this.names.set(node.id.name, "class")
        this.edits.insert(node.start, `;${node.id.name}=`)
        forEachChild(node, this.visit)
        this.edits.insert(node.end, ";")
        return
      case "ImportDeclaration":
        this.awaits = true
        this.imports.push(String(node.source.value))
        for (const { local } of node.specifiers) this.names.set(local.name, "import")
        // The newlines of an import over several lines follow the call.
        this.edits.replace(
          node.start,
          node.end,
          importExpression(node) + lineTerminators(this.source.slice(node.start, node.end))
        )
        return
      case "ExportAllDeclaration":
      case "ExportNamedDeclaration":
      case "ExportDefaultDeclaration":
        return this.exported(node, isValue)
      case "ExpressionStatement":
        if (isValue) this.edits.insert(node.start, "return ")
        return this.node(node.expression)
      default:
        return this.node(node)
    }
  }

  private exported(node: Extract<TopLevel, { type: `Export${string}` }>, isValue: boolean): void {
    if (node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node.source)) {
      throw new CellSyntaxError(
        "`export … from` is not available in a cell",
        node.start,
        "Import what you need; every top-level name of a cell is there in later cells without an export."
      )
    }
    const { declaration } = node
    if (!declaration) {
      this.edits.replace(node.start, node.end, emptyStatement(this.source.slice(node.start, node.end)))
      return
    }
    if (node.type === "ExportNamedDeclaration" || isNamedDeclaration(declaration)) {
      this.edits.replace(node.start, declaration.start, blank(this.source.slice(node.start, declaration.start)))
      return this.topLevel(declaration as TopLevel, false)
    }
    const keyword = this.source.indexOf("default", node.start + 6)
    this.edits.replace(node.start, node.start + 6, "      ")
    this.edits.replace(keyword, keyword + 7, isValue ? "return " : "    ;0,")
    this.node(declaration)
    if (this.source[node.end - 1] !== ";") this.edits.insert(node.end, ";")
  }

  private hoist(node: FunctionDeclaration): void {
    const { id, start } = node
    this.names.set(id.name, "function")
    const firstEdit = this.edits.list.length
    // `function f(` becomes `f=function(`: as wide, and a plain property that can be written again and deleted.
    const head = this.source.slice(start, id.start)
    this.edits.replace(start, id.end, `${id.name}=${/[ \t]$/.test(head) ? head.slice(0, -1) : head}`)
    this.functionParts(node)
    this.hoisted.push({ node, firstEdit, lastEdit: this.edits.list.length })
  }

  // ------------------------------------------------------------------------------------------ every node

  private node(node: AnyNode): void {
    switch (node.type) {
      case "Identifier":
      case "Literal":
        return
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return this.functionParts(node)
      case "PropertyDefinition":
        if (node.computed) this.node(node.key)
        if (node.value) this.inside(node.value)
        return
      case "StaticBlock":
        return this.inside(node)
      case "AwaitExpression":
        if (this.depth === 0) this.awaits = true
        break
      case "VariableDeclaration":
        if (this.depth === 0 && node.kind === "var") return this.variables(node, "list")
        if (this.depth === 0 && node.kind === "await using") this.awaits = true
        break
      case "IfStatement":
        this.node(node.test)
        this.single(node.consequent)
        if (node.alternate) this.single(node.alternate)
        return
      case "LabeledStatement":
        return this.single(node.body)
      case "WhileStatement":
        this.node(node.test)
        return this.loopBody(node.body)
      case "DoWhileStatement":
        this.loopBody(node.body)
        return this.node(node.test)
      case "ForStatement":
        if (node.init) this.head(node.init)
        if (node.test) this.node(node.test)
        if (node.update) this.node(node.update)
        return this.loopBody(node.body)
      case "ForOfStatement":
        if (this.depth === 0 && node.await) this.awaits = true
        return this.forEach(node)
      case "ForInStatement":
        return this.forEach(node)
      case "AssignmentExpression":
        this.assigned.push(node.left)
        break
      case "UpdateExpression":
        this.assigned.push(node.argument)
        break
      case "ImportExpression":
        this.edits.replace(node.start, node.start + 6, "__import")
        break
      case "MetaProperty":
        if (node.meta.name === "import") {
          const width = node.end - node.start
          this.edits.replace(node.start, node.end, "__meta".padEnd(width))
        }
        return
      case "UnaryExpression":
        // A script, unlike a module, reads `<!--` as the start of a comment.
        if (this.source.startsWith("<!--", node.start - 1)) this.edits.insert(node.start, " ")
        break
    }
    forEachChild(node, this.visit)
  }

  private inside(node: AnyNode): void {
    this.depth++
    if (node.type === "StaticBlock") forEachChild(node, this.visit)
    else this.node(node)
    this.depth--
  }

  private functionParts(node: Extract<AnyNode, { params: any }>): void {
    this.depth++
    for (const parameter of node.params) this.node(parameter)
    if (hasExpressionBody(node)) {
      guardExpression(this.edits, node.body, () => this.node(node.body))
    } else {
      guardBlock(this.edits, node.body)
      forEachChild(node.body, this.visit)
    }
    this.depth--
  }

  private forEach(node: Extract<AnyNode, { type: "ForOfStatement" | "ForInStatement" }>): void {
    if (node.left.type !== "VariableDeclaration") this.assigned.push(node.left)
    this.head(node.left)
    this.node(node.right)
    this.loopBody(node.body)
  }

  private loopBody(body: AnyNode): void {
    if (body.type === "BlockStatement") {
      guardBlock(this.edits, body)
      return forEachChild(body, this.visit)
    }
    guardStatement(this.edits, body, () => this.single(body))
  }

  private single(node: AnyNode): void {
    if (this.depth === 0 && node.type === "VariableDeclaration") this.variables(node, "single")
    else this.node(node)
  }

  private head(node: AnyNode): void {
    if (this.depth === 0 && node.type === "VariableDeclaration" && node.kind === "var") this.variables(node, "head")
    else this.node(node)
  }

  // ------------------------------------------------------------------------------------------ declarations

  private variables(node: VariableDeclaration, place: Context): void {
    if (node.kind === "using" || node.kind === "await using") return this.usingVariables(node)
    const keyword = place === "head" ? "" : place === "single" ? "(" : ";("
    this.edits.replace(node.start, node.start + node.kind.length, keyword.padStart(node.kind.length))
    for (const { id, init } of node.declarations) {
      this.bindNames(id, node.kind)
      // `for (async of …)` is no loop over `async`.
      const isAsyncHead = place === "head" && id.type === "Identifier" && id.name === "async"
      if (isAsyncHead) this.edits.insert(id.start, "(")
      this.node(id)
      if (isAsyncHead) this.edits.insert(id.end, ")")
      if (init) this.node(init)
      else if (node.kind !== "var") this.edits.insert(id.end, "=void 0")
    }
    if (place === "head") return
    const hasSemicolon = this.source[node.end - 1] === ";"
    this.edits.insert(node.declarations.at(-1)!.end, hasSemicolon ? ")" : ");")
  }

  /** The value is disposed at the end of the cell, and its name is one of the namespace like any other. */
  private usingVariables(node: VariableDeclaration): void {
    if (node.kind === "await using") this.awaits = true
    for (const { id, init } of node.declarations) {
      this.bindNames(id, "const")
      this.edits.insert(id.start, `__u${this.usings++}=`)
      if (init) this.node(init)
    }
  }

  private bindNames(pattern: Pattern, kind: NameKind): void {
    if (pattern.type === "Identifier") this.names.set(pattern.name, kind)
    else for (const { name } of boundIdentifiers(pattern)) this.names.set(name, kind)
  }
}

/** The last statement that does anything, if it is an expression. */
const valueStatement = (program: Program): TopLevel | undefined => {
  const last = program.body.findLast((node) => node.type !== "EmptyStatement")
  return last?.type === "ExpressionStatement" || last?.type === "ExportDefaultDeclaration" ? last : undefined
}

const isNamedDeclaration = (node: AnyNode): boolean =>
  (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && Boolean(node.id as unknown)

/** Takes the place of what is left out: a bare blank could join the statements around it. */
const emptyStatement = (text: string): string => `;${blank(text.slice(1))}`

interface Place {
  readonly line: number
  readonly column: number
}

/** Where a text ends that begins at a place, 0-based. */
const placeAfter = ({ column, line }: Place, text: string): Place => {
  const starts = lineStarts(text)
  const lines = starts.length - 1
  return { line: line + lines, column: lines === 0 ? column + text.length : text.length - starts[lines]! }
}

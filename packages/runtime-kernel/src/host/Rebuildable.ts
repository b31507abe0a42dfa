/**
 * Which names of a cell hold functions and classes that can be made again from their text: those of the top level,
 * which close over nothing but the namespace.
 */
import type { ParsedCell } from "@daylight/core"

interface Node {
  readonly type: string
  readonly declaration?: Node | null
  readonly id?: { readonly type: string; readonly name?: string } | null
  readonly declarations?: ReadonlyArray<
    { readonly id: { readonly type: string; readonly name?: string }; readonly init?: Node | null }
  >
}

const code = new Set(["ArrowFunctionExpression", "FunctionExpression", "ClassExpression"])

export const rebuildable = ({ program }: Pick<ParsedCell, "program">): ReadonlyArray<string> =>
  (program.body as ReadonlyArray<Node>).flatMap(namesOf)

const namesOf = (node: Node): ReadonlyArray<string> => {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return node.id?.name === undefined ? [] : [node.id.name]
    case "VariableDeclaration":
      return (node.declarations ?? []).flatMap(({ id, init }) =>
        id.name !== undefined && init != null && code.has(init.type) ? [id.name] : []
      )
    case "ExportNamedDeclaration":
      return node.declaration == null ? [] : namesOf(node.declaration)
    default:
      return []
  }
}

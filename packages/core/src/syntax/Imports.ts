/**
 * A static import as an expression that waits for `__import(specifier, options, names)`. The names go along so that a
 * missing export is an error at the import, as in a module.
 */
import type { Identifier, ImportDeclaration, Literal } from "acorn"

const nameOf = (node: Identifier | Literal): string => node.type === "Literal" ? String(node.value) : node.name
const keyOf = (node: Identifier | Literal): string => node.type === "Literal" ? JSON.stringify(node.value) : node.name

const optionsOf = (node: ImportDeclaration): string => {
  if (!node.attributes?.length) return "void 0"
  const entries = node.attributes.map(({ key, value }) => `${keyOf(key)}:${JSON.stringify(value.value)}`)
  return `{with:{${entries.join()}}}`
}

export const importExpression = (node: ImportDeclaration): string => {
  const names: Array<string> = []
  const properties: Array<string> = []
  let namespace = ""
  for (const specifier of node.specifiers) {
    const local = specifier.local.name
    if (specifier.type === "ImportNamespaceSpecifier") {
      namespace = `${local}=`
    } else if (specifier.type === "ImportDefaultSpecifier") {
      names.push("default")
      properties.push(`default:${local}`)
    } else {
      names.push(nameOf(specifier.imported))
      properties.push(`${keyOf(specifier.imported)}:${local}`)
    }
  }
  const pattern = properties.length > 0 ? `{${properties.join()}}=` : ""
  return `;(${pattern}${namespace}await __import(${JSON.stringify(node.source.value)},${optionsOf(node)},${
    JSON.stringify(names)
  }));`
}

/**
 * Checks of names, each made only where a quick look says that it may find something.
 */
import type { AnyNode, Identifier, Pattern, Program } from "acorn"
import { CellSyntaxError } from "./CellSyntaxError.ts"
import { forEachChild } from "./Children.ts"
import { findConstAssignment } from "./ConstAssignment.ts"
import { boundIdentifiers, isReserved, mightUseReserved } from "./Names.ts"
import type { Rewrite } from "./Rewrite.ts"

/** Throws `CellSyntaxError`. */
export const checkNames = (javascript: string, program: Program, rewrite: Rewrite): void => {
  if (mightUseReserved(javascript)) rejectReserved(program, rewrite)
  const constants = assignedConstants(rewrite)
  if (constants.size === 0) return
  const assignment = findConstAssignment(program, constants)
  if (assignment === undefined) return
  const { name, offset } = assignment
  const hint = rewrite.names.get(name) === "import"
    ? "An import cannot be assigned; use another name."
    : `Declare it with let if it is to change: let ${name} = …`
  throw new CellSyntaxError(`Assignment to constant variable '${name}'`, offset, hint)
}

const assignedConstants = ({ assigned, names }: Rewrite): ReadonlySet<string> => {
  const constants = new Set<string>()
  for (const target of assigned) {
    for (const { name } of boundIdentifiers(target as Pattern)) {
      const kind = names.get(name)
      if (kind === "const" || kind === "import") constants.add(name)
    }
  }
  return constants
}

const rejectReserved = (program: Program, rewrite: Rewrite): void => {
  const walk = (node: AnyNode): void => {
    if (node.type === "Identifier" && isReserved(node.name)) throw reserved(node.name, node.start)
    const id = (node as { readonly id?: Identifier | null }).id
    if (id?.type === "Identifier" && isReserved(id.name)) throw reserved(id.name, id.start)
    forEachChild(node, walk)
  }
  walk(program)
  for (const name of rewrite.names.keys()) if (isReserved(name)) throw reserved(name, undefined)
}

const reserved = (name: string, offset: number | undefined): CellSyntaxError =>
  new CellSyntaxError(`The name '${name}' is reserved`, offset, "Use another name.")

/**
 * Loop guards, compiled into the cell: loops and functions count down `__b`, and `__t()` decides at zero whether the
 * cell may go on. They also stop what no timeout of the engine sees: loops after an `await`, in timers, in microtasks.
 */
import type { AnyNode, ArrowFunctionExpression, Expression } from "acorn"
import type { Edits } from "./Edits.ts"

const guard = "if(--__b<0)__t();"

/** A block: the body of a loop or of a function. */
export const guardBlock = (edits: Edits, block: AnyNode): void => {
  edits.insert(block.start + 1, guard)
}

/** A loop body that is a single statement. `visit` makes the edits inside it. */
export const guardStatement = (edits: Edits, statement: AnyNode, visit: () => void): void => {
  edits.insert(statement.start, `{${guard}`)
  visit()
  edits.insert(statement.end, "}")
}

/** The expression that is the body of an arrow function. One that only makes another function cannot loop. */
export const guardExpression = (edits: Edits, body: Expression, visit: () => void): void => {
  if (body.type === "ArrowFunctionExpression" || body.type === "FunctionExpression") return visit()
  edits.insert(body.start, "(__g(),")
  visit()
  edits.insert(body.end, ")")
}

export const hasExpressionBody = (
  node: AnyNode
): node is ArrowFunctionExpression & { readonly body: Expression } =>
  node.type === "ArrowFunctionExpression" && node.body.type !== "BlockStatement"

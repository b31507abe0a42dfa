/**
 * The parameters of a live function, read off its source text. Types are not there; names, defaults, rest and the keys
 * of a destructured object are.
 */
import { type AnyNode, type Options, parse, type Pattern } from "acorn"

export interface FunctionParameter {
  readonly name: string
  readonly optional: boolean
  readonly rest: boolean
  /** Of a parameter that is taken apart: what it reads. */
  readonly keys?: ReadonlyArray<{ readonly name: string; readonly optional: boolean }>
}

const options: Options = { ecmaVersion: "latest", sourceType: "module", checkPrivateFields: false }

/**
 * Takes what `Function.prototype.toString` gives: functions, arrows, methods and accessors of any kind, classes (their
 * constructor). Gives `undefined` where the text does not tell: native code, bound functions, a class that inherits its
 * constructor.
 */
export const parseFunctionParameters = (source: string): ReadonlyArray<FunctionParameter> | undefined => {
  const parameters = parametersOf(source)
  if (parameters === undefined) return undefined
  const taken = new Map<string, number>()
  return parameters.map((pattern) => {
    const parameter = describe(pattern)
    const count = (taken.get(parameter.name) ?? 0) + 1
    taken.set(parameter.name, count)
    return count === 1 ? parameter : { ...parameter, name: `${parameter.name}${count}` }
  })
}

const parametersOf = (source: string): ReadonlyArray<Pattern> | undefined => {
  const expression = tryParse(`(${source}\n)`)
  const statement = expression?.type === "ExpressionStatement" ? expression.expression : undefined
  if (statement === undefined) return methodParameters(`(class{${source}\n})`)
  switch (statement.type) {
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return statement.params
    case "ClassExpression":
      return constructorParameters(statement)
    default:
      return undefined
  }
}

const methodParameters = (source: string): ReadonlyArray<Pattern> | undefined => {
  const statement = tryParse(source)
  const expression = statement?.type === "ExpressionStatement" ? statement.expression : undefined
  const member = expression?.type === "ClassExpression" ? expression.body.body[0] : undefined
  return member?.type === "MethodDefinition" ? member.value.params : undefined
}

const constructorParameters = (
  node: Extract<AnyNode, { type: "ClassExpression" }>
): ReadonlyArray<Pattern> | undefined => {
  for (const member of node.body.body) {
    if (member.type === "MethodDefinition" && member.kind === "constructor") return member.value.params
  }
  return node.superClass ? undefined : []
}

const tryParse = (source: string): AnyNode | undefined => {
  try {
    return parse(source, options).body[0]
  } catch {
    return undefined // no text of this shape: the caller tries another
  }
}

const describe = (pattern: Pattern): FunctionParameter => {
  switch (pattern.type) {
    case "RestElement":
      return { ...describe(pattern.argument), optional: true, rest: true }
    case "AssignmentPattern":
      return { ...describe(pattern.left), optional: true }
    case "Identifier":
      return { name: pattern.name, optional: false, rest: false }
    case "ObjectPattern":
      return { name: "options", optional: false, rest: false, keys: keysOf(pattern) }
    default:
      return { name: "items", optional: false, rest: false }
  }
}

const keysOf = (pattern: Extract<Pattern, { type: "ObjectPattern" }>): NonNullable<FunctionParameter["keys"]> =>
  pattern.properties.flatMap((property) => {
    if (property.type === "RestElement" || property.computed) return []
    const name = property.key.type === "Identifier"
      ? property.key.name
      : String((property.key as { value?: unknown }).value)
    return [{ name, optional: property.value.type === "AssignmentPattern" }]
  })

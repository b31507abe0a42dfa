/**
 * What is in a namespace, as TypeScript declarations: for the prompt, and for the type check of a cell.
 */
import type { Bound, FunctionBinding, TypeBinding, VariableBinding } from "../../Binding.ts"
import { isClass } from "../Mirror.ts"
import { declareClass } from "./Classes.ts"
import { contractedSignatureOf, signatureOf } from "./Functions.ts"
import { typeOfSchema } from "../../schema/TypeOfSchema.ts"
import { docComment } from "../../schema/TypeText.ts"
import { TypeWriter } from "./Values.ts"

/** Bindings in their order, then the variables that cells made, as `[name, value]`. */
export const declare = (
  bindings: ReadonlyArray<Bound>,
  variables: Iterable<readonly [name: string, value: unknown]> = []
): string => {
  const made = [...variables]
  const named: ReadonlyArray<readonly [string, unknown]> = [
    ...bindings.map((binding) => [binding.name, "value" in binding ? binding.value : undefined] as const),
    ...made
  ]
  const known = new Map(
    named.flatMap(([name, value]): Array<[object, string]> =>
      isClass(value) ? [[(value as new() => object).prototype, name]] : []
    )
  )
  const taken = new Set(named.map(([name]) => name))
  const written = new Map<string, true>()
  const lines = [
    ...bindings.flatMap((binding) => declareBinding(binding, known, taken)),
    ...made.flatMap(([name, value]) => declareValue(name, value, "let", new TypeWriter(known, taken)))
  ]
  // Two functions may refer to one named type.
  return lines.filter((line) => !written.has(line) && written.set(line, true)).join("\n")
}

/** A function or type reads the same each time, and the sessions of an agent share its bindings. */
const fixed = new WeakMap<TypeBinding | FunctionBinding, ReadonlyArray<string>>()

const declareBinding = (
  binding: Bound,
  known: ReadonlyMap<object, string>,
  taken: Set<string>
): ReadonlyArray<string> => {
  switch (binding._tag) {
    case "Type":
    case "Function": {
      let lines = fixed.get(binding)
      if (lines === undefined) {
        fixed.set(binding, lines = binding._tag === "Type" ? declareType(binding) : declareFunction(binding))
      }
      return lines
    }
    case "Builtin":
      return [binding.declaration]
    case "Variable":
      return declareVariable(binding, new TypeWriter(known, taken))
  }
}

const declareType = ({ declaration, description, name, schema, value }: TypeBinding): ReadonlyArray<string> => {
  if (declaration !== undefined) return [`${docComment(description)}${declaration.trim()}`]
  if (value !== undefined) return [declareClass(name, value, description)]
  if (schema === undefined) return []
  const { declarations, type } = typeOfSchema(schema, "output")
  return [
    ...declarations.filter((line) => !line.startsWith(`type ${name} =`)),
    `${docComment(description)}type ${name} = ${type}`
  ]
}

const declareFunction = ({ call, contract = {}, declaration, name }: FunctionBinding): ReadonlyArray<string> => {
  if (declaration !== undefined) return [described(contract.description, declaration)]
  const { declarations, parameters, returns } = contractedSignatureOf(call, contract)
  return [...declarations, `${docComment(contract.description)}declare function ${name}(${parameters}): ${returns}`]
}

const declareVariable = (
  { contract, declaration, description, name, value }: VariableBinding,
  writer: TypeWriter
): ReadonlyArray<string> => {
  if (declaration !== undefined) return [described(description, declaration)]
  if (contract === undefined) return declareValue(name, value, "let", writer, description)
  const declarations: Array<string> = []
  const methods = Object.entries(contract).map(([method, methodContract]) => {
    const signature = contractedSignatureOf(
      (value as Record<string, (...args: Array<any>) => unknown>)[method]!,
      methodContract
    )
    declarations.push(...signature.declarations)
    return `${docComment(methodContract.description, "  ")}  ${method}(${signature.parameters}): ${signature.returns}`
  })
  const rest = Object.keys(contract).map((method) => JSON.stringify(method)).join(" | ")
  const base = writer.typeOf(value)
  const type = `${base === "any" || base === "{}" ? "" : `Omit<${base}, ${rest}> & `}{\n${methods.join("\n")}\n}`
  return [...declarations, ...writer.declarations, `${docComment(description)}declare const ${name}: ${type}`]
}

const declareValue = (
  name: string,
  value: unknown,
  keyword: "let" | "const",
  writer: TypeWriter,
  description?: string
): ReadonlyArray<string> => {
  if (typeof value === "function" && isClass(value)) return [declareClass(name, value as new() => unknown, description)]
  if (typeof value === "function") {
    const { parameters, returns } = signatureOf(value as (...args: Array<any>) => unknown)
    return [`${docComment(description)}declare function ${name}(${parameters}): ${returns}`]
  }
  const type = writer.typeOf(value)
  return [...writer.declarations, `${docComment(description)}declare ${keyword} ${name}: ${type}`]
}

/** A text of the application may have its own comment. */
const described = (description: string | undefined, declaration: string): string => {
  const text = declaration.trim()
  return text.startsWith("/**") || text.startsWith("//") ? text : `${docComment(description)}${text}`
}

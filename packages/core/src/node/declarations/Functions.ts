/**
 * Signatures of live functions: names off their source text, types off their contract.
 */
import { types } from "node:util"
import type { Contract } from "../../Contract.ts"
import { type FunctionParameter, parseFunctionParameters } from "../../syntax/Parameters.ts"
import { sourceOf } from "../StandIns.ts"
import { type SchemaType, typeOfSchema, typesOfTuple } from "../../schema/TypeOfSchema.ts"
import { propertyName } from "../../schema/TypeText.ts"

type Call = (...args: Array<any>) => unknown

/** `(city: string, options?: any): Promise<number>`, with the named types it refers to. */
export interface Signature {
  readonly parameters: string
  readonly returns: string
  readonly declarations: ReadonlyArray<string>
}

/** A function as it is, without a contract. */
export const signatureOf = (call: Call): Signature => ({
  parameters: parametersOf(call),
  returns: returnTypeOf(call),
  declarations: []
})

/** A function that crosses the boundary: it gives a promise unless it is declared harmless and never asked about. */
export const contractedSignatureOf = (call: Call, contract: Contract): Signature => {
  const input = contract.input === undefined ? undefined : typesOfTuple(contract.input)
  const output = contract.output === undefined ? undefined : typeOfSchema(contract.output, "output")
  const whole = contract.input !== undefined && input === undefined ? typeOfSchema(contract.input, "input") : undefined
  const result = output?.type ?? returnTypeOf(call)
  const synchronous = contract.effect === "none" && !contract.approval
  return {
    parameters: input !== undefined
      ? typedParameters(call, contract, input)
      : whole !== undefined
      ? `...args: ${whole.type}`
      : parametersOf(call, contract.parameters),
    returns: synchronous || result.startsWith("Promise<") || result.startsWith("AsyncGenerator<")
      ? result
      : `Promise<${result}>`,
    declarations: [
      ...input?.flatMap((type) => type.declarations) ?? [],
      ...whole?.declarations ?? [],
      ...output?.declarations ?? []
    ]
  }
}

const typedParameters = (
  call: Call,
  contract: Contract,
  input: ReadonlyArray<SchemaType & { readonly optional: boolean }>
): string => {
  const read = readParameters(call)
  const names = input.map((_, i) =>
    contract.parameters?.[i] ?? (read?.[i]?.keys === undefined ? read?.[i]?.name : "options") ?? `arg${i}`
  )
  const lastRequired = input.findLastIndex(({ optional }) => !optional)
  return input.map(({ type }, i) => `${names[i]}${i > lastRequired ? "?" : ""}: ${type}`).join(", ")
}

/** `any` for the types: they are not in the text of a function. */
export const parametersOf = (call: Call, names?: ReadonlyArray<string>): string => {
  const read = readParameters(call)
  if (names !== undefined) {
    return names.map((name, i) => `${name}${read?.[i]?.optional && !read[i]!.rest ? "?" : ""}: any`).join(", ")
  }
  if (read !== undefined) return read.map(parameterText).join(", ")
  return call.length === 0 ? "...args: any[]" : Array.from({ length: call.length }, (_, i) => `arg${i}: any`).join(", ")
}

const parameterText = ({ keys, name, optional, rest }: FunctionParameter): string => {
  if (rest) return `...${name}: any[]`
  const type = keys === undefined
    ? "any"
    : `{ ${keys.map((key) => `${propertyName(key.name)}${key.optional ? "?" : ""}: any`).join("; ")} }`
  return `${name}${optional ? "?" : ""}: ${type}`
}

const readParameters = (call: Call): ReadonlyArray<FunctionParameter> | undefined =>
  types.isProxy(call) ? undefined : parseFunctionParameters(sourceOf(call))

const returnTypeOf = (call: Call): string => {
  if (types.isProxy(call)) return "any"
  if (types.isGeneratorFunction(call)) return types.isAsyncFunction(call) ? "AsyncGenerator<any>" : "Generator<any>"
  return types.isAsyncFunction(call) ? "Promise<any>" : "any"
}

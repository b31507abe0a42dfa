/**
 * The global object of a context: what top-level names of cells are properties of.
 */
import { constants, createContext } from "node:vm"

export type Namespace = Record<string, unknown>

/** An empty context. A contextified object would make every top-level variable a hundred times slower. */
export const makeNamespace = (): Namespace => {
  const context = createContext(constants.DONT_CONTEXTIFY as never, { name: "daylight" }) as Namespace
  delete context.console
  return context
}

/** What a name holds, without running a getter. */
export const dataOf = (namespace: object, name: string): unknown =>
  Object.getOwnPropertyDescriptor(namespace, name)?.value as unknown

/**
 * Defines or replaces a name. Variables are enumerable, and nothing else is: so a listing of keys is a listing of
 * variables.
 */
export const defineName = (
  namespace: object,
  name: string,
  value: unknown,
  options: { readonly writable: boolean; readonly enumerable: boolean }
): void => {
  Object.defineProperty(namespace, name, { value, configurable: true, ...options })
}

/**
 * Errors on their way between the processes: name, message, stack, cause and own properties are kept. Reading an error
 * never throws, whatever its getters do.
 */
import { types } from "node:util"
import type { ErrorWire } from "./Messages.ts"

type Walk = (value: unknown) => unknown

/** `walk` makes the parts ready to cross. */
export const errorToWire = (error: Error, walk: Walk): ErrorWire => {
  const own: Record<string, unknown> = {}
  for (const key of safely(() => Object.keys(error)) ?? []) {
    if (structural.has(key)) continue
    own[key] = safely(() => walk(Reflect.get(error, key)))
  }
  const tag = text(error, "_tag")
  if (tag !== undefined) own._tag = tag
  const code = safely(() => Reflect.get(error, "code"))
  if (typeof code === "string" || typeof code === "number") own.code = code
  const errors = safely(() => Reflect.get(error, "errors"))
  return {
    name: text(error, "name") ?? "Error",
    base: baseOf(error),
    message: text(error, "message") ?? "",
    stack: text(error, "stack") ?? "",
    own,
    ...(safely(() => Object.hasOwn(error, "cause")) === true && { cause: safely(() => walk(error.cause)) }),
    ...(Array.isArray(errors) && { errors: partsOf(errors, walk) })
  }
}

/** Whether the copy that has come back still says what the error says. */
export const isUnchanged = (error: object, wire: ErrorWire): boolean => {
  if ("thrown" in wire || !isError(error)) return false
  const { message, name, own } = errorToWire(error, () => undefined) as Extract<ErrorWire, { readonly own: unknown }>
  return message === wire.message && name === wire.name && Object.keys(own).join() === Object.keys(wire.own).join()
}

/** Gives what was thrown. `made` is told of the error before its parts, which may lead back to it. */
export const errorFromWire = (wire: ErrorWire, walk: Walk, made: (error: object) => void): unknown => {
  if ("thrown" in wire) return walk(wire.thrown)
  const constructor = Object.hasOwn(constructors, wire.base) ? constructors[wire.base]! : Error
  const error = wire.errors === undefined ? new constructor(wire.message) : new AggregateError([], wire.message)
  made(error)
  if (wire.errors !== undefined) define(error, "errors", wire.errors.map(walk))
  if (error.name !== wire.name) define(error, "name", wire.name)
  for (const key of Object.keys(wire.own)) define(error, key, walk(wire.own[key]), true)
  if ("cause" in wire) define(error, "cause", walk(wire.cause))
  define(error, "farStack", wire.stack)
  return error
}

const constructors: Readonly<Record<string, new(message: string) => Error>> = {
  Error,
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
  EvalError,
  URIError
}

const structural = new Set(["name", "message", "stack", "cause", "errors", "farStack"])

/** What can be told by name and message. */
export const isError = (value: unknown): value is Error =>
  types.isNativeError(value) || safely(() => value instanceof Error) === true

/** The list may be one of a cell, and so may be its methods. */
const partsOf = (list: ReadonlyArray<unknown>, walk: Walk): ReadonlyArray<unknown> => {
  const parts: Array<unknown> = []
  for (let i = 0; i < Math.min(list.length, mostErrors); i++) parts.push(safely(() => walk(list[i])))
  return parts
}

const mostErrors = 1_000

/** The nearest built-in class, by the name of a prototype's constructor: realms have one each. */
const baseOf = (error: object): string => {
  let prototype = safely(() => Object.getPrototypeOf(error) as object | null) ?? null
  for (let i = 0; prototype !== null && i < 20; i++) {
    const name: unknown = safely(() => Object.getOwnPropertyDescriptor(prototype, "constructor")?.value?.name)
    if (typeof name === "string" && Object.hasOwn(constructors, name)) return name
    prototype = safely(() => Object.getPrototypeOf(prototype!) as object | null) ?? null
  }
  return "Error"
}

const define = (target: object, key: string, value: unknown, enumerable = false): void => {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true })
}

const text = (error: object, key: string): string | undefined => {
  const value = safely(() => Reflect.get(error, key))
  return typeof value === "string" ? value : undefined
}

const safely = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined // a getter that throws: the rest of the error is still told
  }
}

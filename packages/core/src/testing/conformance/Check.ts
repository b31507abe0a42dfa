/**
 * Assertions that compare by structure, across realms and processes.
 */

export class ConformanceFailure extends Error {
  override readonly name = "ConformanceFailure"
}

export const fail = (message: string): never => {
  throw new ConformanceFailure(message)
}

export const truthy = (value: unknown, what: string): void => {
  if (!value) fail(`${what}: expected it to hold`)
}

export const includes = (text: string, part: string, what: string): void => {
  if (!text.includes(part)) fail(`${what}: expected ${show(text)} to contain ${show(part)}`)
}

export const excludes = (text: string, part: string, what: string): void => {
  if (text.includes(part)) fail(`${what}: expected ${show(text)} not to contain ${show(part)}`)
}

export const equal = (actual: unknown, expected: unknown, what: string): void => {
  if (!same(actual, expected)) fail(`${what}: expected ${show(expected)}, got ${show(actual)}`)
}

export const identical = (actual: unknown, expected: unknown, what: string): void => {
  if (!Object.is(actual, expected)) fail(`${what}: expected the very same ${show(expected)}, got ${show(actual)}`)
}

/** Gives the message of the failure, which has to be of this kind. */
export const rejects = async (promise: Promise<unknown>, tag: string): Promise<string> => {
  const error = await promise.then(() => fail(`expected a ${tag}`), (error: unknown) => error)
  const { _tag, message } = error as { readonly _tag?: unknown; readonly message?: unknown }
  if (_tag !== tag) fail(`expected a ${tag}, got ${String(error)}`)
  return String(message)
}

/** By tag and content: two realms have two classes of each kind. */
const same = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  const tag = tagOf(a)
  if (tag !== tagOf(b)) return false
  switch (tag) {
    case "[object Date]":
      return Object.is(Number(a), Number(b))
    case "[object RegExp]":
      return String(a) === String(b)
    case "[object Map]":
    case "[object Set]":
      return same([...(a as Iterable<unknown>)], [...(b as Iterable<unknown>)])
    case "[object Error]":
      return String(a) === String(b)
    default:
      return sameProperties(a, b)
  }
}

const sameProperties = (a: object, b: object): boolean => {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) =>
    Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])
  )
}

const tagOf = (value: object): string => Object.prototype.toString.call(value)

const show = (value: unknown): string => {
  if (typeof value === "bigint") return `${value}n`
  if (typeof value === "function") return "a function"
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return tagOf(value as object) // a cycle, or a bigint inside
  }
}

import { InvalidInput } from "../InvalidInput.ts"

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u

const reserved = new Set(
  ("await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in " +
    "instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield " +
    "arguments eval undefined NaN Infinity globalThis").split(" ")
)

/** Globals of the language and of every runtime. A binding must not hide them: model-written code counts on them. */
const globals = new Set(
  ("Object Function Array String Number Boolean Symbol BigInt Math JSON Reflect Proxy Promise Date RegExp Map Set WeakMap WeakSet WeakRef Error TypeError " +
    "RangeError SyntaxError ReferenceError EvalError URIError AggregateError Intl Atomics Iterator ArrayBuffer SharedArrayBuffer DataView Int8Array " +
    "Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array " +
    "FinalizationRegistry parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape console " +
    "setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask structuredClone URL URLSearchParams TextEncoder " +
    "TextDecoder AbortController AbortSignal Event EventTarget performance atob btoa crypto finish ask").split(" ")
)

/** Names are compared as the language compares identifiers a person may have typed differently. */
export const normalName = (name: string): string => name.normalize("NFKC")

/** Throws `InvalidInput` for a name that model-written code could not use, or that would hide something it needs. */
export const checkName = (kind: string, name: string): void => {
  const fail = (problem: string, remedy: string): never => {
    throw new InvalidInput({ subject: `${kind} ${JSON.stringify(name)}`, problem, remedy })
  }
  if (typeof name !== "string" || !identifier.test(name)) {
    fail("is not an identifier", "Use letters, digits, _ and $, not beginning with a digit")
  }
  if (reserved.has(name)) fail("is a reserved word", "Choose another name")
  if (globals.has(normalName(name))) fail("would hide a global of the runtime", "Choose another name")
  if (name.startsWith("__")) {
    fail("begins with two underscores, which the runtime keeps for itself", "Choose another name")
  }
}

/** Throws `InvalidInput` if two bindings, also after normalisation, have one name. */
export const checkDistinct = (names: Iterable<string>, taken: ReadonlySet<string> = new Set()): void => {
  const seen = new Set(taken)
  for (const name of names) {
    const normal = normalName(name)
    if (seen.has(normal)) {
      throw new InvalidInput({
        subject: `binding ${JSON.stringify(name)}`,
        problem: "the name is used twice",
        remedy: "Give each binding a name of its own"
      })
    }
    seen.add(normal)
  }
}

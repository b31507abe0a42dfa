/**
 * Kinds of failure that a cell meets, and what the model is told about each beyond the message.
 */
import { types } from "node:util"
import { absent } from "./Globals.ts"
import { typeNameOf } from "./Describe.ts"
import { membersOf } from "./Members.ts"
import type { Failure } from "./Problem.ts"
import { didYouMean } from "./Suggest.ts"

/** What is known when a cell fails. */
export interface Scene {
  readonly code: string
  /** 1-based line of the failure in `code`. */
  readonly line?: number | undefined
  /** Every name a cell may use. */
  readonly names: ReadonlyArray<string>
  /** Names that are gone since the namespace was reset or lost. */
  readonly lost: ReadonlySet<string>
  readonly readonly: ReadonlySet<string>
  /** What a top-level name holds, or nothing where code would have to run to know. */
  readonly lookup: (name: string) => unknown
  /** Functions of the application that give promises, by path. */
  readonly asynchronous: ReadonlySet<string>
}

type Hint = (failure: Failure, scene: Scene) => string | undefined

/** The first that has something to say. */
export const hintFor = (failure: Failure, scene: Scene): string | undefined => {
  try {
    for (const hint of Object.values(hints)) {
      const text = hint(failure, scene)
      if (text !== undefined) return text
    }
  } catch {
    // A thrown object may throw when it is looked at; then there is no hint.
  }
  return undefined
}

/** On a message of one kind of failure. */
const when =
  (pattern: RegExp, say: (match: RegExpExecArray, scene: Scene, failure: Failure) => string | undefined): Hint =>
  (failure, scene) => {
    const match = pattern.exec(failure.message)
    return match === null ? undefined : say(match, scene, failure)
  }

/** On a refusal of the boundary. */
const refused =
  (tag: string, say: (reason: Readonly<Record<string, unknown>>, path: string) => string): Hint => ({ error }) => {
    const { _tag, reason, path } = (error ?? {}) as {
      readonly _tag?: unknown
      readonly reason?: { readonly _tag?: unknown }
      readonly path?: unknown
    }
    return _tag === "HostCallError" && reason?._tag === tag ? say(reason, String(path)) : undefined
  }

/** Every kind, by name; the order is that of precedence. */
export const hints: Readonly<Record<string, Hint>> = {
  timeout: ({ stage, message }) =>
    stage !== "timeout"
      ? undefined
      : message.includes("without yielding")
      ? "look for a loop that does not end; do heavy work in smaller pieces over several cells"
      : "what was awaited did not come in time; do less in one cell, and give calls a limit of their own",

  memory: (failure) =>
    failure.stage === "crash" ||
      /^(Invalid (array|string|typed array|array buffer) length|Array buffer allocation failed|Map maximum size exceeded|Set maximum size exceeded)/i
        .test(failure.message)
      ? "this needs more memory than there is; work on slices or aggregates, and do not copy large data"
      : undefined,

  recursion: when(
    /^Maximum call stack size exceeded/,
    () => "a function calls itself without end; check its stop condition, or use a loop"
  ),

  deniedCall: refused(
    "Denied",
    (_, path) => `${path} did nothing; do not try the same call again, find another way or say what stands against it`
  ),
  expiredCall: refused(
    "Expired",
    (_, path) => `${path} did nothing, since nobody answered; go on without it or ask again later`
  ),
  budget: refused("OverBudget", () => "the call did nothing; finish with what you have"),
  badArguments: refused(
    "InvalidArguments",
    (_, path) => `${path} did nothing; compare the arguments with its declaration`
  ),
  badResult: refused(
    "InvalidResult",
    (_, path) => `${path} ran; the fault is in the application, so repeating it does not help`
  ),
  unknownOutcome: refused("UnknownOutcome", (_, path) => `find out whether ${path} took effect before you repeat it`),
  lostReference: refused(
    "ReferenceLost",
    (reason) => `the ${String(reason.type)} is gone; get a new one from the application's functions`
  ),

  childFailed: ({ error }) =>
    (error as { readonly _tag?: unknown } | null)?._tag === "OutcomeError"
      ? "the other agent did not complete; its outcome is in error.outcome, and its variables are kept"
      : undefined,

  wrongName: when(/^(?:Error: )?(\S+) is not defined$/, ([, name], scene) => {
    if (scene.lost.has(name!)) return `${name} was lost with the earlier state of the namespace; make it again`
    if (Object.hasOwn(absent, name!)) return `there is no ${name} here: ${absent[name!]}`
    const near = didYouMean(name!, scene.names)
    return near === undefined
      ? "declare it first; names of earlier cells are kept, those of functions are not"
      : `did you mean ${near}?`
  }),

  absentModule: (failure) =>
    failure.message.startsWith("Cannot find module") ||
      (failure.error as { readonly code?: unknown } | null)?.code === "ERR_MODULE_NOT_FOUND"
      ? "modules have to be granted by the application; write it in plain JavaScript, or use the functions that are declared"
      : undefined,

  notIterable: when(
    /^(?:object is not iterable|(.+?) is not iterable|(.+?) is not async iterable|.*undefined is not a function.*Symbol.*iterator)/,
    ([, path], scene) => {
      const value = path === undefined ? undefined : resolve(path, scene)
      if (isPending(path, value, scene)) return `${path} is a promise: put await before it`
      if (value === null || value === undefined) return "it is empty: look at where the value comes from"
      return "only arrays, texts, maps and sets can be iterated; for an object use Object.entries(x), Object.keys(x) or Object.values(x)"
    }
  ),

  notAFunction: when(/^(.+) is not a function/, ([, path], scene) => notAFunction(path!, scene)),

  notAConstructor: when(
    /^(.+) is not a constructor/,
    ([, path]) => `${path} is no class: call it without new, or look at its declaration`
  ),

  emptyValue: when(
    /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) '(.+)'\)/,
    ([, empty, member], scene) => emptyValue(empty!, member!, scene)
  ),

  destructured: when(
    /^Cannot destructure property '(.+?)' of '(.+?)'/,
    ([, , source]) => `${source} is empty; look at it, or give a default: ({ … } = ${source} ?? {})`
  ),

  readOnlyName: when(
    /^Cannot assign to read only property '(.+?)' of object '#<Object>'$/,
    ([, name], scene) =>
      scene.readonly.has(name!)
        ? `${name} belongs to the application and cannot be replaced; choose another name`
        : undefined
  ),

  readOnlyBinding: when(
    /^Cannot (?:assign to|declare) '(.+?)'/,
    ([, name]) => `${name} belongs to the application and cannot be replaced; choose another name`
  ),

  constant: when(/^Assignment to constant variable/, () => "declare it with let, or choose another name"),

  frozen: when(
    /^Cannot (?:assign to read only property|add property|delete property|define property)/,
    () => "the object is frozen or read-only: make a changed copy, such as { ...object, key: value }"
  ),

  onlyGetter: when(
    /^Cannot set property (.+?) of .+ which has only a getter/,
    ([, name]) => `${name} can only be read`
  ),

  json: (failure) =>
    failure.name === "SyntaxError" &&
      /JSON|Unexpected (?:token|end|non-whitespace|number|string)|Bad control character/.test(failure.message)
      ? "the text is no JSON: print its first characters; it may be an object already, or have text around the JSON"
      : undefined,

  circular: when(
    /^Converting circular structure to JSON/,
    () => "pick the fields you need before JSON.stringify, or print the object itself"
  ),

  bigint: when(
    /Cannot mix BigInt|Do not know how to serialize a BigInt/,
    () => "convert first: Number(x) or BigInt(x); for JSON use String(x)"
  ),

  invalidDate: when(/^Invalid time value/, () => "the date could not be parsed; print the text it was made from"),

  regularExpression: when(
    /^Invalid regular expression/,
    () => "escape ( ) [ ] { } . * + ? ^ $ | \\ in texts that become a regular expression"
  )
}

const notAFunction = (path: string, scene: Scene): string => {
  const called = /^(.*)\(\.\.\.\)\.([\w$]+)$/.exec(path)
  if (called !== null && isAsynchronous(called[1]!, scene)) {
    return `${called[1]}(...) gives a promise: write (await ${called[1]}(...)).${called[2]}(...)`
  }
  const [container, member] = split(path)
  if (container !== undefined && member !== undefined) {
    const owner = resolve(container, scene)
    if (isPending(container, owner, scene)) return `${container} is a promise: put await before it`
    if (owner !== undefined && owner !== null) return wrongMember(container, owner, member)
  }
  const value = resolve(path, scene)
  if (value === undefined && !path.includes(".")) return `${path} holds no function; look at what it is first`
  return `${path} is ${article(typeNameOf(value))}; look at what it is before you call it`
}

const wrongMember = (container: string, owner: unknown, member: string): string => {
  const members = membersOf(owner)
  const near = didYouMean(member, members)
  if (near !== undefined) return `did you mean ${container}.${near}?`
  if (members.includes(member)) return `${container}.${member} is a value and no function: leave the parentheses away`
  const methods = members.slice(0, 12).join(", ")
  return `${container} is ${article(typeNameOf(owner))} and has no ${member}${
    methods === "" || isBuiltIn(owner) ? "" : `; it has ${methods}`
  }`
}

const emptyValue = (empty: string, member: string, scene: Scene): string => {
  const line = scene.code.split("\n")[(scene.line ?? 0) - 1] ?? ""
  const before = new RegExp(
    `([\\p{ID_Start}$_](?:[\\p{ID_Continue}$.?]|\\[\\d+\\])*)\\s*(?:\\?\\.|\\.)\\s*${
      member.replace(/[$]/g, "\\$&")
    }(?![\\p{ID_Continue}$])`,
    "u"
  ).exec(line)?.[1]
  const source = before?.replaceAll("?", "")
  if (source === undefined) return `what stands before ${member} is ${empty}; look at it before you go on`
  const [container, name] = split(source)
  const owner = container === undefined ? undefined : resolve(container, scene)
  if (owner !== undefined && owner !== null && name !== undefined) {
    if (isPending(container, owner, scene)) return `${container} is a promise: put await before it`
    const near = didYouMean(name, membersOf(owner))
    if (near !== undefined) return `${source} is ${empty}; did you mean ${container}.${near}?`
  }
  return `${source} is ${empty}; look at where it comes from, or use ${source}?.${member}`
}

/** `a.b.c` as `["a.b", "c"]`. */
const split = (path: string): [string | undefined, string | undefined] => {
  const dot = path.lastIndexOf(".")
  return dot < 0 ? [undefined, path] : [path.slice(0, dot), path.slice(dot + 1)]
}

/** The value at `a.b[0].c`, by data properties alone. */
const resolve = (path: string, scene: Scene): unknown => {
  const [first, ...rest] = path.replaceAll(/\[(\d+)\]/g, ".$1").split(".")
  let value = scene.lookup(first!)
  for (const name of rest) value = property(value, name)
  return value
}

const property = (value: unknown, name: string): unknown => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined
  for (let p: object | null = value; p !== null && !types.isProxy(p); p = Object.getPrototypeOf(p) as object | null) {
    const own = Object.getOwnPropertyDescriptor(p, name)
    if (own !== undefined) return own.value as unknown
  }
  return undefined
}

const isBuiltIn = (value: unknown): boolean =>
  typeof value !== "object" || Array.isArray(value) || types.isMap(value) || types.isSet(value) || types.isDate(value)

const isPending = (path: string | undefined, value: unknown, scene: Scene): boolean =>
  types.isPromise(value) || (path !== undefined && path.endsWith("(...)") && isAsynchronous(path.slice(0, -5), scene))

const isAsynchronous = (path: string, scene: Scene): boolean =>
  scene.asynchronous.has(path) || types.isAsyncFunction(resolve(path, scene))

const article = (type: string): string =>
  type === "undefined" || type === "null" ? type : `${/^[aeiou]/i.test(type) ? "an" : "a"} ${type}`

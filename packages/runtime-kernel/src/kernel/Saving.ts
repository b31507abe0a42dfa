/**
 * A namespace at rest: data in one graph, functions and classes by their text, live objects of the host by number or
 * path. What cannot be kept is listed with its path and the reason.
 */
import type { Notebook } from "@daylight/core/node"
import { types } from "node:util"
import type { SavedNamespace } from "../wire/Messages.ts"
import type { Entropy } from "./Entropy.ts"
import type { Exports } from "./Exports.ts"
import { GraphWriter, readGraph, Unsaveable } from "./Graph.ts"
import type { References } from "./References.ts"

interface Source {
  readonly value: object
  readonly code: string
}

/**
 * Functions and classes declared at the top level: they close over nothing but the namespace, so their text is all of
 * them.
 */
export class Sources {
  readonly #byName = new Map<string, Source>()

  /** `names`: those a cell declared. The order is that of declaration, so that a base class comes first. */
  note(names: ReadonlyArray<string>, notebook: Notebook): void {
    for (const name of names) {
      const value = notebook.get(name)
      if (typeof value !== "function" || types.isProxy(value)) continue
      if (this.#byName.get(name)?.value === value) continue
      this.#byName.delete(name)
      this.#byName.set(name, { value, code: Function.prototype.toString.call(value) })
    }
  }

  clear(): void {
    this.#byName.clear()
  }

  /** Those that still are what their names hold. */
  current(notebook: Notebook): ReadonlyArray<readonly [name: string, source: Source]> {
    return [...this.#byName].filter(([name, { value }]) => notebook.has(name) && notebook.get(name) === value)
  }
}

export interface Saving {
  readonly notebook: Notebook
  readonly sources: Sources
  readonly readonly: ReadonlySet<string>
  readonly references: References
  readonly exports: Exports
  readonly ns: number
  readonly clock: number
  readonly pending: number
  /** Bytes of data. */
  readonly limit: number
  /** Milliseconds that it may take. */
  readonly ms: number
}

/** `whole`: nothing was left out for its size, or for the time that it would have taken. */
export const saveNamespace = (saving: Saving): { readonly saved: SavedNamespace; readonly whole: boolean } => {
  const { clock, exports, limit, ms, notebook, ns, pending, references, sources } = saving
  const current = sources.current(notebook)
  const byText = new Map<object, string>(current.map(([name, { value }]) => [value, name]))
  const classes = new Map<object, string>(
    current.flatMap(([name, { code, value }]) =>
      /^class\b/.test(code) ? [[(value as unknown as { prototype: object }).prototype, name] as const] : []
    )
  )
  const held: Array<SavedNamespace["references"][number]> = []
  const names = notebook.names()
  const writer = new GraphWriter(
    (value, path) => special(value, path, { references, byText, classes, sources: current, held }),
    limit,
    ms
  )
  const refused = writer.record(
    names.filter((name) =>
      !byText.has(notebook.get(name) as object) || byText.get(notebook.get(name) as object) !== name
    )
      .map((name) => [name, notebook.get(name)])
  )
  const saved = {
    data: writer.text(),
    sources: current.map(([name, { code }]) => ({ name, code })),
    lost: refused.map(({ error, name }) => ({ name, path: error.path, reason: error.message })),
    names,
    references: held,
    clock,
    pending,
    callbacks: Object.fromEntries(current.flatMap(([name, { value }]) => {
      const id = exports.idOf(value)
      return id === undefined ? [] : [[name, id]]
    })),
    lastCallback: exports.last(ns)
  }
  return { saved, whole: !writer.exceeded }
}

interface Special {
  readonly references: References
  readonly byText: ReadonlyMap<object, string>
  readonly classes: ReadonlyMap<object, string>
  readonly sources: ReadonlyArray<readonly [string, Source]>
  readonly held: Array<SavedNamespace["references"][number]>
}

const special = (
  value: object,
  path: string,
  { byText, classes, held, references, sources }: Special
): readonly [string, unknown] | undefined => {
  const id = references.idOf(value)
  if (id !== undefined) {
    held.push({ id, path })
    return ["HostRef", `#${id}`]
  }
  if (types.isProxy(value)) throw new Unsaveable(path, "a proxy is code")
  const text = byText.get(value)
  if (text !== undefined) return ["Source", text]
  if (typeof value === "function") {
    throw new Unsaveable(path, "a function that was not declared at the top level closes over more than its text")
  }
  if (types.isPromise(value)) throw new Unsaveable(path, "a promise is work under way")
  if (types.isWeakMap(value) || types.isWeakSet(value)) throw new Unsaveable(path, "what it holds cannot be listed")
  if (types.isGeneratorObject(value)) throw new Unsaveable(path, "an iterator is code under way")
  if (types.isNativeError(value)) return ["Error", errorParts(value)]
  const className = classes.get(Object.getPrototypeOf(value) as object)
  if (className === undefined) return undefined
  if (/#[\p{ID_Start}$_]/u.test(sources.find(([name]) => name === className)![1].code)) {
    throw new Unsaveable(path, `class ${className} has private fields`)
  }
  return ["Instance", { class: className, fields: { ...value } }]
}

const errorParts = (error: Error): object => ({
  name: error.name,
  message: error.message,
  stack: error.stack ?? "",
  own: { ...error },
  ...(Object.hasOwn(error, "cause") && { cause: error.cause })
})

export interface Reviving {
  readonly notebook: Notebook
  readonly sources: Sources
  readonly exports: Exports
  readonly ns: number
  readonly entropy: Entropy
  /** Gives the host's object, if it is still there. */
  readonly revive: (id: number, path: string | undefined) => unknown
  readonly lost: (type: string) => object
}

type Lost = SavedNamespace["lost"]

/** Gives what was not there any more. */
export const reviveNamespace = (
  saved: SavedNamespace,
  { entropy, exports, lost, notebook, ns, revive, sources }: Reviving
): Lost => {
  const gone: Array<Lost[number]> = []
  entropy.since(saved.clock)
  for (const { code, name } of saved.sources) {
    const failure = evaluate(notebook, name, code)
    if (failure !== undefined) gone.push({ name, path: name, reason: failure })
  }
  sources.note(saved.sources.map(({ name }) => name), notebook)
  exports.startAt(ns, saved.lastCallback)
  for (const [name, id] of Object.entries(saved.callbacks)) {
    const value = notebook.get(name)
    if (typeof value === "function") exports.restore(id, value, ns)
  }
  const values = readGraph(saved.data, (tag, payload) => {
    switch (tag) {
      case "HostRef": {
        const text = payload as string
        const object = text.startsWith("#")
          ? revive(Number(text.slice(1)), undefined)
          : text.startsWith("?")
          ? undefined
          : revive(0, text)
        return object ?? lost(text.startsWith("?") ? text.slice(1) : "host object")
      }
      case "Source":
        return notebook.get(payload as string)
      case "Error":
        return errorOf(payload as never)
      case "Instance": {
        const { class: name, fields } = payload as { readonly class: string; readonly fields: object }
        const constructor = notebook.get(name)
        const prototype = typeof constructor === "function" ? constructor.prototype as object : Object.prototype
        return Object.assign(Object.create(prototype) as object, fields)
      }
      default:
        throw new TypeError(`a snapshot holds something unknown: ${tag}`)
    }
  })
  for (const [name, value] of Object.entries(values)) notebook.set(name, value)
  return gone
}

const errorOf = ({ cause, message, name, own, stack }: {
  readonly name: string
  readonly message: string
  readonly stack: string
  readonly own: object
  readonly cause?: unknown
}): Error => {
  const constructor = (globalThis as unknown as Record<string, (new(message: string) => Error) | undefined>)[name]
  const error = /Error$/.test(name) && constructor !== undefined ? new constructor(message) : new Error(message)
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true })
  Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true })
  if (cause !== undefined) Object.defineProperty(error, "cause", { value: cause, configurable: true, writable: true })
  return Object.assign(error, own)
}

const quiet = { timeMs: 1_000, cpuMs: 1_000, outputBytes: 0, inlineChars: 0, previewChars: 0 }

/** Runs the text of one declaration as a cell of its own. Gives why it failed. */
const evaluate = (notebook: Notebook, name: string, code: string): string | undefined => {
  let failure: string | undefined = "it did not end"
  const parsed = {
    code,
    rewritten: `(()=>{"use strict";\n${name}=(${code})\n;})()`,
    hoisted: [],
    names: new Map([[name, "let" as const]])
  }
  notebook.prepare({ id: 0, parsed, limits: quiet }, ({ report }) => {
    failure = report.problem?.message
  }).start()
  return failure
}

/**
 * Values as one text in the notation of the `devalue` package: a list of nodes that refer to each other by number, so
 * that cycles and shared parts survive. What has no notation is written by the caller, or refused with its path.
 */
import { types } from "node:util"
import { isPlain, memberPath } from "../wire/Crossing.ts"

/** Why a value cannot be written. */
export class Unsaveable extends Error {
  readonly path: string

  constructor(path: string, reason: string) {
    super(reason)
    this.path = path
  }
}

/** `[tag, payload]` for a value that is written in another way; nothing for one that is not special. */
export type Special = (value: object, path: string) => readonly [tag: string, payload: unknown] | undefined

type Node = unknown

export class GraphWriter {
  readonly #special: Special
  readonly #limit: number
  readonly #until: number
  #nodes: Array<Node> = []
  #bytes = 0
  #looks = 0
  /** Something was refused that only took too much room or time. */
  exceeded = false
  #seen = new Map<unknown, number>()

  /** `limit`: bytes of text, roughly. `ms`: how long it may take. */
  constructor(special: Special, limit: number, ms: number) {
    this.#special = special
    this.#limit = limit
    this.#until = performance.now() + ms
  }

  /** Writes all that can be written, and gives what cannot. */
  record(
    entries: ReadonlyArray<readonly [name: string, value: unknown]>
  ): ReadonlyArray<{ readonly name: string; readonly error: Unsaveable }> {
    const root: Record<string, number> = {}
    const refused: Array<{ readonly name: string; readonly error: Unsaveable }> = []
    this.#nodes.push(root)
    for (const [name, value] of entries) {
      const before = { nodes: this.#nodes.length, bytes: this.#bytes }
      try {
        root[name] = this.#write(value, name)
      } catch (error) {
        this.#takeBack(before)
        refused.push({
          name,
          error: error instanceof Unsaveable ? error : new Unsaveable(name, (error as Error).message)
        })
      }
    }
    return refused
  }

  text(): string {
    return JSON.stringify(this.#nodes)
  }

  /** A variable that failed half-way leaves nothing, so that another may still write the shared parts. */
  #takeBack(before: { readonly nodes: number; readonly bytes: number }): void {
    this.#nodes.length = before.nodes
    this.#bytes = before.bytes
    for (const [value, at] of this.#seen) if (at >= before.nodes) this.#seen.delete(value)
  }

  #write(value: unknown, path: string): number {
    const constant = constantOf(value)
    if (constant !== undefined) return constant
    const seen = this.#seen.get(value)
    if (seen !== undefined) return seen
    const at = this.#nodes.length
    this.#nodes.push(null)
    this.#seen.set(value, at)
    this.#nodes[at] = this.#node(value, path)
    return at
  }

  #node(value: unknown, path: string): Node {
    switch (typeof value) {
      case "string":
        this.#spend(value.length, path)
        return value
      case "number":
      case "boolean":
        this.#spend(8, path)
        return value
      case "bigint":
        return ["BigInt", String(value)]
      case "symbol":
        throw new Unsaveable(path, "a symbol is unique to its process")
      default:
        return value === null ? null : this.#object(value as object, path)
    }
  }

  #object(value: object, path: string): Node {
    const special = this.#special(value, path)
    if (special !== undefined) return [special[0], this.#write(special[1], path)]
    if (Array.isArray(value)) return this.#array(value, path)
    if (types.isMap(value)) {
      return [
        "Map",
        ...[...entriesOfMap.call(value)].flatMap(([key, item]) => [
          this.#write(key, path),
          this.#write(item, `${path}.get(${typeof key === "string" ? JSON.stringify(key) : String(key)})`)
        ])
      ]
    }
    if (types.isSet(value)) return ["Set", ...[...valuesOfSet.call(value)].map((item) => this.#write(item, path))]
    if (types.isDate(value)) {
      const time = Date.prototype.getTime.call(value)
      return ["Date", Number.isNaN(time) ? "" : new Date(time).toISOString()]
    }
    if (types.isRegExp(value)) return ["RegExp", value.source, value.flags]
    if (types.isArrayBuffer(value)) return ["ArrayBuffer", this.#base64(new Uint8Array(value), path)]
    if (ArrayBuffer.isView(value)) return this.#view(value, path)
    if (value instanceof URL) return ["URL", value.href]
    if (types.isBoxedPrimitive(value)) return ["Object", (value as { valueOf(): unknown }).valueOf() as Node]
    if (!isPlain(value)) throw new Unsaveable(path, "its class is not one that a cell declared at the top level")
    return this.#record(value, path)
  }

  #array(value: ReadonlyArray<unknown>, path: string): Node {
    this.#spend(8 * value.length, path)
    return Array.from(
      { length: value.length },
      (_, i) => i in value ? this.#write(value[i], memberPath(path, String(i))) : -2
    )
  }

  #record(value: object, path: string): Node {
    const record: Record<string, number> = {}
    for (const key of Object.keys(value)) {
      const own = Object.getOwnPropertyDescriptor(value, key)!
      if (own.get !== undefined || own.set !== undefined) {
        throw new Unsaveable(memberPath(path, key), "it has a getter or setter")
      }
      this.#spend(key.length, path)
      Object.defineProperty(record, key, { value: this.#write(own.value, memberPath(path, key)), enumerable: true })
    }
    return Object.getPrototypeOf(value) === null ? ["null", ...Object.entries(record).flat()] : record
  }

  #view(value: ArrayBufferView, path: string): Node {
    const name = Object.prototype.toString.call(value).slice(8, -1)
    return [name, this.#base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), path)]
  }

  #base64(bytes: Uint8Array, path: string): string {
    this.#spend(bytes.length, path)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
  }

  #spend(bytes: number, path: string): void {
    this.#bytes += bytes
    const late = (++this.#looks & 1_023) === 0 && performance.now() > this.#until
    if (!late && this.#bytes <= this.#limit) return
    this.exceeded = true
    const why = late ? "writing the namespace takes too long" : `the namespace is larger than ${this.#limit} bytes`
    throw new Unsaveable(path, why)
  }
}

/** Reads what `GraphWriter` wrote. `special` makes the values of its tags. */
export const readGraph = (text: string, special: (tag: string, payload: unknown) => unknown): Record<string, unknown> =>
  new GraphReader(JSON.parse(text) as ReadonlyArray<Node>, special).record()

/** One value of the log in the same notation: the first node, or a constant. */
export const readValue = (text: string): unknown => {
  const nodes = JSON.parse(text) as ReadonlyArray<Node> | number
  const special = (tag: string): never => {
    throw new TypeError(`a value holds something unknown: ${tag}`)
  }
  return typeof nodes === "number"
    ? new GraphReader([], special).value(nodes)
    : new GraphReader(nodes, special).value(0)
}

class GraphReader {
  readonly #nodes: ReadonlyArray<Node>
  readonly #special: (tag: string, payload: unknown) => unknown
  readonly #values = new Map<number, unknown>()

  constructor(nodes: ReadonlyArray<Node>, special: (tag: string, payload: unknown) => unknown) {
    this.#nodes = nodes
    this.#special = special
  }

  record(): Record<string, unknown> {
    return this.#value(0) as Record<string, unknown>
  }

  value(at: number): unknown {
    return this.#value(at)
  }

  #value(at: number): unknown {
    if (at < 0) return constants[-at]
    if (this.#values.has(at)) return this.#values.get(at)
    const node = this.#nodes[at]
    if (typeof node !== "object" || node === null) return node
    if (!Array.isArray(node)) return this.#fill(at, {}, Object.entries(node as Record<string, number>))
    return typeof node[0] === "string"
      ? this.#tagged(at, node[0], node.slice(1))
      : this.#array(at, node as ReadonlyArray<number>)
  }

  #array(at: number, items: ReadonlyArray<number>): unknown {
    const array: Array<unknown> = []
    array.length = items.length
    this.#values.set(at, array)
    items.forEach((item, i) => {
      if (item !== -2) array[i] = this.#value(item)
    })
    return array
  }

  #fill(at: number, record: object, entries: ReadonlyArray<readonly [string, number]>): unknown {
    this.#values.set(at, record)
    for (const [key, item] of entries) {
      Object.defineProperty(record, key, {
        value: this.#value(item),
        enumerable: true,
        writable: true,
        configurable: true
      })
    }
    return record
  }

  #tagged(at: number, tag: string, parts: ReadonlyArray<unknown>): unknown {
    const made = this.#made(at, tag, parts)
    this.#values.set(at, made)
    return made
  }

  #made(at: number, tag: string, parts: ReadonlyArray<unknown>): unknown {
    const [first, second] = parts as [any, any]
    switch (tag) {
      case "BigInt":
        return BigInt(first)
      case "Date":
        return new Date(first === "" ? Number.NaN : first)
      case "RegExp":
        return new RegExp(first, second)
      case "URL":
        return new URL(first)
      case "Object":
        return Object(first)
      case "ArrayBuffer":
        return bytesOf(first).buffer
      case "null":
        return this.#fill(at, Object.create(null) as object, pairs(parts) as ReadonlyArray<readonly [string, number]>)
      case "Set": {
        const set = new Set<unknown>()
        this.#values.set(at, set)
        for (const item of parts) set.add(this.#value(item as number))
        return set
      }
      case "Map": {
        const map = new Map<unknown, unknown>()
        this.#values.set(at, map)
        for (const [key, item] of pairs(parts)) map.set(this.#value(key as number), this.#value(item as number))
        return map
      }
    }
    const view = (globalThis as unknown as Record<
      string,
      { BYTES_PER_ELEMENT?: number; new(buffer: ArrayBuffer): unknown } | undefined
    >)[tag]
    if (view !== undefined && (view.BYTES_PER_ELEMENT !== undefined || tag === "DataView")) {
      return new view(bytesOf(first).buffer as ArrayBuffer)
    }
    return this.#special(tag, this.#value(first as number))
  }
}

const constants: Readonly<Record<number, unknown>> = { 1: undefined, 3: Number.NaN, 4: Infinity, 5: -Infinity, 6: -0 }

const constantOf = (value: unknown): number | undefined => {
  if (value === undefined) return -1
  if (typeof value !== "number") return undefined
  if (Number.isNaN(value)) return -3
  if (value === Infinity) return -4
  if (value === -Infinity) return -5
  return Object.is(value, -0) ? -6 : undefined
}

/** A copy with a buffer of its own. */
const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"))

const pairs = (parts: ReadonlyArray<unknown>): ReadonlyArray<readonly [unknown, unknown]> =>
  Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i], parts[2 * i + 1]])

const entriesOfMap = Map.prototype.entries as (this: unknown) => MapIterator<[unknown, unknown]>
const valuesOfSet = Set.prototype.values as (this: unknown) => SetIterator<unknown>

/**
 * What JSON has no word for, in the notation of the `devalue` package: a list of nodes that refer to each other by
 * number, the first of which is the value, or a number alone for one of the constants.
 */
import { isPlain } from "./isPlain.ts"

/** Beyond this many nodes (or this many times 16 characters) nothing is written. */
interface Room {
  left: number
}

/** Nothing where a part has no notation (a live object, a function), or where there is not room enough. */
export const devalued = (value: unknown, room: Room): string | undefined => {
  const constant = constantOf(value)
  if (constant !== undefined) return String(constant)
  const nodes: Array<unknown> = []
  return write(value, nodes, new Map(), room) === undefined ? undefined : JSON.stringify(nodes)
}

/** Throws where the text is not of this notation. */
export const revalued = (text: string): unknown => {
  const nodes: unknown = JSON.parse(text)
  if (typeof nodes === "number") return constants.get(nodes)
  return read(0, nodes as ReadonlyArray<unknown>, new Map())
}

const constants = new Map<number, unknown>([[-1, undefined], [-3, NaN], [-4, Infinity], [-5, -Infinity], [-6, -0]])
const hole = -2

const constantOf = (value: unknown): number | undefined => {
  if (value !== undefined && typeof value !== "number") return undefined
  for (const [number, constant] of constants) if (Object.is(constant, value)) return number
  return undefined
}

type Seen = Map<unknown, number>

/** Gives the number of the node. */
const write = (value: unknown, nodes: Array<unknown>, seen: Seen, room: Room): number | undefined => {
  const known = constantOf(value) ?? seen.get(value)
  if (known !== undefined) return known
  if (--room.left < 0) return undefined
  const at = nodes.push(null) - 1
  seen.set(value, at)
  const node = nodeOf(value, (part) => write(part, nodes, seen, room), room)
  if (node === undefined) return undefined
  nodes[at] = node
  return at
}

const nodeOf = (value: unknown, part: (value: unknown) => number | undefined, room: Room): unknown => {
  switch (typeof value) {
    case "string":
      return (room.left -= value.length >> 4) < 0 || !value.isWellFormed() ? undefined : value
    case "number":
    case "boolean":
      return value
    case "bigint":
      return ["BigInt", String(value)]
    case "object":
      return value === null ? null : objectNode(value, part, room)
    default:
      return undefined
  }
}

const objectNode = (
  value: object,
  part: (value: unknown) => number | undefined,
  room: Room
): ReadonlyArray<unknown> | Record<string, unknown> | undefined => {
  const parts = (values: ReadonlyArray<unknown>): ReadonlyArray<number> | undefined => {
    const numbers: Array<number> = []
    for (const value of values) {
      const number = part(value)
      if (number === undefined) return undefined
      numbers.push(number)
    }
    return numbers
  }
  const tagged = (tag: string, values: ReadonlyArray<unknown>) => {
    const numbers = parts(values)
    return numbers && [tag, ...numbers]
  }
  // The methods of the platform, whatever the object itself says: it may be of another realm.
  switch (Object.prototype.toString.call(value)) {
    case "[object Date]": {
      const time = Date.prototype.getTime.call(value)
      return ["Date", Number.isNaN(time) ? "" : new Date(time).toISOString()]
    }
    case "[object RegExp]":
      return ["RegExp", sourceOf.call(value), (value as RegExp).flags]
    case "[object Map]":
      return (value as Map<unknown, unknown>).size > room.left
        ? undefined
        : tagged("Map", [...entriesOf.call(value)].flat(1))
    case "[object Set]":
      return (value as Set<unknown>).size > room.left ? undefined : tagged("Set", [...valuesOf.call(value)])
    case "[object Array]": {
      const list = value as ReadonlyArray<unknown>
      if (list.length > room.left) return undefined
      const numbers: Array<number> = []
      for (let i = 0; i < list.length; i++) {
        const number = i in list ? part(list[i]) : hole
        if (number === undefined) return undefined
        numbers.push(number)
      }
      return numbers
    }
  }
  if (ArrayBuffer.isView(value)) return bytesNode(value, room)
  return isPlain(value) ? recordNode(value, part) : undefined
}

const recordNode = (
  value: object,
  part: (value: unknown) => number | undefined
): Record<string, unknown> | undefined => {
  const record: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const own = Object.getOwnPropertyDescriptor(value, key)!
    const number = own.get === undefined && own.set === undefined ? part(own.value) : undefined
    if (number === undefined) return undefined
    Object.defineProperty(record, key, { value: number, enumerable: true })
  }
  return record
}

const bytesNode = (value: ArrayBufferView, room: Room): ReadonlyArray<unknown> | undefined => {
  const name = Object.prototype.toString.call(value).slice(8, -1)
  if ((room.left -= value.byteLength >> 4) < 0 || !Object.hasOwn(views, name)) return undefined
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  let text = ""
  for (let at = 0; at < bytes.length; at += most) text += String.fromCharCode(...bytes.subarray(at, at + most))
  return [name, btoa(text)]
}

/** Arguments of one call. */
const most = 1 << 14

/** Of anything else these throw. */
const sourceOf = Object.getOwnPropertyDescriptor(RegExp.prototype, "source")!.get as (this: unknown) => string
const entriesOf = Map.prototype.entries as (this: unknown) => Iterable<readonly [unknown, unknown]>
const valuesOf = Set.prototype.values as (this: unknown) => Iterable<unknown>

const views: Readonly<Record<string, new(buffer: ArrayBuffer) => ArrayBufferView>> = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView
}

const read = (at: number, nodes: ReadonlyArray<unknown>, values: Map<number, unknown>): unknown => {
  if (at < 0) return constants.get(at)
  if (values.has(at)) return values.get(at)
  const keep = <A>(value: A): A => {
    values.set(at, value)
    return value
  }
  const part = (number: unknown) => read(Number(number), nodes, values)
  const node = nodes[at]
  if (typeof node !== "object" || node === null) return keep(node)
  if (!Array.isArray(node)) {
    const record = keep<Record<string, unknown>>({})
    for (const [key, number] of Object.entries(node)) {
      Object.defineProperty(record, key, { value: part(number), enumerable: true, writable: true, configurable: true })
    }
    return record
  }
  const [tag, ...rest] = node as ReadonlyArray<unknown>
  if (typeof tag !== "string") {
    const list = keep<Array<unknown>>(Array.from({ length: node.length }))
    node.forEach((number, i) => {
      if (number === hole) delete list[i]
      else list[i] = part(number)
    })
    return list
  }
  switch (tag) {
    case "BigInt":
      return keep(BigInt(String(rest[0])))
    case "Date":
      return keep(new Date(rest[0] === "" ? NaN : String(rest[0])))
    case "RegExp":
      return keep(new RegExp(String(rest[0]), String(rest[1] ?? "")))
    case "Map": {
      const map = keep(new Map<unknown, unknown>())
      for (let i = 0; i < rest.length; i += 2) map.set(part(rest[i]), part(rest[i + 1]))
      return map
    }
    case "Set": {
      const set = keep(new Set<unknown>())
      for (const number of rest) set.add(part(number))
      return set
    }
  }
  const View = views[tag]
  if (View === undefined) throw new TypeError(`a value holds something unknown: ${tag}`)
  return keep(new View(Uint8Array.from(atob(String(rest[0])), (char) => char.charCodeAt(0)).buffer))
}

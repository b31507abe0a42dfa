/**
 * A small description of a value, from which the host can tell its type: names and kinds, texts of functions, a few
 * elements. Runs no code of the value.
 */
import { types } from "node:util"
import { isPlain } from "../wire/Crossing.ts"

export type Sketch =
  | { readonly is: "value"; readonly value: unknown }
  | { readonly is: "array" | "set"; readonly items: ReadonlyArray<Sketch> }
  | { readonly is: "map"; readonly entries: ReadonlyArray<readonly [Sketch, Sketch]> }
  | { readonly is: "record"; readonly fields: ReadonlyArray<readonly [string, Sketch]> }
  | { readonly is: "function"; readonly source: string; readonly name: string }
  | { readonly is: "class"; readonly source: string; readonly name: string; readonly prototype: PrototypeSketch }
  | {
    readonly is: "instance"
    readonly fields: ReadonlyArray<readonly [string, Sketch]>
    readonly prototype: PrototypeSketch
  }
  | { readonly is: "builtIn"; readonly name: string }

export interface PrototypeSketch {
  readonly name: string
  readonly members: ReadonlyArray<
    readonly [name: string, member: Sketch | { readonly is: "accessor"; readonly settable: boolean }]
  >
  readonly parent?: PrototypeSketch | undefined
}

const items = 20
const keys = 60
const levels = 4

export const sketchOf = (value: unknown, depth = 0): Sketch => {
  if (typeof value === "function") {
    return types.isProxy(value)
      ? { is: "builtIn", name: "Proxy" }
      : functionSketch(value)
  }
  if (typeof value === "string") return { is: "value", value: "" }
  if (typeof value === "symbol") return { is: "builtIn", name: "Symbol" }
  if (typeof value !== "object" || value === null) return { is: "value", value }
  if (types.isProxy(value) || depth > levels) return { is: "builtIn", name: "Proxy" }
  if (Array.isArray(value)) {
    const first = Array.from(
      { length: Math.min(value.length, items) },
      (_, i) => Object.getOwnPropertyDescriptor(value, i)?.value as unknown
    )
    return { is: "array", items: first.map((item) => sketchOf(item, depth + 1)) }
  }
  if (types.isMap(value)) {
    return {
      is: "map",
      entries: first(Map.prototype.entries.call(value)).map((
        [key, item]
      ) => [sketchOf(key, depth + 1), sketchOf(item, depth + 1)])
    }
  }
  if (types.isSet(value)) {
    return {
      is: "set",
      items: first(Set.prototype.values.call(value)).map((item) => sketchOf(item, depth + 1))
    }
  }
  const builtIn = builtInName(value)
  if (builtIn !== undefined) return { is: "builtIn", name: builtIn }
  const fields = Object.keys(value).slice(0, keys).map((
    key
  ): readonly [string, Sketch] => [key, sketchOf(Object.getOwnPropertyDescriptor(value, key)?.value, depth + 1)])
  if (isPlain(value)) return { is: "record", fields }
  return { is: "instance", fields, prototype: prototypeSketch(Object.getPrototypeOf(value) as object, 0) }
}

const functionSketch = (value: object): Sketch => {
  const source = Function.prototype.toString.call(value)
  const name = nameOf(value)
  return /^class\b/.test(source)
    ? {
      is: "class",
      source,
      name,
      prototype: prototypeSketch((value as unknown as { prototype: object }).prototype, 0)
    }
    : { is: "function", source, name }
}

const prototypeSketch = (prototype: object, depth: number): PrototypeSketch => {
  const constructor: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value
  const above = Object.getPrototypeOf(prototype) as object | null
  return {
    name: typeof constructor === "function" ? nameOf(constructor) : "",
    members: Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([name]) => name !== "constructor")
      .slice(0, keys).flatMap(
        ([name, own]): ReadonlyArray<PrototypeSketch["members"][number]> =>
          own.get !== undefined || own.set !== undefined
            ? [[name, { is: "accessor", settable: own.set !== undefined }]]
            : typeof own.value === "function"
            ? [[name, { is: "function", source: Function.prototype.toString.call(own.value), name }]]
            : []
      ),
    ...(above !== null && depth < 6 && !Object.hasOwn(above, "hasOwnProperty") &&
      { parent: prototypeSketch(above, depth + 1) })
  }
}

const nameOf = (value: object): string => {
  const name: unknown = Object.getOwnPropertyDescriptor(value, "name")?.value
  return typeof name === "string" ? name : ""
}

const builtInName = (value: object): string | undefined => {
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (types.isDate(value) || types.isRegExp(value) || types.isPromise(value) || types.isNativeError(value)) return tag
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value) || types.isWeakMap(value) || types.isWeakSet(value)) {
    return tag
  }
  return value instanceof URL ? "URL" : undefined
}

const first = <A>(all: Iterable<A>): ReadonlyArray<A> => {
  const taken: Array<A> = []
  for (const item of all) {
    if (taken.length >= 10) break
    taken.push(item)
  }
  return taken
}

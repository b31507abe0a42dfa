/**
 * Values that have the type of something in a kernel, made from a sketch of it: what declarations are written from.
 * None of the kernel's code is made runnable: functions have its text, and do nothing.
 */
import { withSource } from "@daylight/core/node"
import type { PrototypeSketch, Sketch } from "../kernel/Sketch.ts"

export const standInOf = (sketch: Sketch): unknown => {
  switch (sketch.is) {
    case "value":
      return sketch.value
    case "array":
      return sketch.items.map(standInOf)
    case "set":
      return new Set(sketch.items.map(standInOf))
    case "map":
      return new Map(sketch.entries.map(([key, item]) => [standInOf(key), standInOf(item)]))
    case "record":
      return fill({}, sketch.fields)
    case "function":
      return functionOf(sketch.source, sketch.name)
    case "class":
      return prototypeOf(sketch.prototype, sketch.source).constructor
    case "instance":
      return fill(Object.create(prototypeOf(sketch.prototype)) as object, sketch.fields)
    case "builtIn":
      return builtIn(sketch.name)
  }
}

const fill = (target: object, fields: ReadonlyArray<readonly [string, Sketch]>): object => {
  for (const [key, field] of fields) {
    Object.defineProperty(target, key, {
      value: standInOf(field),
      enumerable: true,
      writable: true,
      configurable: true
    })
  }
  return target
}

/** Of the right kind: what it gives is told by that. */
const functionOf = (source: string, name: string): object => {
  const isGenerator = /^(?:async\s+)?(?:function\s*)?\*/.test(source)
  const make = /^async\b/.test(source)
    ? isGenerator ? async function*() {} : async () => {}
    : isGenerator
    ? function*() {}
    : () => {}
  return withSource(Object.defineProperty(make, "name", { value: name, configurable: true }), source)
}

/** The same class has one prototype, so that its instances are of one type. */
const known = new Map<string, object>()

const prototypeOf = (sketch: PrototypeSketch, source?: string): object => {
  const identity = JSON.stringify(sketch)
  const before = known.get(identity)
  if (before !== undefined) {
    if (source !== undefined) withSource(before.constructor, source)
    return before
  }
  const constructor = Object.defineProperty(function() {}, "name", { value: sketch.name, configurable: true })
  withSource(constructor, source ?? `class ${sketch.name} {}`)
  const prototype = (sketch.parent === undefined ? {} : Object.create(prototypeOf(sketch.parent))) as object
  constructor.prototype = prototype
  Object.defineProperty(prototype, "constructor", { value: constructor, configurable: true, writable: true })
  for (const [name, member] of sketch.members) {
    Object.defineProperty(
      prototype,
      name,
      member.is === "accessor"
        ? { get: () => undefined, ...(member.settable && { set: () => {} }), configurable: true }
        : { value: standInOf(member), configurable: true, writable: true }
    )
  }
  if (known.size > 500) known.clear()
  known.set(identity, prototype)
  return prototype
}

/** Of the classes that a sketch may name, those that are made without arguments. */
const memory = /^(Weak(Map|Set)|(Shared)?ArrayBuffer|[A-Z][A-Za-z]+\d*(Clamped)?Array)$/

const builtIn = (name: string): unknown => {
  switch (name) {
    case "Proxy":
      return new Proxy({}, {})
    case "Symbol":
      return Symbol()
    case "Date":
      return new Date(0)
    case "RegExp":
      return /x/
    case "Promise":
      return Promise.resolve()
    case "URL":
      return new URL("a:b")
    case "DataView":
      return new DataView(new ArrayBuffer(0))
  }
  const constructor = (globalThis as unknown as Record<string, (new() => unknown) | undefined>)[name]
  return memory.test(name) && typeof constructor === "function" ? new constructor() : new Error()
}

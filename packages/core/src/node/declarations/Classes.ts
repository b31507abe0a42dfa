/**
 * Members of classes and of their instances: constructor, properties, accessors and methods, inherited ones too.
 */
import { types } from "node:util"
import { sourceOf } from "../StandIns.ts"
import { parametersOf, signatureOf } from "./Functions.ts"
import { docComment, propertyName } from "../../schema/TypeText.ts"

type Call = (...args: Array<any>) => unknown

/** How far up the prototypes are followed, and how many members are written. */
const levels = 6
const most = 60

/**
 * Lines of an interface: own data first, then what the prototypes give. What is too much is not written, and not
 * denied.
 */
export const membersOf = (
  value: object | undefined,
  prototype: object,
  typeOf: (value: unknown) => string
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const seen = new Set<string>(["constructor"])
  const add = (key: string, line: string): void => {
    if (seen.has(key) || key.startsWith("_")) return
    seen.add(key)
    lines.push(line)
  }
  for (const key of value === undefined ? [] : Object.keys(value).slice(0, 2 * most)) {
    const own = Object.getOwnPropertyDescriptor(value, key)!
    const readonly = own.get !== undefined ? own.set === undefined : own.writable === false
    add(
      key,
      typeof own.value === "function"
        ? methodLine(key, own.value as Call)
        : `${readonly ? "readonly " : ""}${propertyName(key)}: ${own.get === undefined ? typeOf(own.value) : "any"}`
    )
  }
  for (const p of prototypesOf(prototype)) {
    for (const [key, own] of Object.entries(Object.getOwnPropertyDescriptors(p))) {
      if (isEmitter(p) && !emitterMembers.includes(key)) continue
      if (typeof own.value === "function") add(key, methodLine(key, own.value as Call))
      else if (own.get !== undefined || own.set !== undefined) {
        add(key, `${own.set === undefined ? "readonly " : ""}${propertyName(key)}: any`)
      }
    }
    for (const line of protocolLines(p)) add(line, line)
  }
  return lines.length > most ? [...lines.slice(0, most), "[member: string]: any"] : lines
}

/** Of what every emitter has, the part that is worth a line of the prompt. */
const emitterMembers = ["on", "once", "off", "emit"]

const isEmitter = (prototype: object): boolean => Object.hasOwn(prototype, "prependOnceListener")

/** A class a cell may construct and test with `instanceof`. */
export const declareClass = (
  name: string,
  source: abstract new(...args: Array<any>) => unknown,
  description?: string | undefined
): string => {
  const prototype = source.prototype as object
  const members = [
    `constructor(${constructorParameters(source)})`,
    ...staticLines(source),
    ...fieldLines(source),
    ...membersOf(undefined, prototype, () => "any")
  ]
  return `${docComment(description)}declare class ${name} {\n${members.map((member) => `  ${member}`).join("\n")}\n}`
}

/** Of the class itself, or the nearest base that has one. */
const constructorParameters = (source: object): string => {
  for (
    let c: object | null = source;
    typeof c === "function" && c !== Function.prototype;
    c = Object.getPrototypeOf(c) as object | null
  ) {
    const text = sourceOf(c)
    if (!/^class\b/.test(text) || /\bconstructor\s*\(/.test(text)) return parametersOf(c as Call)
  }
  return ""
}

/** Public fields are not on the prototype: they are read off the text of the class and its bases. */
const fieldLines = (source: object): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (
    let c: object | null = source;
    typeof c === "function" && c !== Function.prototype;
    c = Object.getPrototypeOf(c) as object | null
  ) {
    const text = sourceOf(c)
    if (!/^class\b/.test(text)) break
    for (
      const [, field] of text.matchAll(
        /^[ \t]*(?!static\b|return\b|get\b|set\b|async\b)([\p{ID_Start}$][\p{ID_Continue}$]*)[ \t]*(?:=(?![=>])[^\n]*|;)?[ \t]*$/gmu
      )
    ) {
      if (isField(text, field!)) names.add(field!)
    }
    for (const [, field] of text.matchAll(/\bthis\.([\p{ID_Start}$][\p{ID_Continue}$]*)\s*=(?!=)/gu)) names.add(field!)
  }
  const methods = new Set(
    prototypesOf((source as { readonly prototype: object }).prototype).flatMap((p) => Object.getOwnPropertyNames(p))
  )
  return [...names].filter((name) => !methods.has(name)).map((name) => `${name}: any`)
}

/** A line that begins at the depth of the class body, and not inside one of its methods. */
const isField = (text: string, name: string): boolean => {
  const at = new RegExp(`^[ \\t]*${name.replace(/[$]/g, "\\$&")}[ \\t]*(?:=|;|$)`, "mu").exec(text)
  if (at === null) return false
  const before = text.slice(0, at.index)
  return before.split("{").length - before.split("}").length === 1
}

const staticLines = (source: object): ReadonlyArray<string> =>
  Object.entries(Object.getOwnPropertyDescriptors(source))
    .filter(([key, own]) =>
      !["length", "name", "prototype"].includes(key) && !key.startsWith("_") && typeof own.value === "function" &&
      key !== "constructor"
    )
    .map(([key, own]) => `static ${methodLine(key, own.value as Call)}`)

const methodLine = (key: string, method: Call): string => {
  const { parameters, returns } = signatureOf(method)
  return `${propertyName(key)}(${parameters}): ${returns}`
}

const protocolLines = (prototype: object): ReadonlyArray<string> => {
  const lines: Array<string> = []
  if (Object.hasOwn(prototype, Symbol.iterator)) lines.push("[Symbol.iterator](): Iterator<any>")
  if (Object.hasOwn(prototype, Symbol.asyncIterator)) lines.push("[Symbol.asyncIterator](): AsyncIterator<any>")
  return lines
}

/** From the nearest up to, and without, the root of the realm. */
const prototypesOf = (prototype: object): ReadonlyArray<object> => {
  const found: Array<object> = []
  for (
    let p: object | null = prototype;
    p !== null && found.length < levels && !types.isProxy(p);
    p = Object.getPrototypeOf(p) as object | null
  ) {
    if (Object.hasOwn(p, "hasOwnProperty")) break
    found.push(p)
  }
  return found
}

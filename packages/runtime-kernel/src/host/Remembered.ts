/**
 * Live objects that a record tells of and that are gone. Each has the class name and the members that cells used, so
 * that a cell which runs again from the record finds them: what they give is in the record. Used beyond it, they fail.
 */
import { type HostCall, HostCallError } from "@daylight/core"

const member = /^(.+?)(?:\.([\p{ID_Start}$_][\p{ID_Continue}$]*)|\[("(?:[^"\\]|\\.)*")\]|\[Symbol\.(\w+)\])$/u

const gone = new WeakSet<object>()

/** It only stands for what is gone. */
export const isGone = (object: object): boolean => gone.has(object)

export class Remembered {
  /** By the path of the object that they are members of. */
  readonly #methods = new Map<string, Set<string | symbol>>()
  /** By the numbers that the log gives. */
  readonly #objects = new Map<number, object>()

  /** A call as the log has it. */
  learn({ operation, path }: Pick<HostCall, "operation" | "path">): void {
    const [, root, name, quoted, symbol] = operation === "call" ? member.exec(path) ?? [] : []
    if (root === undefined) return
    const methods = this.#methods.get(root) ?? new Set()
    this.#methods.set(root, methods)
    if (name !== undefined) methods.add(name)
    else if (quoted !== undefined) methods.add(JSON.parse(quoted) as string)
    else methods.add((Symbol as unknown as Readonly<Record<string, symbol>>)[symbol!] ?? symbol!)
  }

  /**
   * `path`: how a cell writes it, if it was read as a property. What was data, and too large for the log, is no use to
   * a cell: it fails as soon as it is looked into.
   */
  object({ id, type }: { readonly id: number; readonly type: string }, path: string | undefined): object {
    const known = this.#objects.get(id)
    if (known !== undefined) return known
    const methods = this.#methods.get(path ?? type) ?? [Symbol.iterator]
    const made = type === "function" ? lostMethod(type) : instanceOf(type, methods)
    this.#objects.set(id, made)
    gone.add(made)
    return made
  }
}

const instanceOf = (type: string, methods: Iterable<string | symbol>): object => {
  const named = Object.defineProperty(() => {}, "name", { value: type })
  const prototype = Object.defineProperty({}, "constructor", { value: named })
  for (const key of methods) {
    if (key !== "constructor") {
      Object.defineProperty(prototype, key, { value: lostMethod(type), writable: true, configurable: true })
    }
  }
  return Object.create(prototype) as object
}

const lostMethod = (type: string) => (): never => {
  throw new HostCallError({ path: type, reason: { _tag: "ReferenceLost", type } })
}

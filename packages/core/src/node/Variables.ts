/**
 * The variables of a notebook: what is there, and what a cell changed.
 */
import type { NamespaceDiff, Variable } from "../Cell.ts"
import { describeVariable } from "./Describe.ts"
import { fingerprint } from "./Fingerprint.ts"
import type { Namespace } from "./Namespace.ts"

interface Known {
  readonly value: unknown
  readonly print: number
}

/** Nodes looked at per variable, and for all of them after one cell. */
const perVariable = 120
const perCell = 4_000

/** Up to this many variables are all looked at after each cell; of more, those the cell names and this many others. */
const perDiff = 128
/** Cells after which all are looked at anyway. */
const round = 64

const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu
/** What may add or remove a name that the text does not say. */
const dynamic = /\b(?:globalThis|delete|Reflect|defineProperty|defineProperties|assign|eval)\b/

const nothing: NamespaceDiff = { added: [], changed: [], removed: [], lost: [] }

export class Variables {
  readonly #namespace: Namespace
  readonly #sensitive: ReadonlySet<string>
  #known = new Map<string, Known>()
  /** Goes round all known names, a part with each `diff`. */
  #rest = this.#known.keys()
  #diffs = 0

  /** `sensitive`: names whose values are never sampled; read live. */
  constructor(namespace: Namespace, sensitive: ReadonlySet<string>) {
    this.#namespace = namespace
    this.#sensitive = sensitive
  }

  /** Names of all variables, in the order they came. */
  names(): ReadonlyArray<string> {
    return Object.keys(this.#namespace)
  }

  has(name: string): boolean {
    return Object.prototype.propertyIsEnumerable.call(this.#namespace, name)
  }

  /** Gives whether there was such a variable. */
  remove(name: string): boolean {
    if (!this.has(name)) return false
    this.#known.delete(name)
    return Reflect.deleteProperty(this.#namespace, name)
  }

  /** The name is known as it is now, so the next `diff` does not report it. */
  note(name: string): void {
    const value = this.#read(name)
    this.#known.set(name, { value, print: fingerprint(value, { left: perVariable }) })
  }

  /**
   * What changed since the last time, by identity and by a bounded look at the content. Of very many variables those
   * that `code` does not name are looked at in turns, so that a cell costs the same however many there are.
   */
  diff(code: string): NamespaceDiff {
    const added: Array<Variable> = []
    const changed: Array<Variable> = []
    const removed: Array<string> = []
    const whole = this.#known.size <= perDiff || this.#diffs++ % round === 0 || dynamic.test(code)
    const names = whole ? this.names() : this.#some(code)
    let left = perCell
    for (const name of names) {
      const value = this.#read(name)
      const known = this.#known.get(name)
      const look = { left: Math.min(left, perVariable) }
      const before = look.left
      const print = look.left > 0 || known === undefined ? fingerprint(value, look) : known.print
      left -= before - look.left
      if (known !== undefined && Object.is(known.value, value) && known.print === print) continue
      this.#known.set(name, { value, print })
      const list = known === undefined ? added : changed
      list.push(this.#describe(name, value))
    }
    if (whole && this.#known.size > names.length) {
      const present = new Set(names)
      for (const name of this.#known.keys()) {
        if (present.has(name)) continue
        removed.push(name)
        this.#known.delete(name)
      }
    }
    return added.length + changed.length + removed.length === 0 ? nothing : { added, changed, removed, lost: [] }
  }

  /** Names the code has, those it declares among them, then the next of the others. */
  #some(code: string): ReadonlyArray<string> {
    const names = new Set<string>()
    for (const [name] of code.matchAll(identifier)) if (this.has(name)) names.add(name)
    for (let i = 0; i < perDiff; i++) {
      const next = this.#rest.next()
      if (next.done) {
        this.#rest = this.#known.keys()
        break
      }
      if (this.has(next.value)) names.add(next.value)
    }
    return [...names]
  }

  describe(): ReadonlyArray<Variable> {
    return this.names().map((name) => this.#describe(name, this.#read(name)))
  }

  /** Whether some variable holds this very object; its name. */
  nameOf(value: unknown): string | undefined {
    return this.names().find((name) => Object.is(this.#read(name), value))
  }

  #describe(name: string, value: unknown): Variable {
    return describeVariable(name, value, this.#sensitive.has(name))
  }

  #read(name: string): unknown {
    return Object.getOwnPropertyDescriptor(this.#namespace, name)?.value as unknown
  }
}

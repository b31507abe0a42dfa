/**
 * The names a cell declares: defined before it runs, and taken back where it failed before it assigned them.
 */
import type { ParsedCell } from "../Cell.ts"
import { defineName, type Namespace } from "./Namespace.ts"

/** The declarations of one cell. */
export class Declarations {
  readonly #namespace: Namespace
  readonly #fresh: Array<string> = []
  /** Globals of the runtime that the cell hides from now on. */
  readonly #hidden = new Map<string, PropertyDescriptor>()

  constructor(namespace: Namespace, names: ParsedCell["names"]) {
    this.#namespace = namespace
    for (const name of names.keys()) this.#declare(name)
  }

  /** A name that existed before keeps its value; one the cell never assigned is as if it had never been declared. */
  takeBack(): void {
    for (const name of this.#fresh) {
      if (Object.getOwnPropertyDescriptor(this.#namespace, name)?.value === undefined) {
        Reflect.deleteProperty(this.#namespace, name)
      }
    }
    for (const [name, before] of this.#hidden) {
      const now = Object.getOwnPropertyDescriptor(this.#namespace, name)
      if (now?.configurable && now.value === undefined) Object.defineProperty(this.#namespace, name, before)
    }
  }

  #declare(name: string): void {
    const before = Object.getOwnPropertyDescriptor(this.#namespace, name)
    if (before?.enumerable) return
    if (before === undefined) this.#fresh.push(name)
    else this.#hidden.set(name, before)
    defineName(this.#namespace, name, undefined, { writable: true, enumerable: true })
  }
}

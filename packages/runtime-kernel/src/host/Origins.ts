/**
 * Copies that the host got of a kernel's objects, and which object each is a copy of: one that is handed back unchanged
 * to the same process is the object itself.
 */
import type { Kernel } from "./Kernel.ts"

interface Origin {
  readonly kernel: Kernel
  /** Numbers hold for one process. */
  readonly start: number
  readonly id: number
}

const known = new WeakMap<object, Origin>()

export class Origins {
  readonly #kernel: Kernel

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  note(copy: unknown, id: number | undefined): void {
    if (id === undefined || typeof copy !== "object" || copy === null) return
    known.set(copy, { kernel: this.#kernel, start: this.#kernel.starts, id })
  }

  of(copy: unknown): number | undefined {
    const origin = typeof copy === "object" && copy !== null ? known.get(copy) : undefined
    return origin?.kernel === this.#kernel && origin.start === this.#kernel.starts ? origin.id : undefined
  }
}

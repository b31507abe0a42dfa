/**
 * A namespace at rest, as the kernel handed it over last, and what cells have made since then: a process that ends
 * before the next time takes that along, and the model is told.
 */
import type { NamespaceDiff } from "@daylight/core"
import type { SavedNamespace } from "../wire/Messages.ts"

export class Kept {
  #saved: SavedNamespace | undefined
  readonly #since = new Set<string>()

  get saved(): SavedNamespace | undefined {
    return this.#saved
  }

  /** Nothing: the namespace begins anew. */
  keep(saved: SavedNamespace | undefined): void {
    this.#saved = saved
    this.#since.clear()
  }

  /** A cell has ended. */
  changed({ added, changed, removed }: NamespaceDiff): void {
    for (const { name } of [...added, ...changed]) this.#since.add(name)
    for (const name of removed) this.#since.add(name)
  }

  /** The process has ended: what will not come back as it was. */
  takeLost(): NamespaceDiff["lost"] {
    const since = [...this.#since].map((name) => ({ name, path: name, reason }))
    this.#since.clear()
    return [...this.#saved?.lost ?? [], ...since]
  }
}

const reason = "its process ended before it was kept, so it is as it was before the last cell"

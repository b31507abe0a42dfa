/**
 * Hands the namespace at rest to the host after each cell, for the case that the process dies in the next one.
 */
import { getHeapStatistics } from "node:v8"
import type { SavedNamespace } from "../wire/Messages.ts"
import { send } from "./Line.ts"
import { saveNamespace, type Saving } from "./Saving.ts"

/** Milliseconds that it may take: the next cell waits for it. */
const quickly = 400

/** Bytes of a namespace that is written before the end of a cell is told: a fraction of what telling it costs. */
const little = 1 << 14

export interface KeeperOptions {
  readonly ns: number
  /** Bytes. */
  readonly most: number
  /** How many events the process has taken in. */
  readonly seen: () => number
  readonly parts: () => Omit<Saving, "ns" | "limit" | "ms">
}

export class Keeper {
  readonly #options: KeeperOptions
  #unsaved = false
  /** It was more than a little the last time. */
  #large = false

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  /** A cell has ended. */
  changed(): void {
    this.#unsaved = true
  }

  /** At the latest before the next cell begins. `upTo`: events that it holds. */
  save(upTo = this.#options.seen()): void {
    if (!this.#unsaved) return
    const { saved } = this.#write(quickly, freeHeap() / 8)
    this.#large = saved.data.length > little / 2
    this.#hand(saved, upTo)
  }

  /** A small namespace is handed over together with the end of its cell. Gives whether there is a larger one. */
  saveLittle(): boolean {
    if (!this.#unsaved) return false
    if (this.#large) return true
    const { saved, whole } = this.#write(quickly, little)
    if (whole) this.#hand(saved, this.#options.seen())
    else this.#large = true
    return !whole
  }

  /** However long it takes. */
  whole(): SavedNamespace {
    return this.#write(Infinity, freeHeap() / 8).saved
  }

  #hand(saved: SavedNamespace, seen: number): void {
    this.#unsaved = false
    send({ t: "saved", ns: this.#options.ns, seen, saved })
  }

  #write(ms: number, limit: number) {
    const { most, ns, parts } = this.#options
    return saveNamespace({ ...parts(), ns, ms, limit: Math.min(most, limit) })
  }
}

/** Writing a namespace must not be what exhausts the heap. */
const freeHeap = (): number => {
  const { heap_size_limit, used_heap_size } = getHeapStatistics()
  return Math.max(0, heap_size_limit - used_heap_size)
}

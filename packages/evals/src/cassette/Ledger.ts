/**
 * Counts what of a recording is used up: equal requests in the order in which they were recorded, and what was left at
 * the end. Different requests do not depend on each other's order, so agents may run at the same time.
 */

/** `exhausted`: there are recordings of this request, and all of them are used up. */
export type Taken<A> = A | "exhausted" | "unknown"

export class Ledger<A extends { readonly key: string; readonly ordinal: number }> {
  readonly #waiting = new Map<string, Array<A>>()
  readonly #used = new Map<string, A>()
  readonly #repeat: boolean

  /** `repeat`: the last recording of a request answers all further ones. Default: each answers once. */
  constructor(recorded: ReadonlyArray<A>, options: { readonly repeat?: boolean | undefined } = {}) {
    this.#repeat = options.repeat ?? false
    for (const item of recorded) {
      const queue = this.#waiting.get(item.key)
      if (queue === undefined) this.#waiting.set(item.key, [item])
      else queue.push(item)
    }
    for (const queue of this.#waiting.values()) queue.sort((a, b) => a.ordinal - b.ordinal)
  }

  take(key: string): Taken<A> {
    const next = this.#waiting.get(key)?.shift()
    if (next !== undefined) {
      this.#used.set(key, next)
      return next
    }
    const last = this.#used.get(key)
    if (last === undefined) return "unknown"
    return this.#repeat ? last : "exhausted"
  }

  /** What `take` would give, if there is one left. */
  next(key: string): A | undefined {
    return this.#waiting.get(key)?.[0] ?? (this.#repeat ? this.#used.get(key) : undefined)
  }

  /** There is one left for this key. */
  has(key: string): boolean {
    return this.next(key) !== undefined
  }

  /** What nobody asked for. */
  get unused(): ReadonlyArray<A> {
    return [...this.#waiting.values()].flat()
  }
}

/**
 * The wall-clock limit of a waiting cell. Its clock stops while a person is asked.
 */

/** Longest delay Node's timers take. */
const longest = 2 ** 31 - 1

/** Calls back once `limit` milliseconds have passed, pauses not counted. Keeps the process alive until then. */
export class Deadline {
  readonly #limit: number
  readonly #expired: () => void
  #timer: NodeJS.Timeout | undefined
  #startedAt = performance.now()
  #spent = 0
  #pauses = 0

  /** `limit`: `Infinity` for none; the process is kept alive all the same. */
  constructor(limit: number, expired: () => void) {
    this.#limit = limit
    this.#expired = expired
    this.#arm()
  }

  /** Pauses nest: the clock goes on when each `true` had its `false`. */
  pause(on: boolean): void {
    if (on) {
      if (this.#pauses++ > 0) return
      this.#spent += performance.now() - this.#startedAt
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => undefined, longest)
    } else {
      if (this.#pauses === 0 || --this.#pauses > 0) return
      clearTimeout(this.#timer)
      this.#startedAt = performance.now()
      this.#arm()
    }
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#pauses = Infinity
  }

  #arm(): void {
    const left = Math.max(0, this.#limit - this.#spent)
    this.#timer = setTimeout(() => left > longest ? this.#arm() : this.#expired(), Math.min(left, longest))
  }
}

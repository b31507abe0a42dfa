/**
 * Time that passes only when nothing is left to do: the next event comes when the kernel has taken in all before it.
 * So a run that was disturbed can be compared with one that was not.
 */
import type { Scheduler } from "../../src/host/Scheduler.ts"

interface Entry {
  readonly at: number
  readonly sequence: number
  readonly task: () => void
}

export class VirtualTime implements Scheduler {
  now = 0
  #sequence = 0
  #entries: Array<Entry> = []
  #held = false
  #moving = false
  #isIdle: () => boolean = () => false

  readonly later = (ms: number, _order: number, task: () => void): () => void => {
    const entry = { at: this.now + ms, sequence: this.#sequence++, task }
    this.#entries.push(entry)
    this.#move()
    return () => {
      this.#entries = this.#entries.filter((other) => other !== entry)
    }
  }

  readonly idle = (isIdle: () => boolean): void => {
    this.#isIdle = isIdle
    this.#move()
  }

  readonly wait = (ms: number): Promise<void> => new Promise((done) => this.later(ms, 0, done))

  /** Time stands while a process is replaced. */
  hold(): void {
    this.#held = true
  }

  release(): void {
    this.#held = false
    this.#move()
  }

  #move(): void {
    if (this.#moving || this.#held || this.#entries.length === 0) return
    this.#moving = true
    // Promises of the host settle first.
    setTimeout(() => {
      this.#moving = false
      if (this.#held || !this.#isIdle()) return
      const [next] = this.#entries.sort((a, b) => a.at - b.at || a.sequence - b.sequence)
      if (next === undefined) return
      this.#entries = this.#entries.filter((entry) => entry !== next)
      this.now = Math.max(this.now, next.at)
      next.task()
      this.#move()
    }, 1)
  }
}

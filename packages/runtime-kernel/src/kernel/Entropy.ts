/**
 * Clock and randomness of one namespace. Readings of the clock are written down as they are made, and given out again
 * when a cell runs a second time; randomness grows from the seed of the cell.
 */
import { createHash } from "node:crypto"
import type { Clock } from "../wire/Messages.ts"

/** The real clock, before a cell's world replaces it. */
const origin = performance.timeOrigin
const elapsed = performance.now.bind(performance)

export class Entropy {
  #seed = ""
  #block = 0
  #pool: Uint8Array = new Uint8Array()
  #used = 0
  /** Readings of an earlier attempt that are still to be given out. */
  #given: Array<number> = []
  #made: Array<number> = []
  #last = 0

  /** A new cell begins. */
  begin(seed: string, given: Clock): void {
    this.#seed = seed
    this.#block = 0
    this.#pool = new Uint8Array()
    this.#used = 0
    this.#given = [...given]
    // What was read between two cells is no reading of this one.
    this.#made = []
  }

  /** Epoch milliseconds in steps of 0.1, never backwards. */
  now(): number {
    const [value, reads] = this.#given
    if (value !== undefined) {
      if (reads! > 1) this.#given[1]!--
      else this.#given.splice(0, 2)
      return this.#last = value
    }
    const now = Math.max(this.#last, Math.round((origin + elapsed()) * 10) / 10)
    const made = this.#made
    if (made.length > 0 && made[made.length - 2] === now) made[made.length - 1]!++
    else made.push(now, 1)
    return this.#last = now
  }

  get last(): number {
    return this.#last
  }

  /** After a restore the clock does not run backwards. */
  since(last: number): void {
    this.#last = Math.max(this.#last, last)
  }

  /** The readings that no message has carried so far. */
  takeReadings(): Clock {
    if (this.#made.length === 0) return nothing
    const made = this.#made
    this.#made = []
    return made
  }

  randomize(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      if (this.#used === this.#pool.length) this.#grow()
      const part = this.#pool.subarray(this.#used, this.#used + bytes.length - done)
      bytes.set(part, done)
      done += part.length
      this.#used += part.length
    }
  }

  /** From 0 up to 1, 53 bits. */
  random(): number {
    const bytes = new Uint8Array(8)
    this.randomize(bytes)
    const view = new DataView(bytes.buffer)
    return (view.getUint32(0) * 2 ** 21 + (view.getUint32(4) >>> 11)) / 2 ** 53
  }

  #grow(): void {
    // Four digests at a time: a cell that asks for randomness once usually asks again.
    const blocks = Array.from(
      { length: 4 },
      () => createHash("sha256").update(`${this.#seed}:${this.#block++}`).digest()
    )
    this.#pool = Buffer.concat(blocks)
    this.#used = 0
  }
}

const nothing: Clock = []

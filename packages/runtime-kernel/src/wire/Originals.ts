/**
 * Errors that have crossed, by number: a copy that comes back unchanged is the error itself, with its class. Both sides
 * have such a list, and hold what is in it weakly.
 */
export class Originals {
  readonly #mine = new Map<number, WeakRef<object>>()
  readonly #numbers = new WeakMap<object, number>()
  readonly #collected = new FinalizationRegistry<number>((number) => this.#mine.delete(number))
  #copies = new WeakMap<object, number>()
  #last = 0

  /** Of an error of this side. */
  numberOf(error: object): number {
    const known = this.#numbers.get(error)
    if (known !== undefined) return known
    const number = ++this.#last
    this.#numbers.set(error, number)
    this.#mine.set(number, new WeakRef(error))
    this.#collected.register(error, number)
    return number
  }

  original(number: number): object | undefined {
    return this.#mine.get(number)?.deref()
  }

  /** This is a copy of an error of the other side. */
  note(copy: object, number: number): void {
    this.#copies.set(copy, number)
  }

  /** The number that the other side has given to what this is a copy of. */
  copiedFrom(error: object): number | undefined {
    return this.#copies.get(error)
  }

  /** The other side has begun anew, and so have its numbers. */
  forgetCopies(): void {
    this.#copies = new WeakMap()
  }
}

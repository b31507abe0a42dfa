/**
 * Events are taken in one per turn of the event loop, so that all microtasks of one have run before the next. The
 * order in which a cell's code runs then depends on the order of events alone.
 */
export class Turns<A> {
  readonly #queue: Array<A> = []
  readonly #take: (event: A) => void
  readonly #idle: () => void
  #toldAt = 0
  /** Nothing, or what has to end before the event can be taken in. */
  readonly #hold: (event: A) => Promise<unknown> | undefined
  #running = false

  constructor(options: {
    readonly take: (event: A) => void
    /** Tells how far it is: when nothing is left, and from time to time. */
    readonly idle: () => void
    readonly hold: (event: A) => Promise<unknown> | undefined
  }) {
    this.#take = options.take
    this.#idle = options.idle
    this.#hold = options.hold
  }

  push(event: A): void {
    this.#queue.push(event)
    if (this.#running) return
    this.#running = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    const event = this.#queue[0]
    if (event === undefined) {
      this.#running = false
      return this.#idle()
    }
    const held = this.#hold(event)
    if (held !== undefined) {
      const again = (): void => void setImmediate(this.#turn)
      return void held.then(again, again)
    }
    this.#queue.shift()
    this.#take(event)
    this.#tell()
    setImmediate(this.#turn)
  }

  /** A kernel with much to do says now and then that it goes on. */
  #tell(): void {
    const now = performance.now()
    if (now - this.#toldAt < 50) return
    this.#toldAt = now
    if (this.#queue.length > 0) this.#idle()
  }
}

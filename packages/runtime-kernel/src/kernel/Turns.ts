/**
 * Events are taken in one per turn of the event loop, so that all microtasks of one have run before the next. The
 * order in which a cell's code runs then depends on the order of events alone.
 */
export class Turns<A> {
  readonly #queue: Array<A> = []
  readonly #take: (event: A) => void
  readonly #rested: (tell: boolean) => void
  #toldAt = 0
  /** Nothing, or what has to end before the event can be taken in. */
  readonly #hold: (event: A) => Promise<unknown> | undefined
  #running = false

  constructor(options: {
    /** Runs all microtasks, too. */
    readonly take: (event: A) => void
    /**
     * A turn is over. `tell`: to say how far it is, since nothing is left, or since it was not said for a while.
     */
    readonly rested: (tell: boolean) => void
    readonly hold: (event: A) => Promise<unknown> | undefined
  }) {
    this.#take = options.take
    this.#rested = options.rested
    this.#hold = options.hold
  }

  push(event: A): void {
    this.#queue.push(event)
    if (this.#running) return
    this.#running = true
    setImmediate(this.#turn)
  }

  /** Rests once more, though no event has come. */
  soon(): void {
    if (this.#running) return
    this.#running = true
    setImmediate(this.#rest)
  }

  readonly #turn = (): void => {
    const event = this.#queue[0]!
    const held = this.#hold(event)
    if (held !== undefined) {
      const again = (): void => void setImmediate(this.#turn)
      this.#rested(false)
      return void held.then(again, again)
    }
    this.#queue.shift()
    try {
      this.#take(event)
    } finally {
      this.#rest() // what a listener of the cell threw is told by Node, in the name of its cell
    }
  }

  readonly #rest = (): void => {
    const more = this.#queue.length > 0
    this.#rested(!more || this.#isDue())
    this.#running = more
    if (more) setImmediate(this.#turn)
  }

  /** A kernel with much to do says now and then that it goes on. */
  #isDue(): boolean {
    const now = performance.now()
    if (now - this.#toldAt < 50) return false
    this.#toldAt = now
    return true
  }
}

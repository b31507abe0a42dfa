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
  /** What the next event waits for. */
  #held: Promise<unknown> | undefined
  #running = false

  constructor(options: {
    readonly take: (event: A) => void
    /**
     * A turn is over, with all its microtasks. `tell`: to say how far it is, since nothing is left, or since it was not
     * said for a while.
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
    this.#next()
  }

  /** Rests once more, though no event has come. */
  soon(): void {
    if (this.#running) return
    this.#running = true
    setImmediate(this.#rest)
  }

  /** Between two immediates of one round there are microtasks, and nothing else. */
  #next(): void {
    setImmediate(this.#turn)
    setImmediate(this.#rest)
  }

  readonly #turn = (): void => {
    const event = this.#queue[0]!
    this.#held = this.#hold(event)
    if (this.#held !== undefined) return
    this.#queue.shift()
    this.#take(event)
  }

  readonly #rest = (): void => {
    const more = this.#queue.length > 0
    this.#rested(!more || this.#isDue())
    this.#running = more
    if (!more) return
    const next = (): void => this.#next()
    if (this.#held === undefined) next()
    else this.#held.then(next, next)
  }

  /** A kernel with much to do says now and then that it goes on. */
  #isDue(): boolean {
    const now = performance.now()
    if (now - this.#toldAt < 50) return false
    this.#toldAt = now
    return true
  }
}

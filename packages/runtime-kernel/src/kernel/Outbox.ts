/**
 * What is on its way to the host. A write costs the kernel and wakes the host, so the messages of one turn leave
 * together: when its microtasks have run, when a guard looks up from a loop, or before the kernel waits for an answer.
 */
export class Outbox {
  readonly #write: (bytes: Uint8Array) => void
  #frames: Array<Buffer> = []
  #bytes = 0
  /** Told that there is something to flush. */
  soon: () => void = () => setImmediate(this.flush)

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write
  }

  push(frame: Buffer): void {
    if (this.#bytes === 0) this.soon()
    this.#frames.push(frame)
    this.#bytes += frame.length
    if (this.#bytes >= most) this.flush()
  }

  readonly flush = (): void => {
    if (this.#bytes === 0) return
    const frames = this.#frames
    this.#frames = []
    this.#bytes = 0
    this.#write(frames.length === 1 ? frames[0]! : Buffer.concat(frames))
  }
}

/** Bytes that are worth a write of their own. */
const most = 1 << 16

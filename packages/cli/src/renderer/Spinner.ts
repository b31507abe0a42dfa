/**
 * A line at the bottom of a terminal that says what is going on and for how long. It appears when nothing was written
 * for a moment and goes before anything else is written, so it never mixes with the output.
 */
import yoctoSpinner, { type Spinner as Yocto } from "yocto-spinner"
import { duration } from "./Quantity.ts"
import { safe } from "./Safe.ts"
import type { TerminalStream } from "./Screen.ts"
import { fit } from "./Width.ts"

/** Quiet time, in milliseconds, before the spinner shows: fast work causes no flicker. */
const patienceMs = 120
const tickMs = 1000

export class Spinner {
  readonly #stream: TerminalStream
  #yocto: Yocto | undefined
  #timer: NodeJS.Timeout | undefined
  #text = ""
  #since = 0

  constructor(stream: TerminalStream) {
    this.#stream = stream
  }

  /** Shows `text` after a quiet moment. The time counts from the first call with this text. */
  show(text: string): void {
    if (text !== this.#text) {
      this.#text = text
      this.#since = Date.now()
    }
    if (this.#yocto) this.#yocto.text = this.#line()
    else this.#timer ??= setTimeout(() => this.#start(), patienceMs).unref()
  }

  /** Gone from the screen on return. */
  hide(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#yocto?.stop()
    this.#yocto = undefined
  }

  #start(): void {
    const stream = this.#stream as NodeJS.WriteStream
    this.#yocto = yoctoSpinner({ text: this.#line(), stream, handleSignals: false }).start()
    this.#timer = setInterval(() => {
      if (this.#yocto) this.#yocto.text = this.#line()
    }, tickMs).unref()
  }

  /** One row, so that it can be taken back whole. */
  #line(): string {
    const elapsed = Date.now() - this.#since
    const time = elapsed >= tickMs ? ` ${duration(elapsed - elapsed % tickMs)}` : ""
    return fit(safe(this.#text), (this.#stream.columns || 80) - time.length - 3) + time
  }
}

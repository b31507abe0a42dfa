/**
 * Says that a long step is still going on: on a terminal one line that updates, elsewhere (a log file, CI) a plain line
 * every quarter of a minute.
 */
import process from "node:process"
import { styleText } from "node:util"

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const terminalInterval = 100
const logInterval = 15_000

/** Coloured on a terminal, plain elsewhere and with `NO_COLOR`. */
export const paint = (/** @type {"red" | "green" | "yellow" | "dim" | "bold"} */ style, /** @type {string} */ text) =>
  process.stdout.isTTY && !process.env["NO_COLOR"] ? styleText(style, text) : text

/** Seconds since a `performance.now()`, as people read them. */
export const elapsed = (/** @type {number} */ since) => {
  const seconds = (performance.now() - since) / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

export class StatusLine {
  #title
  #detail = ""
  #started = performance.now()
  #frame = 0
  #timer

  constructor(/** @type {string} */ title) {
    this.#title = title
    this.#timer = process.stdout.isTTY
      ? setInterval(() => this.#draw(), terminalInterval)
      : setInterval(() => console.log(`  ${this.#text()}`), logInterval)
    if (process.stdout.isTTY) this.#draw()
  }

  /** What the step is doing right now. */
  update(/** @type {string} */ detail) {
    this.#detail = detail
  }

  /** Removes the line; the caller prints the result in its place. */
  stop() {
    clearInterval(this.#timer)
    if (process.stdout.isTTY) process.stdout.write("\r\x1b[2K")
  }

  get elapsed() {
    return elapsed(this.#started)
  }

  #text() {
    return `${this.#title}, ${this.elapsed}${this.#detail ? `: ${this.#detail}` : ""}`
  }

  #draw() {
    const width = (process.stdout.columns ?? 80) - 4
    const frame = frames[this.#frame++ % frames.length]
    process.stdout.write(`\r\x1b[2K${paint("dim", `${frame} ${this.#text().slice(0, width)}`)}`)
  }
}

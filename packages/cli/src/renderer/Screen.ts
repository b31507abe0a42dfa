/**
 * The terminal as several agents share it. Each session writes through a {@link Lane}. While one of them streams a
 * block (an answer, a cell's code) it owns the screen and the others wait in a backlog, so rows of parallel agents
 * never mix. Writes of one event leave in one system call. The spinner shows whenever no row is begun.
 */
import type { Paint } from "./Paint.ts"
import { Spinner } from "./Spinner.ts"
import { fit } from "./Width.ts"

/** What the renderer needs of a stream; `process.stdout` is one. */
export interface TerminalStream {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

export interface ScreenOptions {
  readonly stream: TerminalStream
  readonly paint: Paint
  /** Columns; by default those of the stream, and no limit where it is no terminal. */
  readonly width: number | undefined
  readonly spinner: boolean
}

interface Waiting {
  readonly lane: Lane
  text: string
  ended: boolean
}

const minWidth = 24

export class Screen {
  readonly paint: Paint
  readonly #stream: TerminalStream
  readonly #width: number | undefined
  readonly #spinner: Spinner | undefined
  #buffer = ""
  #rowBegun = false
  #owner: Lane | undefined
  /** Lanes in the middle of a block; the owner is one of them. */
  readonly #blocks = new Set<Lane>()
  #backlog: Array<Waiting> = []
  #activity: string | undefined
  #held = 0
  /** Who wrote last at each depth. */
  readonly #speakers = new Map<number, Lane>()

  constructor(options: ScreenOptions) {
    this.paint = options.paint
    this.#stream = options.stream
    this.#width = options.width
    this.#spinner = options.spinner ? new Spinner(options.stream) : undefined
  }

  /** Columns at this moment: a terminal may be resized. The last one stays free, as some terminals wrap there. */
  get width(): number {
    const columns = this.#width ?? (this.#stream.isTTY ? (this.#stream.columns || 80) - 1 : Infinity)
    return Math.max(minWidth, columns)
  }

  write(lane: Lane, text: string): void {
    if (this.#owner !== undefined && this.#owner !== lane) return this.#enqueue(lane, text)
    this.#print(lane, text)
  }

  claim(lane: Lane): void {
    this.#blocks.add(lane)
    this.#owner ??= lane
  }

  release(lane: Lane): void {
    if (this.#owner === lane) {
      this.#blocks.delete(lane)
      this.#owner = undefined
      this.#drain()
    } else {
      const waiting = this.#backlog.findLast((entry) => entry.lane === lane)
      if (waiting) waiting.ended = true
      this.#blocks.delete(lane)
    }
  }

  /** What the spinner says, if there is one; `undefined`: nothing goes on. */
  set activity(text: string | undefined) {
    this.#activity = text
  }

  introduce(lane: Lane): void {
    this.#speakers.set(lane.depth, lane)
  }

  /** Sends what was written since the last call. */
  flush(): void {
    if (this.#held > 0) return
    if (this.#buffer !== "") {
      this.#spinner?.hide()
      this.#stream.write(this.#buffer)
      this.#buffer = ""
    }
    if (this.#activity === undefined || this.#rowBegun) this.#spinner?.hide()
    else this.#spinner?.show(this.#activity)
  }

  /** Everything waiting is written, whoever owns the screen. */
  settle(): void {
    this.#blocks.clear()
    this.#owner = undefined
    this.#drain()
  }

  /** Keeps the screen still, for a question to a person, until the returned function is called. */
  hold(): () => void {
    this.flush()
    this.#held += 1
    this.#spinner?.hide()
    if (this.#rowBegun) this.#stream.write("\n")
    let released = false
    return () => {
      if (released) return
      released = true
      this.#held -= 1
      this.flush()
    }
  }

  #enqueue(lane: Lane, text: string): void {
    const last = this.#backlog.findLast((entry) => entry.lane === lane)
    if (last && !last.ended) last.text += text
    else this.#backlog.push({ lane, text, ended: false })
  }

  /** The longest waiting lane goes on: it owns the screen until its block ends. */
  #drain(): void {
    while (this.#owner === undefined) {
      const next = this.#backlog.shift()
      if (!next) return
      this.#print(next.lane, next.text)
      if (!next.ended && this.#blocks.has(next.lane)) this.#owner = next.lane
    }
  }

  #print(lane: Lane, text: string): void {
    if (text === "") return
    this.#buffer += this.#rowBegun ? text : this.#labelled(lane, text)
    this.#rowBegun = !text.endsWith("\n")
    this.#speakers.set(lane.depth, lane)
    for (const depth of this.#speakers.keys()) if (depth > lane.depth) this.#speakers.delete(depth)
  }

  /** `text` under the name of its agent, where another one of the same depth wrote last. */
  #labelled(lane: Lane, text: string): string {
    if (lane.depth === 0 || this.#speakers.get(lane.depth) === lane) return text
    const { blank, label } = lane
    return text.startsWith(blank) ? blank + label + text.slice(blank.length) : label + text
  }
}

/** One session's way to the screen, with its place in the tree of agents. */
export class Lane {
  readonly depth: number
  readonly #screen: Screen
  readonly #name: string

  constructor(screen: Screen, name: string, depth: number) {
    this.#screen = screen
    this.#name = name
    this.depth = depth
  }

  get paint(): Paint {
    return this.#screen.paint
  }

  get width(): number {
    return this.#screen.width
  }

  /** The frames of the agents above, which stand left of every row. */
  get margin(): string {
    return "│ ".repeat(Math.min(this.depth, Math.floor(this.width / 8)))
  }

  /** `text` is painted and broken into rows. */
  write(text: string): void {
    this.#screen.write(this, text)
  }

  /** From here to {@link release} other lanes wait. */
  claim(): void {
    this.#screen.claim(this)
  }

  release(): void {
    this.#screen.release(this)
  }

  /** The next row names this lane itself, so no label is put before it. */
  introduce(): void {
    this.#screen.introduce(this)
  }

  /** A blank row. */
  get blank(): string {
    return `${this.paint(this.margin.trimEnd(), ["frame"])}\n`
  }

  /** A row with the name of the agent. */
  get label(): string {
    const name = fit(`◆ ${this.#name}`, this.width - this.margin.length)
    return `${this.paint(this.margin, ["frame"])}${this.paint(name, ["accent"])}\n`
  }
}

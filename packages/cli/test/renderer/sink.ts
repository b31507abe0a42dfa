/** A stream that keeps what is written, as a terminal or as a pipe. */
import { stripVTControlCharacters } from "node:util"
import type { Live } from "@daylight/core"
import { TerminalRenderer, type TerminalRendererOptions } from "../../src/renderer.ts"

export class Sink {
  text = ""
  readonly isTTY: boolean
  readonly columns: number | undefined

  constructor(columns?: number | undefined) {
    this.isTTY = columns !== undefined
    this.columns = columns
  }

  write(text: string): boolean {
    this.text += text
    return true
  }

  get rows(): ReadonlyArray<string> {
    return stripVTControlCharacters(this.text).split("\n")
  }
}

/** What a pipe gets. */
export const piped = (events: Iterable<Live>, options: TerminalRendererOptions = {}): string =>
  show(new Sink(), events, { env: {}, ...options })

/** What a terminal of this width gets, in colour and without the spinner. */
export const terminal = (events: Iterable<Live>, columns = 80, options: TerminalRendererOptions = {}): string =>
  show(new Sink(columns), events, { env: {}, spinner: false, ...options })

const show = (stream: Sink, events: Iterable<Live>, options: TerminalRendererOptions): string => {
  const renderer = new TerminalRenderer({ ...options, stream })
  for (const event of events) renderer.event(event)
  renderer.end()
  return stream.text
}

/** Colours as readable marks, for snapshots. */
export const readable = (text: string): string => text.replaceAll(/\u001b\[(\d+)m/g, "‹$1›")

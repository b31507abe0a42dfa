/**
 * Watches the bytes of a streamed response on their way to an SDK, which hides what is needed to judge a stream:
 * whether the server closed it properly, and whether a silent one is still alive.
 */
import type { Fetch } from "./Sockets.ts"

export interface Wire {
  /** The server said that this was all: `[DONE]`, or a document in one piece. */
  readonly complete: () => boolean
  /** The beginning of what came, for a message about a body that was no stream of events. */
  readonly beginning: () => string
  /** Called with each piece that arrives. */
  heard: () => void
}

const wires = new WeakMap<Response, Wire>()

/** Of a response that came through `watching`. */
export const wireOf = (response: Response): Wire | undefined => wires.get(response)

/**
 * A `fetch` whose responses are watched. A server that answers a request for a stream with one JSON document is
 * understood too: the document becomes a stream of one event, named `whole`.
 */
export const watching = (fetch: Fetch): Fetch => async (input, init) => {
  const response = await fetch(input, init)
  if (!response.ok || response.body === null) return response
  const wire = new Watched()
  wires.set(response, wire)
  const streams = (response.headers.get("content-type") ?? "").includes("event-stream")
  // The SDKs only iterate a streamed body, so an iterable stands in for it: far cheaper than a second stream.
  Object.defineProperty(response, "body", { value: pieces(response.body, wire, streams), configurable: true })
  return response
}

class Watched implements Wire {
  heard = () => {}
  #first: Uint8Array | undefined
  #last: Uint8Array | undefined
  whole = false

  push(piece: Uint8Array): void {
    if (piece.length === 0) return
    this.#first ??= piece
    // The mark may be cut: a short piece is looked at together with the end of what came before.
    this.#last = this.#last !== undefined && piece.length < 32 ? joined(this.#last, piece) : piece
    this.heard()
  }
  complete(): boolean {
    return this.whole || this.#last !== undefined && decode(this.#last.subarray(-32)).trimEnd().endsWith("[DONE]")
  }
  beginning(): string {
    return this.#first === undefined ? "" : decode(this.#first.subarray(0, 200))
  }
}

/** What kind of body it is shows its first character where the header does not say: servers mislabel both kinds. */
async function* pieces(body: AsyncIterable<Uint8Array>, wire: Watched, streams: boolean) {
  let whole: Array<Uint8Array> | undefined
  let known = streams
  for await (const piece of body) {
    wire.push(piece)
    if (!known && decode(piece).trim() !== "") {
      known = true
      if (/^\s*[{[]/.test(decode(piece.subarray(0, 64)))) whole = []
    }
    if (whole === undefined) yield piece
    else whole.push(piece)
  }
  if (whole === undefined) return
  wire.whole = true
  const lines = Buffer.concat(whole).toString("utf8").split(/\r\n|\r|\n/)
  yield new TextEncoder().encode(`event: whole\n${lines.map((line) => `data: ${line}`).join("\n")}\n\n`)
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const joined = (before: Uint8Array, piece: Uint8Array) => Buffer.concat([before.subarray(-32), piece])

/**
 * Watches the bytes of a streamed response on their way to an SDK, which hides what is needed to judge a stream: whether
 * the server closed it properly, and whether a silent one is still alive.
 */
import type { Fetch } from "./Sockets.ts"

export interface Wire {
  /** The server said that this was all: `[DONE]`, or a body in one piece. */
  readonly complete: () => boolean
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
  const json = /[/+]json\b/.test(response.headers.get("content-type") ?? "")
  const wire = { last: undefined as Uint8Array | undefined, heard: () => {}, complete: () => json || endsWithDone(wire.last) }
  wires.set(response, wire)
  const pieces = json ? asEvent(response.body, wire) : watched(response.body, wire)
  // The SDKs only iterate a streamed body, so an iterable stands in for it: far cheaper than a second stream.
  Object.defineProperty(response, "body", { value: pieces, configurable: true })
  return response
}

interface State extends Wire {
  last: Uint8Array | undefined
}

async function* watched(body: AsyncIterable<Uint8Array>, wire: State) {
  for await (const piece of body) {
    if (piece.length > 0) wire.last = wire.last !== undefined && piece.length < mark.length + 8 ? joined(wire.last, piece) : piece
    wire.heard()
    yield piece
  }
}

const mark = "[DONE]"

const endsWithDone = (piece: Uint8Array | undefined) =>
  piece !== undefined && new TextDecoder().decode(piece.subarray(-32)).trimEnd().endsWith(mark)

/** The mark may be cut: a short piece is looked at together with the end of what came before. */
const joined = (before: Uint8Array, piece: Uint8Array) => {
  const out = new Uint8Array(Math.min(before.length, 32) + piece.length)
  out.set(before.subarray(-32))
  out.set(piece, Math.min(before.length, 32))
  return out
}

async function* asEvent(body: AsyncIterable<Uint8Array>, wire: State) {
  const pieces: Array<Uint8Array> = []
  for await (const piece of body) {
    wire.heard()
    pieces.push(piece)
  }
  const lines = Buffer.concat(pieces).toString("utf8").split(/\r\n|\r|\n/)
  yield new TextEncoder().encode(`event: whole\n${lines.map((line) => `data: ${line}`).join("\n")}\n\n`)
}

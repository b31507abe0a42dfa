/** Bytes in a cassette: text where they are UTF-8, else base64; streams of events one event a piece. */
import type { Piece } from "./Cassette.ts"

export const pieceOf = (bytes: Uint8Array, dt?: number): Piece => {
  const text = Buffer.from(bytes).toString("utf8")
  const time = dt === undefined ? {} : { dt }
  return Buffer.from(text, "utf8").equals(bytes) && text.isWellFormed()
    ? { b: text, ...time }
    : { b64: Buffer.from(bytes).toString("base64"), ...time }
}

export const bytesOf = ({ b, b64 }: Piece): Uint8Array =>
  b64 === undefined ? Buffer.from(b ?? "", "utf8") : Buffer.from(b64, "base64")

/** Cut after each event of a stream, so that the same answer is the same lines however the network cut it. */
export const eventPieces = (body: Uint8Array): ReadonlyArray<Piece> => {
  const bytes = Buffer.from(body)
  const pieces: Array<Piece> = []
  let from = 0
  for (let at = 0; at < bytes.length; at++) {
    const end = endOfEvent(bytes, at)
    if (end === undefined) continue
    pieces.push(pieceOf(bytes.subarray(from, end)))
    from = end
    at = end - 1
  }
  if (from < bytes.length) pieces.push(pieceOf(bytes.subarray(from)))
  return pieces
}

const lf = 0x0a
const cr = 0x0d

/** The place after an empty line that ends here. */
const endOfEvent = (bytes: Buffer, at: number): number | undefined => {
  if (bytes[at] !== lf) return undefined
  if (bytes[at + 1] === lf) return at + 2
  return bytes[at + 1] === cr && bytes[at + 2] === lf ? at + 3 : undefined
}

/**
 * Messages on a byte stream: four bytes of length, then the message. Both ends use it.
 */
import { bytesOf, messageOf } from "./Packing.ts"

const headerBytes = 4

/** What is larger goes another way, so a larger length is no length. */
const mostBytes = 1 << 26

/** One message, ready to be written. */
export const frameOf = (message: object): Buffer => {
  const frame = bytesOf(message, headerBytes)
  frame.writeUInt32LE(frame.length - headerBytes, 0)
  return frame
}

/** Puts messages together from chunks of any size. */
export class FrameReader<A> {
  #chunks: Array<Buffer> = []
  #bytes = 0

  push(chunk: Buffer, each: (message: A) => void): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes >= headerBytes) {
      const length = this.#head().readUInt32LE(0)
      if (length > mostBytes) throw new RangeError(`a message of ${length} bytes is none`)
      const needed = headerBytes + length
      if (this.#bytes < needed) return
      each(messageOf(this.#take(needed).subarray(headerBytes)) as A)
    }
  }

  /** The first chunk, at least as long as a header. */
  #head(): Buffer {
    if (this.#chunks[0]!.length < headerBytes) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0]!
  }

  #take(bytes: number): Buffer {
    if (this.#chunks[0]!.length < bytes) this.#chunks = [Buffer.concat(this.#chunks)]
    const [first] = this.#chunks as [Buffer]
    if (first.length === bytes) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(bytes)
    this.#bytes -= bytes
    return first.subarray(0, bytes)
  }
}

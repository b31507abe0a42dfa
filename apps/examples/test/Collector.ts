import { Writable } from "node:stream"

/** An output that keeps what is written to it. */
export class Collector extends Writable {
  text = ""
  onText: ((text: string) => void) | undefined

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    this.onText?.(chunk.toString())
    done()
  }
}

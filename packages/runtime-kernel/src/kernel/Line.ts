/**
 * The kernel's end of the descriptors: messages to the host, answers it waits for without yielding, and events that
 * come in. Without a host there is nothing left to do, so the process ends.
 */
import { readSync, writeSync } from "node:fs"
import { Socket } from "node:net"
import { frameOf, FrameReader } from "../wire/Frames.ts"
import {
  type Answer,
  type Bulk,
  bulkBytes,
  bulkDescriptor,
  eventDescriptor,
  type Interrupt,
  type KernelEvent,
  type KernelMessage,
  kernelOffset,
  messageDescriptor,
  mostBulkBytes
} from "../wire/Messages.ts"
import { messageOf } from "../wire/Packing.ts"
import { Outbox } from "./Outbox.ts"

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Something is half said or half heard. */
let half = false

/** Not for what may throw and go on: where code is broken off, `finally` is not reached either. */
const whole = <A>(act: () => A): A => {
  const before = half
  half = true
  const result = act()
  half = before
  return result
}

/** Code was broken off. If that was in the middle of a message, nothing more can be said. */
export const assertWhole = (): void => {
  if (half) end()
}

/** Leaves with everything else of the turn. */
export const send = (message: KernelMessage): void => {
  const frame = frameOf(message)
  if (frame.length > mostBulkBytes) throw new RangeError(`${frame.length} bytes are too many to cross at once`)
  whole(() => frame.length <= bulkBytes ? outbox.push(frame) : sendBulk(frame))
}

const sendBulk = (frame: Buffer): void => {
  write(bulkDescriptor, frame.subarray(4), kernelOffset)
  outbox.push(frameOf({ t: "bulk", bytes: frame.length - 4 } satisfies KernelMessage))
  flush()
  receive()
}

/** What was sent leaves now. */
export const flush = (): void => whole(outbox.flush)

/** `flush` is called some time after this was. */
export const whenSending = (soon: () => void): void => {
  outbox.soon = soon
}

/** Sends, and waits without yielding. */
export const request = (message: KernelMessage): Answer => {
  send(message)
  flush()
  return whole(receive)
}

const outbox = new Outbox((bytes) => write(messageDescriptor, bytes, null))

const receive = (): Answer => {
  const head = read(messageDescriptor, 4, null)
  return unpacked(messageOf(read(messageDescriptor, head.readUInt32LE(0), null))) as Answer
}

const unpacked = (message: unknown): unknown => {
  const { bytes, offset, t } = message as Bulk
  return t === "bulk" ? messageOf(read(bulkDescriptor, bytes, offset)) : message
}

const read = (descriptor: number, bytes: number, offset: number | null): Buffer => {
  const buffer = Buffer.allocUnsafe(bytes)
  let done = 0
  while (done < bytes) {
    const n = retrying(() => readSync(descriptor, buffer, done, bytes - done, offset === null ? null : offset + done))
    if (n === 0) end()
    done += n
  }
  return buffer
}

const write = (descriptor: number, buffer: Uint8Array, offset: number | null): void => {
  let done = 0
  while (done < buffer.length) {
    done += retrying(() =>
      writeSync(descriptor, buffer, done, buffer.length - done, offset === null ? null : offset + done)
    )
  }
}

/** A descriptor that does not block is asked again. */
const retrying = (act: () => number): number => {
  for (;;) {
    try {
      return act()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") end()
      Atomics.wait(pause, 0, 0, 1)
    }
  }
}

/** Not `exit`, which would run what a cell may have left behind. */
const end = (): never => {
  process.kill(process.pid, "SIGKILL")
  for (;;) Atomics.wait(pause, 0, 0, 1_000)
}

/** Events of the host. */
export class Inbox {
  readonly #reader = new FrameReader<KernelEvent | Interrupt | Bulk>()
  readonly #buffer = Buffer.allocUnsafe(65_536)
  readonly #each: (event: KernelEvent | Interrupt) => void

  /** `each` is called in the order of arrival, also from inside `poll`. */
  constructor(each: (event: KernelEvent | Interrupt) => void) {
    this.#each = each
    const onread = { buffer: this.#buffer, callback: (bytes: number) => this.#take(bytes) }
    const socket = new Socket({ fd: eventDescriptor, readable: true, writable: false, onread })
    socket.on("end", end)
    socket.on("error", end)
  }

  /** Looks for events without yielding: what stops a loop has to reach it, and what it asked for has to begin. */
  poll(): void {
    flush()
    whole(() => {
      const bytes = this.#read()
      if (bytes === 0) end()
      if (bytes !== undefined) this.#take(bytes)
    })
  }

  #read(): number | undefined {
    try {
      return readSync(eventDescriptor, this.#buffer, 0, this.#buffer.length, null)
    } catch {
      return undefined // nothing has come
    }
  }

  #take(bytes: number): boolean {
    const chunk = Buffer.from(this.#buffer.subarray(0, bytes))
    this.#reader.push(chunk, (message) => this.#each(unpacked(message) as KernelEvent | Interrupt))
    return true
  }
}

/**
 * One child process: started with nothing, spoken to over three descriptors, and ended with everything it has.
 */
import { type ChildProcess, spawn } from "node:child_process"
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  unlinkSync,
  writeSync
} from "node:fs"
import type { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { frameOf, FrameReader } from "../wire/Frames.ts"
import {
  type Answer,
  type Bulk,
  bulkBytes,
  type Interrupt,
  type KernelEvent,
  type KernelMessage,
  kernelOffset,
  mostBulkBytes
} from "../wire/Messages.ts"
import { messageOf } from "../wire/Packing.ts"
import { kernelCommand, type SpawnOptions } from "./Command.ts"
import type { Ending, Transport, Why } from "./Transport.ts"

export class KernelProcess implements Transport {
  readonly ready: Promise<void>
  readonly ended: Promise<Ending>
  onMessage: (message: KernelMessage) => void = () => {}
  readonly #child: ChildProcess
  readonly #bulk: number
  readonly #directory: string
  readonly #reader = new FrameReader<KernelMessage>()
  #bulkEnd = 0
  #sent = 0
  #seen = 0
  #busySince: number | undefined
  #why: Why | undefined
  /** Why it was sent a signal that it may not live through. */
  #brokenFor: Why | undefined
  /** The process is that of a launcher, and not the kernel itself. */
  readonly #launched: boolean
  #said = ""
  #over = false

  constructor(options: SpawnOptions) {
    this.#launched = options.launcher !== undefined
    // First: a launcher may refuse, and then nothing is left behind.
    const { args, command, env } = kernelCommand(options)
    this.#directory = mkdtempSync(join(tmpdir(), "daylight-kernel-"))
    this.#bulk = openNameless(existsSync("/dev/shm") ? "/dev/shm" : this.#directory)
    this.#child = spawn(command, args, {
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", this.#bulk],
      cwd: this.#directory,
      env: env as NodeJS.ProcessEnv
    })
    const began = Promise.withResolvers<void>()
    this.ready = began.promise
    this.ready.catch(() => {}) // told to whoever waits
    this.ended = new Promise((resolve) => {
      let told = false
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (told) return
        told = this.#over = true
        closeSync(this.#bulk)
        rmSync(this.#directory, { recursive: true, force: true })
        began.reject(new Error(this.#said.trim() || `it ended with ${signal ?? `code ${code}`} before it began`))
        const why = this.#why ?? this.#brokenFor
        resolve({ code, signal, why, said: this.#said })
      }
      this.#child.once("exit", () => {
        this.#over = true
      })
      // What it said before its end counts: so not the exit is its end, but that of its pipes.
      this.#child.once("close", end)
      this.#child.once("error", (error) => {
        this.#said += error.message
        end(null, null)
      })
    })
    this.#listen(began.resolve)
    this.idle()
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get over(): boolean {
    return this.#over
  }

  /** When the event that it has not taken in yet was sent; nothing where it has taken in all. */
  get busySince(): number | undefined {
    return this.#busySince
  }

  get sent(): number {
    return this.#sent
  }

  /** Of the file, what the kernel has filled: it is memory, and belongs to no process. */
  get filedBytes(): number {
    return this.#over ? 0 : Math.max(0, fstatSync(this.#bulk).blocks * 512 - this.#bulkEnd - blockBytes)
  }

  /** Everything that was sent has been taken in. */
  get isIdle(): boolean {
    return this.#seen >= this.#sent
  }

  send(event: KernelEvent): void {
    this.sendFrame(frameOf(event))
  }

  sendFrame(frame: Buffer): void {
    this.#sent++
    this.#busySince ??= performance.now()
    this.#events.write(this.#small(frame))
  }

  interrupt(ns: number, cell: number, expired?: string): void {
    this.#events.write(frameOf({ t: "interrupt", ns, cell, expired } satisfies Interrupt))
  }

  breakOff(why: Why): boolean {
    if (this.#launched) return false
    this.#brokenFor = why
    return this.#child.kill("SIGINT")
  }

  answer(answer: Answer): void {
    this.answerFrame(frameOf(answer))
  }

  answerFrame(frame: Buffer): void {
    this.#messages.write(this.#small(frame))
  }

  kill(why: Why): void {
    this.#why ??= why
    this.#child.kill("SIGKILL")
  }

  /** The host may end while the process only waits. */
  idle(): void {
    this.#brokenFor = undefined
    this.#child.unref()
    for (const stream of this.#child.stdio) (stream as Partial<Socket> | null)?.unref?.()
  }

  busy(): void {
    this.#child.ref()
    this.#messages.ref()
  }

  get #events(): Socket {
    return this.#child.stdio[3] as Socket
  }

  get #messages(): Socket {
    return this.#child.stdio[4] as Socket
  }

  #listen(ready: () => void): void {
    // The end of a process is told by its exit; a pipe that breaks with it is no news.
    for (const stream of [this.#events, this.#messages]) stream.on("error", () => {})
    this.#child.stderr!.on("data", (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-4_000)
    })
    this.#messages.on("data", (chunk: Buffer) => {
      try {
        this.#reader.push(chunk, (message) => this.#take(message, ready))
      } catch (error) {
        // A kernel that does not keep to the protocol is not one any more.
        this.#said = (this.#said + String(error)).slice(-4_000)
        this.kill("protocol")
      }
    })
  }

  #take(message: KernelMessage, ready: () => void): void {
    switch (message.t) {
      case "ready":
        // It stays where it is, in a folder without a name: nothing is left of it when this host is killed.
        if (process.platform !== "win32") rmSync(this.#directory, { recursive: true, force: true })
        return ready()
      case "idle":
        this.#seen = Math.max(this.#seen, message.seen)
        this.#busySince = this.isIdle ? undefined : performance.now()
        if (this.isIdle && this.#bulkEnd > 0) this.#clearBulk()
        return this.onMessage(message)
      case "bulk": {
        const whole = this.#readBulk(message.bytes)
        this.answer({ t: "read" })
        return this.onMessage(whole)
      }
      default:
        return this.onMessage(message)
    }
  }

  /** What is too large for a pipe goes into the file. */
  #small(frame: Buffer): Buffer {
    if (frame.length <= bulkBytes || this.#over) return frame
    const body = frame.subarray(4)
    const offset = this.#bulkEnd
    for (let done = 0; done < body.length;) {
      done += writeSync(this.#bulk, body, done, body.length - done, offset + done)
    }
    this.#bulkEnd += body.length
    return frameOf({ t: "bulk", offset, bytes: body.length } satisfies Bulk)
  }

  #readBulk(bytes: number): KernelMessage {
    if (!(bytes <= mostBulkBytes)) throw new RangeError(`a message of ${bytes} bytes is none`)
    const buffer = Buffer.allocUnsafe(bytes)
    for (let done = 0; done < bytes;) {
      const read = readSync(this.#bulk, buffer, done, bytes - done, kernelOffset + done)
      if (read === 0) throw new Error("the kernel announced more than it wrote")
      done += read
    }
    ftruncateSync(this.#bulk, kernelOffset)
    return messageOf(buffer) as KernelMessage
  }

  #clearBulk(): void {
    this.#bulkEnd = 0
    ftruncateSync(this.#bulk, 0)
  }
}

/** The last one of the host's part may be half full. */
const blockBytes = 1 << 16

/** A file that nobody else can open, and that is gone with its last descriptor. */
const openNameless = (directory: string): number => {
  const path = join(directory, `daylight-${process.pid}-${Math.random().toString(36).slice(2)}`)
  const descriptor = openSync(path, "wx+", 0o600)
  unlinkSync(path)
  return descriptor
}

/**
 * What a kernel is to its host: something that takes events in order, sends messages in order, and may be ended. A
 * child process is one; a container or a pod behind a socket could be another, with the same program in it.
 */
import type { Answer, KernelEvent, KernelMessage } from "../wire/Messages.ts"

/** How it came to its end. `why`: the host ended it. */
export interface Ending {
  readonly code: number | null
  readonly signal: string | null
  readonly why: Why | undefined
  /** The last lines that it wrote to its error output. */
  readonly said: string
}

/** Why the host ends a kernel. */
export type Why = "protocol" | "closed" | "cpu" | "time" | "memory" | "interrupted" | "diverged"

export interface Transport {
  /** Rejects where it ends before it begins. */
  readonly ready: Promise<void>
  readonly ended: Promise<Ending>
  /** Set by whoever uses it. What the kernel says is not to be trusted. */
  onMessage: (message: KernelMessage) => void
  /** Of the process, where it is one of this machine. */
  readonly pid: number | undefined
  readonly over: boolean
  /** Bytes that it keeps outside of its process, for the host to read. */
  readonly filedBytes: number
  /** Events so far. */
  readonly sent: number
  /** Everything that was sent has been taken in. */
  readonly isIdle: boolean
  /** Since when an event is not taken in; nothing where all are. */
  readonly busySince: number | undefined
  readonly send: (event: KernelEvent) => void
  /** An event that was made ready before. */
  readonly sendFrame: (frame: Buffer) => void
  /** What the kernel waits for. */
  readonly answer: (answer: Answer) => void
  readonly answerFrame: (frame: Buffer) => void
  /** Overtakes events: it reaches a loop. `expired`: what took too long. */
  readonly interrupt: (ns: number, cell: number, expired?: string) => void
  /**
   * Breaks off what the kernel is doing, where the engine can; the kernel goes on, if it can. Gives whether that was
   * tried.
   */
  readonly breakOff: (why: Why) => boolean
  readonly kill: (why: Why) => void
  /** The host may end while the kernel only waits. */
  readonly idle: () => void
  readonly busy: () => void
}

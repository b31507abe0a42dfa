/**
 * What happened to a namespace since its last snapshot, exactly as it was sent: with the snapshot it is all that is
 * needed to bring a cell back to the middle in which its process died.
 */
import type { Value } from "@daylight/core"
import type { Clock, OperationMessage } from "../wire/Messages.ts"

/** A call, timer or piece of work, as the cell issued it. */
export interface Issued {
  readonly what: "operation" | "timer" | "work"
  readonly after: number
  readonly id?: number | undefined
  readonly op?: string | undefined
  readonly key?: string | undefined
  readonly args?: Uint8Array | undefined
  readonly ms?: number | undefined
}

/** A call as the log has it. */
export interface LoggedCall {
  readonly path: string
  readonly after: number
  readonly args: ReadonlyArray<Value>
}

/** An event as it was sent. */
export interface NumberedEvent {
  readonly number: number
  readonly frame: Buffer
}

export class Journal {
  readonly cell: number
  readonly seed: string
  /** Events between the snapshot and the cell. */
  before: ReadonlyArray<NumberedEvent>
  /** Events since the cell began. */
  readonly events: Array<Buffer> = []
  readonly #issued = new Map<number, Issued>()
  /** The bytes that the kernel waited for. */
  readonly #answers = new Map<number, Buffer>()
  readonly #logged = new Map<number, LoggedCall>()
  readonly #scheduled = new Set<string>()
  readonly #clock: Array<number> = []
  /** Issued by the attempt that is running. */
  #again = 0
  /** Characters that this attempt printed, and the most that any did. */
  #printed = 0
  #shown = 0
  /** The process is gone, and the next attempt has not begun: events are only written down. */
  suspended = false

  constructor(cell: number, seed: string, before: ReadonlyArray<NumberedEvent>) {
    this.cell = cell
    this.seed = seed
    this.before = before
  }

  get clock(): Clock {
    return this.#clock
  }

  read(clock: Clock): void {
    for (const reading of clock) this.#clock.push(reading)
  }

  /** A further attempt begins. */
  restart(): void {
    this.#again = 0
    this.#printed = 0
    this.suspended = false
  }

  /** What of a print no earlier attempt has printed. */
  unseen(text: string): string {
    this.#printed += text.length
    const fresh = this.#printed - this.#shown
    if (fresh <= 0) return ""
    this.#shown = this.#printed
    return text.slice(-fresh)
  }

  /** Nothing: it is new. `differs`: the record says something else. */
  issue(n: number, issued: Issued): Issued | "differs" | undefined {
    this.#again++
    const before = this.#issued.get(n)
    if (before === undefined) {
      this.#issued.set(n, issued)
      return undefined
    }
    return isSame(before, issued) ? before : "differs"
  }

  answered(n: number, answer: Buffer): void {
    this.#answers.set(n, answer)
  }

  /** A call that the log knows of. */
  remember(n: number, call: LoggedCall): void {
    this.#logged.set(n, call)
  }

  logged(n: number): LoggedCall | undefined {
    return this.#logged.get(n)
  }

  /** Its end is among the events. */
  scheduled(cell: number, n: number): void {
    this.#scheduled.add(`${cell}:${n}`)
  }

  isScheduled(cell: number, n: number): boolean {
    return this.#scheduled.has(`${cell}:${n}`)
  }

  answerOf(n: number): Buffer | undefined {
    return this.#answers.get(n)
  }

  /** The attempt has issued all that an earlier one had. */
  get caughtUp(): boolean {
    return this.#again >= Math.max(this.#issued.size, this.#logged.size)
  }
}

const isSame = (a: Issued, b: Issued): boolean =>
  a.what === b.what && a.after === b.after && a.id === b.id && a.op === b.op && a.key === b.key && a.ms === b.ms &&
  (a.args === b.args || (a.args !== undefined && b.args !== undefined && Buffer.compare(a.args, b.args) === 0))

/** An operation without what differs from attempt to attempt. */
export const issuedBy = ({ after, args, id, key, op }: OperationMessage): Issued => ({
  what: "operation",
  after,
  id,
  op,
  key,
  args
})

/**
 * What happened to a namespace since its last snapshot, exactly as it was sent: with the snapshot it is all that is
 * needed to bring a cell back to the middle in which its process died.
 */
import type { Diverged, HostCall, Value } from "@daylight/core"
import type { Clock, OperationMessage } from "../wire/Messages.ts"
import { isSamePacked, type Packed } from "../wire/Packing.ts"

/** A call, timer or piece of work, as the cell issued it. */
export interface Issued {
  readonly what: "operation" | "timer" | "work"
  readonly after: number
  readonly id?: number | undefined
  readonly op?: string | undefined
  readonly key?: string | undefined
  readonly args?: Packed | undefined
  readonly ms?: number | undefined
}

/** A call as the log has it. `after`: older logs lack it where the call was refused. */
export interface LoggedCall {
  readonly path: string
  readonly operation: HostCall["operation"]
  readonly after: number | undefined
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
  /** What the record tells of, and what of it the attempt that is running has issued. */
  readonly #known = new Set<number>()
  readonly #again = new Set<number>()
  /** The record has the end of the cell. */
  isWhole = false
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
    this.#again.clear()
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
    this.#known.add(n)
    this.#again.add(n)
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
    this.#known.add(n)
  }

  logged(n: number): LoggedCall | undefined {
    return this.#logged.get(n)
  }

  /** Its end is among the events. */
  scheduled(cell: number, n: number): void {
    this.#scheduled.add(`${cell}:${n}`)
    if (cell === this.cell) this.#known.add(n)
  }

  isScheduled(key: string): boolean {
    return this.#scheduled.has(key)
  }

  /** The log has a timer or work in this place. */
  isTimer(n: number): boolean {
    return this.isScheduled(`${this.cell}:${n}`) && !this.#logged.has(n) && this.#answers.get(n) === undefined
  }

  answerOf(n: number): Buffer | undefined {
    return this.#answers.get(n)
  }

  /** The attempt has issued all that an earlier one had. */
  get caughtUp(): boolean {
    return this.#again.size >= this.#known.size
  }

  /** The first of what it has not issued. */
  get missing(): Omit<Diverged, "came"> | undefined {
    if (this.caughtUp) return undefined
    const ordinal = Math.min(...[...this.#known].filter((n) => !this.#again.has(n)))
    return { _tag: "Diverged", ordinal, expected: this.#described(ordinal) }
  }

  /** Where `issue` says that it differs. */
  divergence(ordinal: number, came: Issued): Diverged {
    return { _tag: "Diverged", ordinal, expected: this.#described(ordinal), came: plain(came) }
  }

  #described(n: number): unknown {
    const issued = this.#issued.get(n)
    return this.#logged.get(n)?.path ?? (issued === undefined ? "a timer, or work" : plain(issued))
  }
}

const plain = ({ after, key, ms, op, what }: Issued) => ({ what, op, key, ms, after })

const isSame = (a: Issued, b: Issued): boolean =>
  a.what === b.what && a.after === b.after && a.id === b.id && a.op === b.op && a.key === b.key && a.ms === b.ms &&
  isSamePacked(a.args, b.args)

/** An operation without what differs from attempt to attempt. */
export const issuedBy = ({ after, args, id, key, op }: OperationMessage): Issued => ({
  what: "operation",
  after,
  id,
  op,
  key,
  args
})

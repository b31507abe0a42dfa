/**
 * What a cell asks of the host: calls and reads of live objects, each through the boundary; timers; and the order in
 * which their ends come back. Everything is written down, so that a cell can run again after its process died.
 */
import { type Boundary, type Diverged, type HostCall, HostCallError, Platform, type Recorded } from "@daylight/core"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { arrive, depart, departError } from "../wire/Crossing.ts"
import type {
  Answer,
  Clock,
  ErrorWire,
  KernelEvent,
  KernelMessage,
  OperationMessage,
  Result,
  Wire
} from "../wire/Messages.ts"
import { frameOf } from "../wire/Frames.ts"
import { unpack } from "../wire/Packing.ts"
import { type HostObject, pathOf, perform } from "./HostObjects.ts"
import { Callbacks } from "./Callbacks.ts"
import { checkCount, checkIssued, checkOperation } from "./Checked.ts"
import type { HostSide } from "./HostSide.ts"
import { issuedBy, Journal, type NumberedEvent } from "./Journal.ts"
import { bare, contractOf, diverged, failureOf, operations } from "./Operations.ts"
import { differenceOf, journalOf } from "./Record.ts"
import type { Kernel, Wait } from "./Kernel.ts"
import type { Origins } from "./Origins.ts"
import { isGone, Remembered } from "./Remembered.ts"

/** An event that is part of the schedule of a cell. */
type Scheduled = Extract<KernelEvent, { readonly t: "end" | "fired" | "callback" | "set" }>

/** The cell that is running, as far as calls are concerned. */
export interface Caller {
  readonly services: Context.Context<never>
  readonly pause: (on: boolean) => void
}

interface Pending {
  readonly cell: number
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

const nothing: ReadonlyArray<never> = []

export class Calls {
  readonly #kernel: Kernel
  readonly #ns: number
  readonly #boundary: Boundary
  readonly #side: HostSide
  readonly #origins: Origins
  readonly #pending = new Map<string, Pending>()
  readonly #timers = new Map<string, () => void>()
  /** Functions of cells that the host calls. */
  readonly callbacks: Callbacks
  readonly #worked = new Set<string>()
  /** What cells with a whole record left unfinished: it goes on once there is no record any more. */
  readonly #held = new Map<string, () => void>()
  readonly #remembered = new Remembered()
  #lastPromise = 0
  /** The next call carries them into the log, or the end of the cell. */
  #unlogged: Array<number> = []
  #journal: Journal | undefined
  /** Events since the last snapshot, with their numbers, while no cell runs. */
  #between: Array<NumberedEvent> = []
  #services: Context.Context<never> | undefined
  caller: Caller | undefined
  /** The cell does something else than the record says. */
  onDiverged: (diverged: Diverged) => void = () => {}

  constructor(
    kernel: Kernel,
    ns: number,
    boundary: Boundary,
    side: HostSide,
    origins: Origins
  ) {
    this.#kernel = kernel
    this.#ns = ns
    this.#boundary = boundary
    this.#side = side
    this.#origins = origins
    this.callbacks = new Callbacks(side, kernel.waits, (id, call, args) => {
      const wire = this.depart(args)
      boundary.note?.({ _tag: "CallbackCalled", cell: this.#journal?.cell ?? 0, callback: id, args })
      this.deliver({ t: "callback", ns, id, call, args: wire })
    })
  }

  get pendingCount(): number {
    return this.#pending.size + this.#timers.size + this.#held.size
  }

  get journal(): Journal | undefined {
    return this.#journal
  }

  // ------------------------------------------------------------------------------------------ attempts

  /** A cell begins, for the first time. */
  begin(cell: number, seed: string, caller: Caller): Clock {
    this.#journal = new Journal(cell, seed, this.#between)
    this.#between = []
    this.#worked.clear()
    this.#unlogged = []
    this.#attach(caller)
    this.#goOn()
    return nothing
  }

  /** Readings of the clock that are not in the log. A further attempt of the cell gets them again. */
  get unlogged(): Clock {
    return this.#unlogged
  }

  /** The log gets them now, with those that came last. */
  takeReadings(last: Clock = nothing): Clock {
    if (this.#unlogged.length === 0) return last
    const readings = [...this.#unlogged, ...last]
    this.#unlogged = []
    return readings
  }

  /** Something of the record came to its place, and nothing waits for it there. */
  unexpected(key: string | undefined): Diverged {
    const ordinal = Number(key?.split(":")[1] ?? 0)
    const call = this.#journal?.logged(ordinal)
    const expected = call === undefined ? "the end of a timer or of work" : { "the end of": call.path }
    return { _tag: "Diverged", ordinal, expected, came: "nothing that waits for it" }
  }

  /** For the log. */
  note(fact: Parameters<NonNullable<Boundary["note"]>>[0]): void {
    this.#boundary.note?.(fact)
  }

  /** The record of a cell as the log has it. */
  recorded(events: ReadonlyArray<Recorded>): Journal | undefined {
    return journalOf(events, {
      ns: this.#ns,
      depart: (value, path) => this.depart(value, path),
      departError: (error) => this.departError(error),
      reach: (path) => this.#side.reach(path),
      remembered: this.#remembered,
      nextCallback: () => this.callbacks.next()
    })
  }

  /** The namespace goes on from this record. */
  adopt(journal: Journal): void {
    this.#journal = journal
    this.#worked.clear()
    this.#unlogged = []
    for (const key of this.#held.keys()) if (journal.isScheduled(key)) this.#held.delete(key)
  }

  /** Nothing says any more when what was left unfinished ends. */
  #goOn(): void {
    const held = [...this.#held.values()]
    this.#held.clear()
    for (const go of held) go()
  }

  /** The same cell begins again, in a new process. `events` were sent to the old one. */
  beginAgain(journal: Journal, caller: Caller): { readonly clock: Clock; readonly events: ReadonlyArray<Buffer> } {
    journal.restart()
    this.#attach(caller)
    if (!journal.isWhole) this.#goOn()
    return { clock: journal.clock, events: [...journal.events] }
  }

  #attach(caller: Caller): void {
    this.caller = caller
    this.#services = caller.services
  }

  /** The cell is over. Where it was stopped, what it still waits for is ended. */
  end(cell: number, stopped: boolean): void {
    this.caller = undefined
    if (stopped) this.#interrupt((pending) => pending.cell === cell)
  }

  /** A snapshot holds everything up to the event of this number. */
  saved(upTo: number): void {
    const isLater = ({ number }: NumberedEvent): boolean => number > upTo
    if (this.caller === undefined) {
      this.#journal = undefined
      this.#between = this.#between.filter(isLater)
    } else if (this.#journal !== undefined) this.#journal.before = this.#journal.before.filter(isLater)
  }

  /** The process is gone. */
  suspend(): void {
    this.caller = undefined
    if (this.#journal !== undefined) this.#journal.suspended = true
  }

  /** Nothing goes on from here: the namespace begins anew. */
  drop(): void {
    this.#journal = undefined
    this.#between = []
    this.caller = undefined
    this.#interrupt(() => true)
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
    this.#held.clear()
    this.callbacks.lose()
  }

  #interrupt(which: (pending: Pending) => boolean): void {
    for (const [key, pending] of this.#pending) {
      if (!which(pending)) continue
      this.#pending.delete(key)
      pending.fiber.interruptUnsafe()
    }
  }

  // ------------------------------------------------------------------------------------------ the schedule

  /** Sends an event in its order, now or after a restart. */
  deliver(event: Scheduled): void {
    const frame = frameOf(event)
    const { process } = this.#kernel
    this.#journal?.events.push(frame)
    if (process === undefined || process.over || this.#journal?.suspended === true) return
    process.sendFrame(frame)
    if (this.caller === undefined) this.#between.push({ number: process.sent, frame })
  }

  take(message: KernelMessage): void {
    switch (message.t) {
      case "operation":
        checkIssued(message)
        checkOperation(message)
        checkCount(this.#pending.size, this.#kernel.options.namespace.pendingCalls)
        return this.#operation(message)
      case "timer":
        checkIssued(message)
        return this.#timer(message)
      case "work":
        checkIssued(message)
        return void this.#isNew(message, { what: "work", after: message.after })
      case "workEnded":
        if (this.#worked.has(message.key) || this.#journal?.isScheduled(message.key) === true) return
        this.#worked.add(message.key)
        return this.#orHold(message.key, () => this.#fired(message.key))
      case "clear":
        this.#held.delete(message.key)
        this.#timers.get(message.key)?.()
        return void this.#timers.delete(message.key)
      case "returned":
        return this.callbacks.returned(message)
    }
  }

  /** Not in the record of an earlier attempt. */
  #isNew(
    message: { readonly n: number; readonly cell: number; readonly clock: Clock },
    issued: Parameters<Journal["issue"]>[1]
  ): boolean {
    for (const reading of message.clock) this.#unlogged.push(reading)
    const journal = this.#journal
    if (journal === undefined || journal.cell !== message.cell) return true
    journal.read(message.clock)
    const before = journal.issue(message.n, issued)
    if (before === "differs" || (before === undefined && journal.logged(message.n) !== undefined)) {
      this.onDiverged(journal.divergence(message.n, issued))
    }
    return before === undefined
  }

  /** While a cell follows a whole record, nothing happens but what that has. */
  #orHold(key: string, go: () => void): void {
    if (this.#journal?.isWhole === true) this.#held.set(key, go)
    else go()
  }

  #fired(key: string): void {
    const [cell, ordinal] = key.split(":").map(Number)
    if (cell !== undefined && ordinal !== undefined) this.#boundary.note?.({ _tag: "TimerFired", cell, ordinal })
    this.deliver({ t: "fired", ns: this.#ns, key })
  }

  #timer(message: Extract<KernelMessage, { readonly t: "timer" }>): void {
    const { after, cell, ms, n } = message
    if (!this.#isNew(message, { what: "timer", after, ms })) return
    const key = `${cell}:${n}`
    if (this.#journal?.isScheduled(key) === true) return
    checkCount(this.#timers.size, this.#kernel.options.namespace.timers)
    const arm = () =>
      void this.#timers.set(
        key,
        this.#kernel.options.scheduler.later(ms, n, () => {
          this.#timers.delete(key)
          this.#fired(key)
        })
      )
    this.#orHold(key, arm)
  }

  // ------------------------------------------------------------------------------------------ operations

  #operation(message: OperationMessage): void {
    const { cell, clock, n, sync } = message
    for (const reading of clock) this.#unlogged.push(reading)
    const journal = this.#journal
    if (journal !== undefined && journal.cell === cell) {
      journal.read(clock)
      const before = journal.issue(n, issuedBy(message))
      if (before === "differs") {
        this.onDiverged(journal.divergence(n, issuedBy(message)))
        if (sync) this.#answer(message, { t: "error", e: this.departError(diverged(n)) })
        return
      }
      if (before !== undefined) return this.#repeat(journal, n)
    }
    try {
      this.#invoke(message)
    } catch (error) {
      this.#finish(message, { e: this.departError(error) })
    }
  }

  #invoke(message: OperationMessage): void {
    const { id, key, n, op, sync } = message
    if (id === 0) return this.#import(message)
    const entry = this.#kernel.objects.get(id)
    if (entry === undefined) {
      throw new HostCallError({ path: key ?? "object", reason: { _tag: "ReferenceLost", type: "object" } })
    }
    const contract = contractOf(entry, message)
    const path = pathOf(entry, key)
    if (!sync && this.caller === undefined) {
      throw new HostCallError({
        path,
        reason: { _tag: "Denied", by: "runtime", why: "no cell is running; await calls in the cell" }
      })
    }
    const wire = unpack(message.args) as Wire
    const args = this.arrive(wire)
    if (!Array.isArray(args)) throw new TypeError("the kernel sent no list of arguments")
    if (op === "set") this.#origins.note(args[0], message.o)
    if (op === "call" && registering.has(key)) { for (const arg of args) this.#kernel.far.listen(arg) }
    if (entry.direct) return this.#direct(message, entry, args)
    const asked = { path, operation: operations[op], args, after: message.after, contract }
    if (this.#isLogged(message, asked)) return
    const call: HostCall = {
      ...asked,
      cell: message.cell,
      ordinal: n,
      taint: nothing,
      ...(contract === bare && { bare: true }),
      blocking: sync,
      entropy: this.takeReadings()
    }
    const wait: Wait = { held: [], told: [] }
    let performed = false
    const effect = this.#boundary.invoke(call, (args, context) => {
      performed = true
      this.#kernel.waits.push(wait)
      try {
        if (isGone(entry.object)) throw new HostCallError({ path, reason: { _tag: "ReferenceLost", type: path } })
        return Platform.defaultValue().runWith(context, () => perform(entry, op, key, args))
      } finally {
        this.#kernel.waits.pop()
      }
    }, this.caller?.pause)
    const fiber = Effect.runForkWith(this.#services!)(effect)
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return this.#ended(message, path, exit, wait, entry)
    if (sync && !performed) {
      fiber.interruptUnsafe()
      const why = "it has to answer at once, and what decides about it did not"
      throw new HostCallError({ path, reason: { _tag: "Denied", by: "runtime", why } })
    }
    this.#later(message, path, fiber, wait)
  }

  /** The answer of an earlier attempt, where it was waited for. */
  #repeat(journal: Journal, n: number): void {
    const answer = journal.answerOf(n)
    if (answer !== undefined) this.#kernel.process?.answerFrame(answer)
  }

  /** The log has the end of this call, so it is not made again; or has another call in its place. */
  #isLogged(message: OperationMessage, asked: Parameters<typeof differenceOf>[0]): boolean {
    const journal = this.#journal
    if (journal?.cell !== message.cell) return false
    const logged = journal.logged(message.n)
    if (logged === undefined) {
      if (!journal.isTimer(message.n)) return false
      this.onDiverged(journal.divergence(message.n, { ...issuedBy(message), key: asked.path }))
      return true
    }
    const difference = differenceOf(asked, logged)
    if (difference !== undefined) {
      this.onDiverged({ _tag: "Diverged", ordinal: message.n, ...difference })
      if (message.sync) this.#answer(message, { t: "error", e: this.departError(diverged(message.n)) })
      return true
    }
    if (journal.answerOf(message.n) !== undefined) {
      this.#repeat(journal, message.n)
      return true
    }
    const key = `${message.cell}:${message.n}`
    if (!journal.isScheduled(key)) {
      if (!journal.isWhole) return false
      this.#held.set(key, () => this.#invoke({ ...message, sync: false }))
    }
    if (message.sync) this.#answer(message, { t: "later" })
    return true
  }

  /** A function of the engine. What it gives may be a promise. */
  #direct(message: OperationMessage, entry: HostObject, args: ReadonlyArray<unknown>): void {
    const value = perform(entry, message.op, message.key, args)
    this.#finish(message, { v: this.depart(value) })
  }

  /** The call gave its answer at once. */
  #ended(
    message: OperationMessage,
    path: string,
    exit: Exit.Exit<unknown, unknown>,
    { held, told }: Wait,
    entry: HostObject
  ): void {
    const refused = held.length > 0 && message.sync
    for (const call of held) {
      if (refused) call.refuse()
      else call.go()
    }
    this.#finish(
      message,
      refused
        ? { e: this.departError(new HostCallError({ path, reason: { _tag: "Reentrant" } })) }
        : this.#outcome(message, exit, path, entry)
    )
    for (const go of told) go()
  }

  #later(message: OperationMessage, path: string, fiber: Fiber.Fiber<unknown, unknown>, wait: Wait): void {
    const key = `${message.cell}:${message.n}`
    this.#pending.set(key, { cell: message.cell, fiber })
    if (message.sync) this.#answer(message, { t: "later" })
    for (const { go } of wait.held) go()
    for (const go of wait.told) go()
    fiber.addObserver((exit) => {
      if (!this.#pending.delete(key)) return // the cell or the session is over
      this.deliver({ t: "end", ns: this.#ns, key, ...this.#outcome(message, exit, path, undefined) })
    })
  }

  #outcome(
    message: OperationMessage,
    exit: Exit.Exit<unknown, unknown>,
    path: string,
    entry: HostObject | undefined
  ): Result {
    if (exit._tag === "Failure") return { e: this.departError(failureOf(exit.cause)) }
    try {
      const { value } = exit
      // A container read as a property is what the host holds itself: its copy must not pass for it.
      const readOnly = message.op === "get" && entry !== undefined && typeof value === "object" && value !== null
      const wire = this.depart(value, message.op === "get" ? path : undefined)
      const o = this.#origins.of(value)
      if (o !== undefined) return { v: { ...wire, o } }
      return { v: readOnly ? { ...wire, f: true } : wire }
    } catch (error) {
      return { e: this.departError(error) }
    }
  }

  #finish(message: OperationMessage, outcome: Result): void {
    if (message.sync) {
      return this.#answer(
        message,
        outcome.v === undefined ? { t: "error", e: outcome.e } : { t: "value", v: outcome.v }
      )
    }
    this.deliver({ t: "end", ns: this.#ns, key: `${message.cell}:${message.n}`, ...outcome })
  }

  #answer({ cell, n }: OperationMessage, answer: Answer): void {
    const frame = frameOf(answer)
    if (this.#journal?.cell === cell) this.#journal.answered(n, frame)
    this.#kernel.process?.answerFrame(frame)
  }

  #import(message: OperationMessage): void {
    const key = `${message.cell}:${message.n}`
    this.#side.load(message.key ?? "").then(
      (module) =>
        this.deliver({
          t: "end",
          ns: this.#ns,
          key,
          ...this.#result(module, `import(${JSON.stringify(message.key)})`)
        }),
      (error) => this.deliver({ t: "end", ns: this.#ns, key, e: this.departError(error) })
    )
  }

  // ------------------------------------------------------------------------------------------ crossing

  depart(value: unknown, path?: string): Wire {
    return depart(this.#side, value, path)
  }

  /** What cannot cross is a failure of whoever waits for it. */
  #result(value: unknown, path?: string): Result {
    try {
      return { v: this.depart(value, path) }
    } catch (error) {
      return { e: this.departError(error) }
    }
  }

  departError(error: unknown): ErrorWire {
    return departError(this.#side, error)
  }

  arrive(wire: Wire): unknown {
    return arrive(this.#side, wire)
  }

  /** A promise of the host: the kernel has one of its own, settled by an event. */
  follow(promise: PromiseLike<unknown>): string {
    const key = `p${++this.#lastPromise}`
    promise.then(
      (value) => this.deliver({ t: "end", ns: this.#ns, key, ...this.#result(value) }),
      (error) => this.deliver({ t: "end", ns: this.#ns, key, e: this.departError(error) })
    )
    return key
  }
}

/** Methods that take functions to be told of events. */
const registering = new Set<string | undefined>([
  "addEventListener",
  "addListener",
  "on",
  "once",
  "prependListener",
  "prependOnceListener"
])

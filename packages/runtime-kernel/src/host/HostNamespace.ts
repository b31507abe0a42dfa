/**
 * One session's namespace in a kernel, as the engine sees it. It outlives the processes it is in: after a loss the next
 * cell finds its variables as the last snapshot has them, and is told what could not be kept.
 */
import {
  type Bound,
  type Boundary,
  type Cell,
  countCellLimits,
  type CountedCellLimits,
  type Diverged,
  InvalidInput,
  type NamespaceDiff,
  type Runtime,
  RuntimeError,
  type Variable
} from "@daylight/core"
import { declarationsOf, type Modules } from "@daylight/core/node"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Sketch } from "../kernel/Sketch.ts"
import { arriveError } from "../wire/Crossing.ts"
import type { KernelMessage, Question, Result, SavedNamespace, Wire } from "../wire/Messages.ts"
import { BoundNames, isAssignable, valueOf } from "./BoundNames.ts"
import { Calls } from "./Calls.ts"
import { checkedClock, checkedLive, checkedReport, checkedSaved } from "./Checked.ts"
import { expiryOf } from "./Endings.ts"
import { closed, missing, notTransferable, refused } from "./Failures.ts"
import { HostSide } from "./HostSide.ts"
import { Kept } from "./Kept.ts"
import type { Kernel, Member } from "./Kernel.ts"
import { bringToEnd } from "./Ladder.ts"
import { LiveVariables } from "./LiveVariables.ts"
import { Origins } from "./Origins.ts"
import { moduleOf } from "./Paths.ts"
import { Questions } from "./Questions.ts"
import { rebuildable } from "./Rebuildable.ts"
import { isStopped, reportOfEnding } from "./Reports.ts"
import { type Rerun, Reruns } from "./Reruns.ts"
import { fromSnapshot, pathsIn, toSnapshot } from "./Snapshots.ts"
import { standInOf } from "./StandIns.ts"
import type { Ending, Transport, Why } from "./Transport.ts"
import { Watch } from "./Watch.ts"

type Ran = Effect.Success<ReturnType<Runtime["execute"]>>
interface Running {
  readonly cell: Cell
  readonly limits: CountedCellLimits
  readonly startedAt: number
  readonly watch: Watch
  /** Kept for the case that the process cannot report it any more. Bounded by the kernel. */
  readonly printed: Array<string>
  readonly end: (ran: Ran) => void
  readonly over: Promise<void>
  /** It is being brought to its end: to be called when it is there. */
  ending: (() => Promise<void>) | undefined
}

export class HostNamespace implements Runtime, Member {
  readonly id: number
  readonly capabilities: Runtime["capabilities"]
  readonly kernel: Kernel
  readonly #modules: ReadonlyArray<string>
  readonly #side: HostSide
  readonly #output: ((text: string) => void) | undefined
  readonly #calls: Calls
  readonly #origins: Origins
  readonly #turn = Semaphore.makeUnsafe(1)
  readonly #bound: BoundNames
  readonly #live: LiveVariables
  readonly #questions: Questions
  /** It is open in the process that runs now, or being opened. */
  #open: Promise<void> | undefined
  #entering = false
  #running: Running | undefined
  /** Number of the event that began the last cell. */
  #began = 0
  readonly #kept = new Kept()
  /** What the last loss took, until a cell is told. */
  #lost: NamespaceDiff["lost"] = []
  readonly #reruns = new Reruns()
  /** The cell has left its record: nothing that its process still says counts. */
  #left = false
  #closed = false

  constructor(
    id: number,
    kernel: Kernel,
    boundary: Boundary,
    options: {
      readonly modules: Modules
      /** What is there from the beginning. */
      readonly granted: ReadonlyArray<Bound>
      readonly sealed: boolean
      readonly output: ((text: string) => void) | undefined
    }
  ) {
    this.id = id
    this.kernel = kernel
    this.capabilities = { preemptive: true, isolated: true, sealed: options.sealed }
    this.#modules = Object.keys(options.modules)
    this.#output = options.output
    this.#origins = new Origins(kernel)
    this.#questions = new Questions(kernel, id)
    this.#side = new HostSide({
      kernel,
      ns: id,
      modules: options.modules,
      bound: (name) => valueOf(this.#bound.get(name)),
      follow: (promise) => this.#calls.follow(promise)
    })
    this.#calls = new Calls(kernel, id, boundary, this.#side, this.#origins)
    this.#calls.onDiverged = (diverged) => this.#diverged(diverged)
    this.#bound = new BoundNames(kernel.objects, (value, path) => this.#calls.depart(value, path))
    this.#live = new LiveVariables(kernel.objects, (name) => this.#bound.get(name))
    for (const bound of options.granted) this.#bound.add(bound)
  }

  // ------------------------------------------------------------------------------------------ bindings

  readonly bind: Runtime["bind"] = (bindings) =>
    Effect.gen({ self: this }, function*() {
      const names = new Set<string>()
      for (const { name } of bindings) {
        if (names.has(name)) {
          return yield* refused(name, "the name is used twice", "Give each binding a name of its own")
        }
        names.add(name)
      }
      if (this.#closed) return yield* closed()
      const taken = this.#open === undefined
        ? this.#kept.saved?.names.find((name) => names.has(name) && this.#bound.get(name) === undefined)
        : (yield* this.#ask({ is: "taken", names: [...names] })) as string | undefined
      if (taken !== undefined) {
        return yield* refused(
          taken,
          "a cell made a variable of this name",
          "Choose another name, or remove the variable first"
        )
      }
      for (const bound of bindings) {
        this.#bound.add(bound)
        this.#live.note(bound.name)
        if (this.#open !== undefined) yield* this.#place(bound)
      }
    })

  #place(bound: Bound): Effect.Effect<void, InvalidInput> {
    return Effect.try({
      try: () => this.kernel.send({ t: "bind", ns: this.id, bound: this.#bound.wireOf(bound) }),
      catch: (error) =>
        new InvalidInput({
          subject: `binding ${JSON.stringify(bound.name)}`,
          problem: (error as Error).message,
          remedy: "Bind something that a cell may have"
        })
    })
  }

  readonly unbind: Runtime["unbind"] = (names) =>
    Effect.sync(() => {
      for (const name of names) {
        this.#bound.remove(name)
        this.kernel.send({ t: "unbind", ns: this.id, name })
      }
    })

  // ------------------------------------------------------------------------------------------ cells

  readonly execute: Runtime["execute"] = (cell) =>
    this.#turn.withPermit(
      Effect.flatMap(Effect.context<never>(), (services) =>
        Effect.flatMap(this.#ready(cell), (again) => this.#run(cell, services, again)))
    )

  /** Armed as soon as it is called; the effect gives what became of it, so run it beside `execute`. */
  readonly replay: NonNullable<Runtime["replay"]> = (events) =>
    this.#reruns.arm(() => this.capabilities.sealed ? this.#calls.recorded(events) : undefined)

  /** Ready for the cell; gives the record that it has to follow. */
  #ready(cell: Cell): Effect.Effect<Rerun | undefined, RuntimeError> {
    return Effect.suspend(() => {
      if (this.#closed) return closed()
      const rerun = this.#reruns.take(cell.id)
      if (rerun === undefined && this.#open === undefined) this.#beginAnew()
      return Effect.as(this.#ensureOpen(), rerun)
    })
  }

  /** What the lost process held is held by nobody, but for what the snapshot has. */
  #beginAnew(): void {
    this.#calls.drop()
    if (this.kernel.starts === 0 || this.kernel.members.size > 1) return
    this.kernel.objects.releaseAllBut(new Set(this.#kept.saved?.references.map(({ id }) => id)))
    this.kernel.far.lose(new Set(Object.values(this.#kept.saved?.callbacks ?? {})))
  }

  #run(cell: Cell, services: Context.Context<never>, again: Rerun | undefined): Effect.Effect<Ran, RuntimeError> {
    return Effect.callback<Ran, RuntimeError>((resume) => {
      const process = this.kernel.process
      const limits = countCellLimits(cell.limits)
      if (process === undefined) return resume(Effect.succeed(this.#neverBegan(cell, again)))
      const over = Promise.withResolvers<void>()
      const watch = new Watch(
        process,
        { ...limits, residentBytes: this.kernel.options.residentBytes },
        (why) => this.#stop(process, cell.id, why)
      )
      process.busy()
      this.#running = {
        cell,
        limits,
        startedAt: performance.now(),
        watch,
        printed: [],
        over: over.promise,
        ending: undefined,
        end: (ran) => {
          const ending = this.#running?.ending
          watch.end()
          process.idle()
          this.#running = undefined
          this.#calls.end(cell.id, isStopped(ran.report))
          if (ending === undefined) resume(Effect.succeed(ran))
          else void ending().then(() => resume(Effect.succeed(ran)))
          over.resolve()
        }
      }
      const caller = { services, pause: (on: boolean) => this.#pause(on) }
      if (again === undefined) {
        this.#reruns.begin(cell.id)
        this.#send(cell, limits, this.#calls.begin(cell.id, cell.seed, caller))
      } else this.#sendAgain(cell, limits, caller, again, process)
      return Effect.promise(() => this.#interrupt(process, cell.id))
    })
  }

  /** The process was lost again, before the cell. */
  #neverBegan(cell: Cell, again: Rerun | undefined): Ran {
    this.#reruns.lose(again?.journal, again)
    const ending: Ending = { code: null, signal: null, why: undefined, said: "" }
    const limits = { ...countCellLimits(cell.limits), residentBytes: 0, heapBytes: 0 }
    return {
      report: reportOfEnding(ending, limits, { startedAt: performance.now(), printed: [] }, []),
      value: undefined
    }
  }

  #send(cell: Cell, limits: CountedCellLimits, clock: ReadonlyArray<number>): void {
    const { code, hoisted, names, rewritten } = cell.parsed
    this.kernel.send({
      t: "cell",
      ns: this.id,
      cell: cell.id,
      parsed: { code, hoisted, names: [...names], rewritten },
      limits,
      seed: cell.seed,
      clock,
      rebuildable: rebuildable(cell.parsed)
    })
    this.#began = this.kernel.process?.sent ?? 0
  }

  /** The namespace is as it was before the cell; what was sent to the old process is sent to the new one. */
  #sendAgain(
    cell: Cell,
    limits: CountedCellLimits,
    caller: { readonly services: Context.Context<never>; readonly pause: (on: boolean) => void },
    rerun: Rerun,
    process: Transport
  ): void {
    const { journal } = rerun
    if (this.#calls.journal !== journal) this.#calls.adopt(journal)
    const { clock, events } = this.#calls.beginAgain(journal, caller)
    for (const { frame } of journal.before) process.sendFrame(frame)
    this.#send(cell, limits, clock)
    for (const frame of events) process.sendFrame(frame)
    const last = process.sent
    this.#reruns.follow(rerun, () => process.isIdle && process.sent >= last && journal.caughtUp)
  }

  #pause(on: boolean): void {
    this.#running?.watch.pause(on)
    this.kernel.send({ t: "pause", ns: this.id, on })
  }

  /** From outside, for what no guard saw. */
  #stop(process: Transport, cell: number, why: Why): void {
    const running = this.#running
    if (running?.cell.id !== cell) return
    const expired = expiryOf(why, running.limits)
    if (expired === undefined) return process.kill(why)
    running.ending = bringToEnd(process, { ns: this.id, id: cell }, why, { expired, atOnce: why === "cpu" })
  }

  async #interrupt(process: Transport, cell: number): Promise<void> {
    const running = this.#running
    if (running?.cell.id !== cell) return
    const over = bringToEnd(process, { ns: this.id, id: cell }, "interrupted")
    await running.over
    await over()
  }

  #diverged(diverged: Diverged): void {
    this.#left = true
    this.#reruns.end(diverged)
    this.kernel.process?.kill("diverged")
  }

  // ------------------------------------------------------------------------------------------ variables

  /** Of a binding nothing has to run. */
  readonly get: Runtime["get"] = (name) =>
    Effect.gen({ self: this }, function*() {
      const bound = this.#bound.get(name)
      if (
        bound !== undefined && (!isAssignable(bound) || (this.#open === undefined && this.#kept.saved === undefined))
      ) return valueOf(bound)
      if (this.#closed || (this.#open === undefined && this.#kept.saved === undefined)) return yield* missing(name)
      const found = (yield* this.#ask({ is: "get", name })) as Result | undefined
      if (found === undefined) return yield* missing(name)
      return found.v === undefined
        ? yield* notTransferable(name, arriveError(this.#side, found.e))
        : this.#value(found.v)
    })

  /** A function or type of the application is no variable. */
  readonly set: Runtime["set"] = (name, value) =>
    Effect.gen({ self: this }, function*() {
      if (this.#closed) return yield* closed()
      const bound = this.#bound.get(name)
      if (bound !== undefined && !isAssignable(bound)) return yield* missing(name)
      yield* this.#ensureOpen()
      const wire = yield* Effect.try({
        try: () => this.#calls.depart(value, name),
        catch: (error) => notTransferable(name, error)
      })
      const origin = this.#origins.of(value)
      this.#calls.note({ _tag: "VariableSet", name, value })
      this.#calls.deliver({ t: "set", ns: this.id, name, v: origin === undefined ? wire : { ...wire, o: origin } })
    })

  readonly remove: Runtime["remove"] = (name) =>
    Effect.suspend(() =>
      this.#open === undefined && this.#kept.saved === undefined && this.#bound.get(name) === undefined
        ? Effect.succeed(false)
        : Effect.map(this.#ask({ is: "remove", name }), (removed) => removed === true)
    )

  readonly describe: Runtime["describe"] = Effect.suspend(() =>
    this.#open === undefined && this.#kept.saved === undefined && this.#bound.size === 0
      ? Effect.succeed([])
      : Effect.map(this.#ask({ is: "describe" }), (all) => all as ReadonlyArray<Variable>)
  )

  readonly declarations: Runtime["declarations"] = Effect.gen({ self: this }, function*() {
    const made = this.#open === undefined && this.#kept.saved === undefined
      ? []
      : (yield* this.#ask({ is: "made" })) as ReadonlyArray<readonly [string, Wire]>
    const standIns = made.filter(([name]) =>
      this.#bound.get(name) === undefined || isAssignable(this.#bound.get(name)!)
    )
      .map(([name, wire]) => [name, standInOf(this.#calls.arrive(wire) as Sketch)] as const)
    const replaced = new Set(standIns.map(([name]) => name))
    return yield* Effect.promise(() =>
      declarationsOf(this.#bound.all().filter(({ name }) => !replaced.has(name)), standIns)
    )
  })

  /** Waits for the cell that is running. */
  readonly reset: Runtime["reset"] = Effect.suspend(() =>
    this.#turn.withPermit(Effect.gen({ self: this }, function*() {
      if (this.#open !== undefined) yield* this.#ask({ is: "reset" })
      this.#calls.drop()
      this.#kept.keep(undefined)
      this.#lost = []
      if (this.#open === undefined) return
      for (const bound of this.#bound.all()) {
        if (isAssignable(bound)) this.kernel.send({ t: "bind", ns: this.id, bound: this.#bound.wireOf(bound) })
      }
    }))
  )

  readonly snapshot: NonNullable<Runtime["snapshot"]> = Effect.suspend(() =>
    Effect.map(this.#ask({ is: "snapshot" }), (saved) =>
      toSnapshot(saved as SavedNamespace, (id) => {
        const entry = this.kernel.objects.get(id)
        const path = entry?.path
        const reached = path !== undefined && entry !== undefined && this.#side.reach(path) === entry.object
        return { path: reached ? path : undefined, type: entry?.wire.name || "object" }
      }))
  )

  /** In place of what is there. Live objects are those that the bindings have now. */
  readonly restore: NonNullable<Runtime["restore"]> = (snapshot, data) =>
    this.#turn.withPermit(Effect.gen({ self: this }, function*() {
      const modules = pathsIn(data).map(moduleOf).filter((name) => name !== undefined)
      yield* Effect.promise(() => Promise.allSettled(modules.map((name) => this.#side.load(name))))
      const saved = fromSnapshot(snapshot, data)
      const wasOpen = this.#open !== undefined
      if (wasOpen) yield* this.#ask({ is: "reset" })
      this.#calls.drop()
      this.#reruns.forget()
      this.#kept.keep(saved)
      this.#lost = wasOpen ? (yield* this.#ask({ is: "restore", saved })) as NamespaceDiff["lost"] : []
      const there = new Set(saved.names)
      const added = ((yield* this.#ask({ is: "describe" })) as ReadonlyArray<Variable>).filter(({ name }) =>
        there.has(name)
      )
      const lost = [...snapshot.lost, ...this.#lost]
      this.#lost = []
      return { added, changed: [], removed: [], lost }
    }))

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#calls.drop()
    this.#bound.clear()
    if (this.#running !== undefined) this.#endRunning({ code: null, signal: null, why: "closed", said: "" })
    await this.kernel.leave(this.id)
  }

  // ------------------------------------------------------------------------------------------ the process

  /** How the namespace is doing: for whoever looks after it. */
  inspect() {
    const { process, starts } = this.kernel
    return { pid: process?.pid, starts, references: this.kernel.objects.size, pending: this.#calls.pendingCount }
  }

  /** Makes the kernel look for what it does not hold any more. */
  collect(): Effect.Effect<void, RuntimeError> {
    return Effect.asVoid(this.#ask({ is: "collect" }))
  }

  #ensureOpen(): Effect.Effect<void, RuntimeError> {
    if (this.#open !== undefined && !this.#entering) return Effect.void
    return Effect.tryPromise({
      try: () => this.#open ??= this.#enter(3),
      catch: (error) =>
        error instanceof RuntimeError
          ? error
          : new RuntimeError({ reason: { _tag: "StartFailed", detail: String(error) } })
    })
  }

  /** `attempts`: a process may be lost while the namespace is brought back to it. */
  async #enter(attempts: number): Promise<void> {
    this.#entering = true
    try {
      await this.kernel.start()
      this.kernel.send({
        t: "open",
        ns: this.id,
        options: { ...this.kernel.options.namespace, modules: this.#modules }
      })
      for (const bound of this.#bound.all()) {
        this.#live.note(bound.name)
        this.kernel.send({ t: "bind", ns: this.id, bound: this.#bound.wireOf(bound) })
      }
      if (this.#kept.saved === undefined) return
      const gone = await this.#question({ is: "restore", saved: this.#kept.saved }) as NamespaceDiff["lost"]
      this.#lost = [...this.#lost, ...gone]
    } catch (error) {
      const wasLost = error instanceof RuntimeError && error.reason._tag === "Crashed"
      if (wasLost && attempts > 1 && !this.#closed) return await this.#enter(attempts - 1)
      this.#open = undefined
      throw error
    } finally {
      this.#entering = false
    }
  }

  #ask(question: Question): Effect.Effect<unknown, RuntimeError> {
    return Effect.flatMap(this.#ensureOpen(), () =>
      Effect.tryPromise({
        try: () => this.#question(question),
        catch: (error) =>
          error instanceof RuntimeError
            ? error
            : new RuntimeError({ reason: { _tag: "Crashed", detail: (error as Error).message } })
      }))
  }

  async #question(question: Question): Promise<unknown> {
    try {
      return await this.#questions.ask(question)
    } finally {
      if (this.#running === undefined && !this.#questions.waiting) this.kernel.process?.idle()
    }
  }

  take(message: KernelMessage): void {
    if (this.#left) return
    switch (message.t) {
      case "done":
        return this.#done(message)
      case "saved":
        // During a cell only what was taken before it began.
        if (this.#running !== undefined && !(message.seen < this.#began)) return
        this.#kept.keep(checkedSaved(message.saved))
        return this.#calls.saved(message.seen)
      case "printed":
        return this.#print(String(message.text))
      case "answer":
        return this.#questions.answer(message.request, message.v, message.e, (wire) => arriveError(this.#side, wire))
      case "settled":
        return this.kernel.far.settle(
          message.id,
          message.v && this.#calls.arrive(message.v),
          message.e && { thrown: arriveError(this.#side, message.e) }
        )
      case "revive":
        return this.#revive(message.id, message.path)
      case "diverged":
        return this.#running === undefined ? undefined : this.#diverged(this.#calls.unexpected(message.key))
      default:
        this.#calls.take(message)
        this.#reruns.look()
    }
  }

  /** Whoever watches sees nothing twice where a cell goes on from its middle. */
  #print(text: string): void {
    this.#running?.printed.push(text)
    const unseen = this.#calls.journal?.unseen(text) ?? text
    if (unseen !== "") this.#output?.(unseen)
  }

  #done({ cell, clock, live, report: told, v }: Extract<KernelMessage, { readonly t: "done" }>): void {
    const running = this.#running
    if (running?.cell.id !== cell) return
    const report = checkedReport(told)
    // It ended before the record did.
    const { missing } = this.#reruns
    if (missing !== undefined) return this.#diverged({ ...missing, came: "the end of the cell" })
    this.#reruns.end("live")
    this.#calls.journal?.read(checkedClock(clock))
    const lost = this.#lost
    this.#lost = []
    this.#kept.changed(report.namespace)
    const changed = this.#live.changes(checkedLive(live), report.namespace)
    running.end({
      report: lost.length === 0 && changed === report.namespace.changed
        ? report
        : { ...report, namespace: { ...report.namespace, changed, lost } },
      value: this.#value(v),
      entropy: this.#calls.takeReadings(clock)
    })
  }

  /**
   * The process is gone. What a running cell did is told by its report; what it can go on with is kept for a replay.
   */
  ended(ending: Ending): void {
    if (!this.#entering) this.#open = undefined
    this.#left = false
    this.#questions.fail()
    this.#calls.suspend()
    const running = this.#running
    if (running === undefined) {
      this.#lost = [...this.#lost, ...this.#kept.takeLost()]
      return
    }
    this.#reruns.lose(ending.why === undefined && this.capabilities.sealed ? this.#calls.journal : undefined)
    this.#endRunning(ending)
  }

  #endRunning(ending: Ending): void {
    const running = this.#running
    if (running === undefined) return
    const { residentBytes, spawn } = this.kernel.options
    const limits = { ...running.limits, residentBytes, heapBytes: spawn.heapBytes }
    running.end({
      report: reportOfEnding(ending, limits, running, this.#kept.takeLost()),
      value: undefined,
      entropy: this.#calls.unlogged
    })
  }

  #revive(id: number, path: string | undefined): void {
    const object = path === undefined ? undefined : this.#side.reach(path)
    const wire = this.#side.again(id) ?? (object && this.#calls.depart(object, path))
    this.kernel.process?.answer(wire === undefined ? { t: "later" } : { t: "value", v: wire })
  }

  // ------------------------------------------------------------------------------------------ crossing

  #value(wire: Wire): unknown {
    const value = this.#calls.arrive(wire)
    this.#origins.note(value, wire.o)
    return value
  }

  readonly callback: Member["callback"] = (id, args, told) => this.#calls.callbacks.call(id, args, told)
}

/**
 * One namespace of this process: a notebook whose calls, timers, clock and randomness are the host's to order.
 */
import type { NamespaceDiff } from "@daylight/core"
import { isDeepStrictEqual, types } from "node:util"
import {
  type CellRun,
  CellStopped,
  currentRun,
  type Execution,
  issuedAt,
  Notebook,
  runAs,
  typeNameOf
} from "@daylight/core/node"
import { arrive, arriveError, depart, departError, type Side } from "../wire/Crossing.ts"
import type {
  Clock,
  ErrorWire,
  KernelEvent,
  LiveVariable,
  Marker,
  NamespaceOptions,
  Operation,
  Question,
  Result,
  Wire
} from "../wire/Messages.ts"
import type { Originals } from "../wire/Originals.ts"
import { pack, unpack } from "../wire/Packing.ts"
import { Entropy } from "./Entropy.ts"
import type { Exports, Origins } from "./Exports.ts"
import { collectGarbage } from "./Garbage.ts"
import { Keeper } from "./Keeper.ts"
import { flush, request, send } from "./Line.ts"
import { readOnly } from "./ReadOnly.ts"
import type { References } from "./References.ts"
import { reviveNamespace, Sources } from "./Saving.ts"
import { isSmall } from "./Size.ts"
import { sketchOf } from "./Sketch.ts"
import { furnish } from "./Surroundings.ts"
import { Timers } from "./Timers.ts"
import { aborted, webMarker } from "./Web.ts"

type CellEvent = Extract<KernelEvent, { readonly t: "cell" }>

/** What the namespaces of a process share. */
export interface Shared {
  readonly key: string
  readonly references: References
  readonly exports: Exports
  readonly origins: Origins
  readonly errors: Originals
  readonly poll: () => void
  /** How many events the process has taken in. */
  readonly seen: () => number
}

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Whose failure it is, if nobody handles it. */
  readonly run?: CellRun | undefined
  /** Work of this process that has to have ended first. */
  readonly work?: Promise<unknown> | undefined
  readonly ended?: (() => boolean) | undefined
}

/** Thrown where the host did not say which kind of failure it is. */
class HostCallError extends Error {
  readonly _tag = "HostCallError"
  readonly path: string
  readonly reason: { readonly _tag: string }

  constructor(path: string, reason: { readonly _tag: string; readonly [key: string]: unknown }, message: string) {
    super(message)
    this.name = "HostCallError"
    this.path = path
    this.reason = reason
  }
}

/** Variables of live objects that are looked at after a cell. */
const mostLive = 128

export class KernelNamespace {
  readonly id: number
  readonly notebook: Notebook
  readonly entropy = new Entropy()
  readonly keeper: Keeper
  /** For what a cell hands over itself; `#quiet` for what is only looked at. */
  readonly side: Side
  readonly #quiet: Side
  readonly #shared: Shared
  readonly #options: NamespaceOptions
  readonly #timers: Timers
  readonly #pending = new Map<string, Pending>()
  readonly #sources = new Sources()
  readonly #readonly = new Set<string>()
  #execution: Execution | undefined
  #cancelled: { readonly cell: number; readonly expired: string | undefined } | undefined
  /** Calls of the host that have no result yet. */
  readonly #answering = new Set<number>()
  #cell = 0
  #next = 0
  #after = 0

  constructor(id: number, options: NamespaceOptions, shared: Shared) {
    this.id = id
    this.#options = options
    this.#shared = shared
    this.side = {
      key: shared.key,
      errors: shared.errors,
      unnumbered: true,
      leave: (value) => this.#leave(value),
      arrive: (marker) => this.#arrive(marker)
    }
    this.#quiet = { ...this.side, quiet: true, unnumbered: undefined }
    this.#timers = new Timers(options.timers, {
      arm: (ms) => {
        const { key, message } = this.#issue()
        send({ t: "timer", ms, ...message })
        return key
      },
      clear: (key) => send({ t: "clear", ns: id, key })
    })
    this.notebook = new Notebook({
      storedBytes: options.storedBytes,
      modules: Object.fromEntries(options.modules.map((name) => [name, () => this.#module(name)])),
      poll: shared.poll,
      output: (text) => {
        send({ t: "printed", ns: id, text })
        flush() // a process that dies has told what it printed
      },
      furnish: (context, hold) => {
        this.#timers.failed = hold
        furnish(context, {
          entropy: this.entropy,
          timers: this.#timers.functions(),
          inOrder: (work) => this.#inOrder(work)
        })
      }
    })
    this.keeper = new Keeper({
      ns: id,
      most: options.snapshotBytes,
      seen: shared.seen,
      parts: () => ({
        notebook: this.notebook,
        sources: this.#sources,
        readonly: this.#readonly,
        references: shared.references,
        exports: shared.exports,
        clock: this.entropy.last,
        pending: this.#pending.size + this.#timers.size
      })
    })
  }

  // ------------------------------------------------------------------------------------------ cells

  run(event: CellEvent): void {
    const { cell, clock, limits, rebuildable, seed } = event
    const parsed = { ...event.parsed, names: new Map(event.parsed.names) }
    this.keeper.save(this.#shared.seen() - 1)
    this.#cell = cell
    this.#next = 0
    this.#after = 0
    this.entropy.begin(seed, clock)
    const execution = this.#execution = this.notebook.prepare({ id: cell, parsed, limits }, ({ report, value }) => {
      this.#execution = undefined
      this.#sources.note(rebuildable, this.notebook)
      send({
        t: "done",
        ns: this.id,
        cell,
        report,
        v: this.#shown(value),
        live: this.#live(report.namespace),
        clock: this.entropy.takeReadings()
      })
      this.keeper.changed()
    })
    if (this.#cancelled?.cell === cell) return execution.interrupt(this.#cancelled.expired)
    execution.start()
  }

  /** The host sees how they have changed. */
  #live({ changed }: NamespaceDiff): ReadonlyArray<LiveVariable> | undefined {
    const live: Array<LiveVariable> = []
    let before = 0
    for (const name of this.notebook.names()) {
      if (changed[before]?.name === name) before++
      const value = this.notebook.get(name)
      const id = typeof value === "object" && value !== null ? this.#shared.references.idOf(value) : undefined
      if (id !== undefined) live.push([name, id, typeNameOf(value), before])
      if (live.length === mostLive) break
    }
    return live.length === 0 ? undefined : live
  }

  interrupt(cell: number, expired?: string): void {
    if (this.#cell === cell && this.#execution !== undefined) this.#execution.interrupt(expired)
    else this.#cancelled = { cell, expired }
  }

  /** Code of this namespace was broken off: what it was to give nobody will give. */
  broken(): void {
    this.#execution?.interrupt()
    const error = departError(this.#quiet, new CellStopped("interrupted", "the code was broken off"))
    for (const call of this.#answering) send({ t: "returned", call, e: error })
    this.#answering.clear()
  }

  pause(on: boolean): void {
    this.#execution?.pause(on)
  }

  // ------------------------------------------------------------------------------------------ the order of events

  settle(key: string, value: Wire | undefined, error: ErrorWire | undefined): void {
    this.#after++
    const pending = this.#pending.get(key)
    if (pending === undefined) return this.#diverged(key, `nothing waits for ${key}`)
    this.#pending.delete(key)
    if (error !== undefined) {
      const fail = (): void => pending.reject(arriveError(this.side, error))
      if (pending.run === undefined) fail()
      else runAs(pending.run, fail)
    } else {
      try {
        pending.resolve(value && this.#incoming(value))
      } catch (failure) {
        pending.reject(failure)
      }
    }
  }

  fire(key: string): void {
    this.#after++
    const work = this.#pending.get(key)
    if (work !== undefined) {
      this.#pending.delete(key)
      return work.resolve(undefined)
    }
    if (!this.#timers.fire(key)) this.#diverged(key, `no timer ${key}`)
  }

  /** What has to have ended before the event is taken in. */
  held(key: string): Promise<unknown> | undefined {
    const pending = this.#pending.get(key)
    return pending?.ended?.() === false ? pending.work : undefined
  }

  callback(id: number, call: number, args: Wire): void {
    this.#after++
    const exported = this.#shared.exports.get(id)
    if (exported === undefined) {
      const lost = new HostCallError(
        "callback",
        { _tag: "ReferenceLost", type: "function" },
        "callback: the function did not survive a restart"
      )
      return send({ t: "returned", call, e: departError(this.#quiet, lost) })
    }
    this.#answering.add(call)
    const answer = (result: Result): void => {
      if (this.#answering.delete(call)) send({ t: "returned", call, ...result })
    }
    this.#call(exported.value as (...args: Array<unknown>) => unknown, exported.run, args).then(
      (value) => answer(this.#result(value)),
      (error) => answer({ e: departError(this.#quiet, error) })
    )
  }

  async #call(
    f: (...args: Array<unknown>) => unknown,
    run: CellRun | undefined,
    args: Wire
  ): Promise<unknown> {
    if (run?.stopped) throw run.stopped
    const list = arrive(this.side, args) as ReadonlyArray<unknown>
    return run === undefined ? f(...list) : runAs(run, () => f(...list))
  }

  #diverged(key: string, why: string): void {
    send({ t: "diverged", ns: this.id, cell: this.#cell, key, why })
  }

  // ------------------------------------------------------------------------------------------ variables

  bind(
    { asynchronous, name, readonly, sensitive, value }: Extract<KernelEvent, { readonly t: "bind" }>["bound"]
  ): void {
    if (readonly) this.#readonly.add(name)
    else this.#readonly.delete(name)
    if (value === undefined) this.notebook.unbind(name)
    else this.notebook.bind(name, { value: arrive(this.side, value), readonly, sensitive, asynchronous })
  }

  unbind(name: string): void {
    this.#readonly.delete(name)
    this.notebook.unbind(name)
  }

  set(name: string, value: Wire): void {
    this.#after++
    this.notebook.set(name, this.#incoming(value))
  }

  ask(question: Question): unknown {
    switch (question.is) {
      case "get":
        return this.notebook.has(question.name) ? this.#result(this.notebook.get(question.name)) : undefined
      case "remove":
        return this.notebook.remove(question.name)
      case "taken":
        return question.names.find((name) => this.notebook.isTaken(name))
      case "describe":
        return this.notebook.describe()
      case "made":
        return this.notebook.made().map(([name, value]) => [name, depart(this.side, sketchOf(value))])
      case "reset":
        this.notebook.reset()
        this.#timers.clear()
        this.#pending.clear()
        this.#sources.clear()
        return undefined
      case "snapshot":
        return this.keeper.whole()
      case "restore":
        return reviveNamespace(question.saved, {
          notebook: this.notebook,
          sources: this.#sources,
          exports: this.#shared.exports,
          ns: this.id,
          entropy: this.entropy,
          revive: (id, path) => {
            const answer = request({ t: "revive", ns: this.id, id, path })
            return answer.t === "value" ? arrive(this.side, answer.v) : undefined
          },
          lost: (type) =>
            this.#shared.references.lost(type, () => {
              throw new HostCallError(
                type,
                { _tag: "ReferenceLost", type },
                `${type}: the ${type} did not survive a restart`
              )
            })
        })
      case "collect":
        collectGarbage()
        return this.#shared.references.size
    }
  }

  close(): void {
    this.notebook.close()
    this.#timers.clear()
    this.#pending.clear()
    this.#shared.exports.forgetAll(this.id)
  }

  // ------------------------------------------------------------------------------------------ calls

  /** `posts`: gives a promise at once; else the answer is waited for here. */
  operate(id: number, op: Operation, key: string | undefined, args: ReadonlyArray<unknown>, posts: boolean): unknown {
    const run = currentRun()
    if (run?.stopped) throw run.stopped
    if (posts && this.#execution === undefined) {
      const why = "no cell is running; calls of code that a cell left behind wait for nobody, so await them in the cell"
      throw new HostCallError(
        key ?? "call",
        { _tag: "Denied", by: "runtime", why },
        `${key ?? "call"}: denied by runtime: ${why}`
      )
    }
    const { pendingCalls } = this.#options
    if ((posts || op === "call" || op === "next") && this.#pending.size >= pendingCalls) {
      throw new RangeError(`too many pending calls: ${pendingCalls} wait already; await some of them first`)
    }
    const packed = pack(depart(this.side, args))
    const [written] = op === "set" ? args : []
    const o = typeof written === "object" && written !== null ? this.#shared.origins.idOf(written) : undefined
    const { key: issued, message } = this.#issue()
    const operation = { t: "operation", id, op, key, args: packed, o, sync: !posts, ...message } as const
    if (posts) {
      send(operation)
      // Where nothing else is under way the host begins at once, and not when this turn is over.
      if (this.#pending.size === 0) flush()
      return this.#wait(issued)
    }
    const answer = request(operation)
    switch (answer.t) {
      case "value":
        return this.#incoming(answer.v)
      case "error":
        throw arriveError(this.side, answer.e)
      case "later":
        return this.#wait(issued)
      default:
        throw new TypeError("the host gave an answer to another question")
    }
  }

  #wait(key: string): Promise<unknown> {
    const site: { readonly stack?: string } = {}
    Error.captureStackTrace(site)
    const run = currentRun()
    return new Promise((resolve, fail) => {
      const reject = (error: unknown): void => {
        issuedAt(error, site)
        standAt(error, site)
        // What stopped the cell may have come back by way of the host, as an error like others.
        fail(run?.stopped ?? error)
      }
      this.#pending.set(key, { resolve, reject, run })
    })
  }

  /** Calls, timers and work of a cell get one running number. */
  #issue(): {
    readonly key: string
    readonly message: { ns: number; cell: number; n: number; after: number; clock: Clock }
  } {
    const n = this.#next++
    return {
      key: `${this.#cell}:${n}`,
      message: { ns: this.id, cell: this.#cell, n, after: this.#after, clock: this.entropy.takeReadings() }
    }
  }

  #inOrder<A>(work: Promise<A>): Promise<A> {
    const { key, message } = this.#issue()
    let ended = false
    const end = (): void => {
      ended = true
      send({ t: "workEnded", ns: this.id, key })
    }
    send({ t: "work", ...message })
    work.then(end, end)
    return new Promise((resolve, reject) => {
      this.#pending.set(key, { resolve: () => void work.then(resolve, reject), reject, work, ended: () => ended })
    })
  }

  /** Modules are the host's, so they come as live objects. */
  async #module(name: string): Promise<unknown> {
    return this.operate(0, "call", name, [], true)
  }

  // ------------------------------------------------------------------------------------------ crossing

  /** A variable, a result: a copy that can be recognised when it comes back. */
  #outgoing(value: unknown): Wire {
    const wire = depart(this.#quiet, value)
    const tagged = typeof value === "object" && value !== null && this.#shared.references.idOf(value) === undefined
    return tagged ? { ...wire, o: this.#shared.origins.idOf(value) } : wire
  }

  /** What cannot cross is a failure, such as a structure of a million levels. */
  #result(value: unknown): Result {
    try {
      return { v: this.#outgoing(value) }
    } catch (error) {
      return { e: departError(this.#quiet, error) }
    }
  }

  /** The last value of a cell, which has ended all the same. What is large stays here. */
  #shown(value: unknown): Wire {
    try {
      return isSmall(value) ? this.#outgoing(value) : { d: undefined }
    } catch (error) {
      return { d: `[cannot leave the kernel: ${error instanceof Error ? error.message : "unknown reason"}]` }
    }
  }

  /** A copy that came from here and was not changed is the object that it was copied from. */
  #incoming(wire: Wire): unknown {
    const origin = wire.o === undefined ? undefined : this.#shared.origins.get(wire.o)
    if (origin !== undefined && isDeepStrictEqual(unpack(pack(depart(this.#quiet, origin).d)), wire.d)) {
      return origin
    }
    const value = arrive(this.side, wire)
    return wire.f === true ? readOnly(value) : value
  }

  #leave(value: object): Marker | undefined {
    const { exports, references } = this.#shared
    const id = references.idOf(value)
    if (id !== undefined) return { yours: id }
    const kind = kindOf(value)
    if (kind === undefined) return webMarker(value)
    const name = typeof value === "function" ? nameOf(value) : ""
    if (kind === "promise") {
      const { fresh, id } = exports.add(value, this.id)
      if (fresh) this.#follow(id, value as Promise<unknown>)
      return { far: { id, kind, name } }
    }
    if (kind === "signal") {
      const { fresh, id } = exports.add(value, this.id)
      if (fresh) this.#follow(id, aborted(value as AbortSignal))
      return { far: { id, kind, name } }
    }
    const length = typeof value === "function" ? lengthOf(value) : 0
    return {
      far: {
        id: exports.add(kind === "iterable" ? stepper(value as AsyncIterable<unknown>) : value, this.id).id,
        kind,
        name,
        ...(length > 0 && { length })
      }
    }
  }

  #follow(id: number, promise: Promise<unknown>): void {
    const fail = (error: unknown): void => send({ t: "settled", id, e: departError(this.#quiet, error) })
    try {
      Promise.prototype.then.call(promise, (value) => send({ t: "settled", id, ...this.#result(value) }), fail)
    } catch (error) {
      fail(error) // it asks for its constructor, which may be code of the cell
    }
  }

  #arrive(marker: Exclude<Marker, { readonly error: ErrorWire }>): unknown {
    if ("ref" in marker) return this.#shared.references.of(marker.ref)
    if ("yours" in marker) return this.#shared.exports.get(marker.yours)?.value
    if ("promise" in marker) return this.#wait(marker.promise)
    if ("symbol" in marker) return marker.unique ? Symbol(marker.symbol) : Symbol.for(marker.symbol)
    if ("url" in marker) return new URL(marker.url)
    return undefined
  }
}

/** An error that came later was made where nothing of the cell is on the stack: it stands where the call was made. */
const standAt = (error: unknown, { stack = "" }: { readonly stack?: string | undefined }): void => {
  if (!types.isNativeError(error) || !Object.hasOwn(error, "farStack")) return
  const frames = stack.split("\n").filter((line) => /\bcell-\d+\.ts:/.test(line))
  error.stack = [`${error.name}: ${error.message}`, ...frames].join("\n")
}

/** Runs no code of the value. */
const kindOf = (value: object): Extract<Marker, { readonly far: unknown }>["far"]["kind"] | undefined => {
  if (types.isProxy(value)) return typeof value === "function" ? "function" : "opaque"
  if (typeof value === "function") return "function"
  if (types.isPromise(value)) return "promise"
  if (value instanceof AbortSignal) return "signal"
  if (types.isWeakMap(value) || types.isWeakSet(value) || value instanceof WeakRef) return "opaque"
  return types.isGeneratorObject(value) || hasMethod(value, Symbol.asyncIterator) ? "iterable" : undefined
}

const hasMethod = (value: object, key: symbol): boolean => {
  for (let p: object | null = value; p !== null && !types.isProxy(p); p = Object.getPrototypeOf(p) as object | null) {
    const own = Object.getOwnPropertyDescriptor(p, key)
    if (own !== undefined) return typeof own.value === "function"
  }
  return false
}

const nameOf = (value: object): string => {
  const name: unknown = Object.getOwnPropertyDescriptor(value, "name")?.value
  return typeof name === "string" ? name : ""
}

const lengthOf = (value: object): number => {
  const length: unknown = Object.getOwnPropertyDescriptor(value, "length")?.value
  return typeof length === "number" ? length : 0
}

/** The host steps through it by calls: `next` and `return`. */
const steppers = new WeakMap<object, object>()
const stepper = (iterable: AsyncIterable<unknown> | Iterable<unknown>): object => {
  const known = steppers.get(iterable)
  if (known !== undefined) return known
  let iterator: AsyncIterator<unknown> | Iterator<unknown> | undefined
  const step = async (stop: boolean): Promise<IteratorResult<unknown>> => {
    iterator ??= Symbol.asyncIterator in iterable ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]()
    if (stop) return await iterator.return?.() ?? { value: undefined, done: true }
    return iterator.next()
  }
  steppers.set(iterable, step)
  return step
}

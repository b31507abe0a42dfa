/**
 * What a session did to the world: each call that began and how it ended. Remembers the effects nobody knows the
 * outcome of, so that a repeat of one is never taken for granted.
 */
import * as Effect from "effect/Effect"
import { type HostCall, HostCallError } from "../../Boundary.ts"
import type { Effects } from "../../Contract.ts"
import type { Value } from "../../Value.ts"
import type { Log } from "../Log.ts"

interface End {
  readonly status: "completed" | "failed" | "unknown"
  readonly value?: Value
  readonly error?: {
    readonly name: string
    readonly message: string
    readonly code?: string
    readonly own?: Value
  }
}

/** A call that is allowed and about to begin. */
export interface Entry {
  readonly call: HostCall
  readonly args: ReadonlyArray<Value>
  readonly effect: Effects
  readonly key: string
}

/** An effect that began and of which nobody knows whether it happened. */
export interface UnknownEffect {
  readonly cell: number
  readonly path: string
  readonly key: string
}

/** An effect that happened, and what the cell got of it. */
export interface Effected {
  readonly path: string
  readonly args: ReadonlyArray<Value>
  readonly end: End
}

/** A run of a child session ends with the call: what became of it is in the child's own log. */
const childCancelled = { name: "OutcomeError", message: "cancelled with its parent" }
const stopped = { name: "Interrupted", message: "stopped before it ended" }

export class Ledger {
  readonly #log: Log
  readonly #sha256: (text: string) => string
  /** By path and arguments. */
  readonly #unknown = new Map<string, UnknownEffect>()
  #untold: Array<UnknownEffect> = []
  /** Of the last cell that had effects. */
  #effected: { readonly cell: number; readonly all: Array<Effected> } = { cell: 0, all: [] }

  /** Calls of which a cell waits for the answer, while it may still come at once. */
  readonly #atOnce = new Set<HostCall>()

  constructor(log: Log, sha256: (text: string) => string) {
    this.#log = log
    this.#sha256 = sha256
  }

  /** Identifies calls that would do the same. */
  digest(path: string, args: ReadonlyArray<Value>): string {
    return this.#sha256(path + JSON.stringify(args)).slice(0, 16)
  }

  begin({ args, call, effect, key }: Entry): Effect.Effect<void> {
    const started = {
      _tag: "CallStarted",
      cell: call.cell,
      ordinal: call.ordinal,
      path: call.path,
      operation: call.operation,
      args,
      effect,
      key,
      entropy: call.entropy,
      after: call.after,
      callbacks: [],
      ...(call.contract?.child !== undefined && { child: call.contract.child })
    } as const
    if (call.blocking) {
      this.#atOnce.add(call)
      queueMicrotask(() => this.#atOnce.delete(call))
    }
    if (effect !== "none") return this.#log.commitOrEnd(started)
    this.#log.note(started)
    return Effect.void
  }

  completed(entry: Entry, value: Value): void {
    this.#tookPlace(entry, { status: "completed", value })
  }

  /** A question was answered. */
  answered(call: HostCall, value: Value): void {
    this.#end(call, { status: "completed", value })
  }

  /** A function may say that it does not know itself: it throws a `HostCallError` with the reason `UnknownOutcome`. */
  failed(entry: Entry, error: unknown, own?: Value): void {
    const doubtful = error instanceof HostCallError && error.reason._tag === "UnknownOutcome"
    const end: End = {
      status: doubtful ? "unknown" : "failed",
      error: { ...told(error), ...(own !== undefined && { own }) }
    }
    if (!doubtful) return this.#tookPlace(entry, end)
    if (entry.effect !== "none") this.#doubt(entry)
    this.#end(entry.call, end)
  }

  /** Nobody waits for it any more. */
  interrupted(entry: Entry): void {
    const { call, effect } = entry
    if (call.contract?.child !== undefined) return this.#end(call, { status: "failed", error: childCancelled })
    if (effect === "none") return this.#end(call, { status: "failed", error: stopped })
    this.#doubt(entry)
    this.#end(call, { status: "unknown" })
  }

  /** The effect of which this call would be a repeat, if its outcome is unknown. */
  doubtOf(call: HostCall, args: ReadonlyArray<Value>): UnknownEffect | undefined {
    return this.#unknown.size === 0 ? undefined : this.#unknown.get(this.digest(call.path, args))
  }

  /** Somebody says what became of it. */
  settle(key: string): boolean {
    for (const [digest, effect] of this.#unknown) if (effect.key === key) return this.#unknown.delete(digest)
    return false
  }

  /** Effects the model has not been told of. */
  takeUntold(): ReadonlyArray<UnknownEffect> {
    if (this.#untold.length === 0) return this.#untold
    const untold = this.#untold
    this.#untold = []
    return untold
  }

  /** Effects of a cell that happened, in the order of their ends. Of the last cell only. */
  effectsOf(cell: number): ReadonlyArray<Effected> {
    return this.#effected.cell === cell ? this.#effected.all : []
  }

  #tookPlace({ args, call, effect }: Entry, end: End): void {
    if (effect !== "none") {
      if (call.cell !== this.#effected.cell) this.#effected = { cell: call.cell, all: [] }
      this.#effected.all.push({ path: call.path, args, end })
    }
    this.#end(call, end)
  }

  #doubt({ args, call, effect, key }: Entry): void {
    const doubt = { cell: call.cell, path: call.path, key }
    this.#untold.push(doubt)
    // One that is safe to repeat may be repeated.
    if (effect === "external") this.#unknown.set(this.digest(call.path, args), doubt)
  }

  #end(call: HostCall, end: End): void {
    this.#log.note({
      _tag: "CallEnded",
      cell: call.cell,
      ordinal: call.ordinal,
      inPlace: this.#atOnce.has(call),
      ...end
    })
  }
}

const told = (error: unknown): NonNullable<End["error"]> => {
  const { code, message, name } = (typeof error === "object" && error !== null ? error : {}) as {
    code?: unknown
    message?: unknown
    name?: unknown
  }
  return {
    name: String(name ?? "Error"),
    message: String(message ?? error),
    ...(code !== undefined && { code: String(code) })
  }
}

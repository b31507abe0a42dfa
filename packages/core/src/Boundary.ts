/**
 * The one gate between cells and the application: what a call from a cell is, and how it is refused.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CallContext } from "./CallContext.ts"
import type { Entropy } from "./Cell.ts"
import type { Contract } from "./Contract.ts"

/**
 * A call from a cell into the application, before anything happened. `operation` tells reads from calls on live
 * references.
 */
export interface HostCall {
  readonly cell: number
  /** Order of issue within the cell, shared by host calls and timers: 0, 1, 2... Deterministic in a sealed runtime. */
  readonly ordinal: number
  readonly path: string
  readonly operation: "call" | "construct" | "get" | "set"
  readonly args: ReadonlyArray<unknown>
  readonly contract: Contract | undefined
  /** Of a live object that no contract is about. It is told like other calls, and counts against no limit of them. */
  readonly bare?: true | undefined
  /** Labels that the arguments carry; runtimes leave it empty, the gate fills it in. */
  readonly taint: ReadonlyArray<string>
  /**
   * How many events of the schedule (ends, timers, callbacks, variable writes) the cell had taken in when it issued
   * this.
   */
  readonly after: number
  /** The cell waits synchronously: the answer must be there at once, and is not part of the schedule. */
  readonly blocking: boolean
  readonly entropy: Entropy
}

/** Thrown inside the cell, so that model-written code can catch it by `reason._tag`. None of these is an effect. */
export class HostCallError extends Schema.TaggedError<HostCallError>()("HostCallError", {
  path: Schema.String,
  reason: Schema.TaggedUnion({
    InvalidArguments: { problem: Schema.String },
    InvalidResult: { problem: Schema.String },
    Denied: { by: Schema.String, why: Schema.String },
    Expired: {},
    OverBudget: { unit: Schema.String },
    /** Began before a crash; nobody knows whether it happened. */
    UnknownOutcome: { key: Schema.String },
    /** A live object that did not survive a restart. */
    ReferenceLost: { type: Schema.String },
    /** A blocking call came back into the cell, which would have had to wait for itself. */
    Reentrant: {},
    /** A re-executed cell did something else than the log says. The cell ends as `interrupted` and is not retried. */
    Diverged: { ordinal: Schema.Int },
    /** A replay has to answer it from its recording. `nearest`: what that has instead, as text. */
    NotRecorded: { key: Schema.String, nearest: Schema.optional(Schema.String) }
  })
}) {
  override get message() {
    const { reason } = this
    switch (reason._tag) {
      case "InvalidArguments":
        return `${this.path}: invalid arguments: ${reason.problem}`
      case "InvalidResult":
        return `${this.path}: it returned something its contract does not allow: ${reason.problem}`
      case "Denied":
        return `${this.path}: denied by ${reason.by}: ${reason.why}`
      case "Expired":
        return `${this.path}: nobody answered in time`
      case "OverBudget":
        return `${this.path}: the limit of ${reason.unit} is reached`
      case "UnknownOutcome":
        return `${this.path}: it began before a crash, and nobody knows whether it happened`
      case "ReferenceLost":
        return `${this.path}: the ${reason.type} did not survive a restart`
      case "Reentrant":
        return `${this.path}: called back into the cell that was waiting for it`
      case "Diverged":
        return `${this.path}: call ${reason.ordinal} differs from the record`
      case "NotRecorded":
        return `${this.path}: there is no record of this call${
          reason.nearest === undefined ? "" : `; ${reason.nearest}`
        }`
    }
  }
}

/**
 * The one gate between cells and the application. In order: validate, `Gates.beforeHostCall`, policy, approval, budget,
 * ledger `started`, `perform`, `Gates.afterHostCall`, ledger `ended`. A runtime (or the `functions` format) never calls
 * the application by another way, bare references of the vm runtime excepted. `perform` gets the arguments that are
 * finally allowed; a failure of the application passes through as it is, whatever was thrown. A `StoreError` never
 * reaches the cell, which could catch it: the call does not return and the session ends.
 *
 * The effect runs synchronously up to its first wait, so a runtime forks it and looks: an exit is the answer of a
 * synchronous call. A call that must stay synchronous and finds none (a policy that waits) is refused. `paused(true)`
 * stops the clocks of the calling cell.
 */
export interface Boundary {
  readonly invoke: (
    call: HostCall,
    perform: (args: ReadonlyArray<unknown>, context: CallContext) => unknown,
    paused?: ((on: boolean) => void) | undefined
  ) => Effect.Effect<unknown, unknown>
  /**
   * Told by sealed runtimes what belongs to the schedule of a cell and is no call, in the order in which the cell takes
   * it in: these facts are events of the log as well.
   */
  readonly note?: ((fact: ScheduleFact) => void) | undefined
}

/** What came to a cell besides the ends of its calls. Values are as they are, not encoded. */
export type ScheduleFact =
  | { readonly _tag: "TimerFired"; readonly cell: number; readonly ordinal: number }
  | {
    readonly _tag: "CallbackCalled"
    readonly cell: number
    readonly callback: number
    readonly args: ReadonlyArray<unknown>
  }
  | { readonly _tag: "VariableSet"; readonly name: string; readonly value: unknown }

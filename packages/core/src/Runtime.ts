/**
 * Where cells run: a persistent namespace with notebook semantics. Every runtime passes the conformance suite of
 * `@daylight/core/testing`, so the same cell, prompt and declarations serve all of them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Bound } from "./Binding.ts"
import type { Boundary } from "./Boundary.ts"
import type { Cell, CellReport, Entropy, NamespaceDiff, Variable } from "./Cell.ts"
import type { Recorded } from "./Event.ts"
import type { SessionId } from "./Ids.ts"
import type { InvalidInput } from "./InvalidInput.ts"
import type { Snapshot } from "./Snapshot.ts"

export class RuntimeError extends Schema.TaggedError<RuntimeError>()("RuntimeError", {
  reason: Schema.TaggedUnion({
    StartFailed: { detail: Schema.String },
    /** The namespace is gone; the next `execute` starts afresh. */
    Crashed: { detail: Schema.String },
    NoSuchVariable: { name: Schema.String },
    NotTransferable: { name: Schema.String, path: Schema.String }
  })
}) {
  override get message() {
    switch (this.reason._tag) {
      case "StartFailed":
        return `the runtime could not start: ${this.reason.detail}`
      case "Crashed":
        return `the runtime crashed and its variables are lost: ${this.reason.detail}`
      case "NoSuchVariable":
        return `there is no variable ${this.reason.name} in the runtime`
      case "NotTransferable":
        return `${this.reason.name} cannot leave the runtime: ${this.reason.path}`
    }
  }
}

/** Where a cell that runs again leaves its record: what that has in this place, and what came. Plain data. */
export interface Diverged {
  readonly _tag: "Diverged"
  /** Of the call or timer within the cell. */
  readonly ordinal: number
  readonly expected: unknown
  readonly came: unknown
}

/** A session's namespace. Cells run one at a time. Closing the scope ends timers, children and processes. */
export interface Runtime {
  /**
   * `sealed`: nothing reaches the world but through `Boundary`, and entropy is recorded: only then may a cell be
   * re-executed.
   */
  readonly capabilities: { readonly preemptive: boolean; readonly isolated: boolean; readonly sealed: boolean }
  readonly bind: (bindings: ReadonlyArray<Bound>) => Effect.Effect<void, RuntimeError | InvalidInput>
  readonly unbind: (names: ReadonlyArray<string>) => Effect.Effect<void, RuntimeError>
  /**
   * Interrupting the fiber stops the cell. `entropy`, of sealed runtimes: the clock readings that no call to the
   * boundary carried, also of a cell that failed.
   */
  readonly execute: (
    cell: Cell
  ) => Effect.Effect<
    { readonly report: CellReport; readonly value: unknown; readonly entropy?: Entropy | undefined },
    RuntimeError
  >
  /** What the name holds now: a binding, or what a cell made of it. */
  readonly get: (name: string) => Effect.Effect<unknown, RuntimeError>
  readonly set: (name: string, value: unknown) => Effect.Effect<void, RuntimeError>
  /** Gives whether there was such a variable. */
  readonly remove: (name: string) => Effect.Effect<boolean, RuntimeError>
  /** All variables, as at this moment. */
  readonly describe: Effect.Effect<ReadonlyArray<Variable>, RuntimeError>
  /** TypeScript declarations of bindings and variables: for the prompt and for the type check. */
  readonly declarations: Effect.Effect<string, RuntimeError>
  /** Drops what cells made; binds again what was bound. */
  readonly reset: Effect.Effect<void, RuntimeError>
  /** The namespace at rest: what a session can be brought back from. */
  readonly snapshot?:
    | Effect.Effect<{ readonly snapshot: Snapshot; readonly data: Uint8Array }, RuntimeError>
    | undefined
  /** Brings a namespace back; gives what came back and what could not. */
  readonly restore?: ((snapshot: Snapshot, data: Uint8Array) => Effect.Effect<NamespaceDiff, RuntimeError>) | undefined
  /**
   * Sealed runtimes only: the next `execute` follows these events of its cell, then goes live, or stops as diverged.
   * What stands before their `CellStarted` came to the namespace before the cell. Where they have the end of the cell,
   * a timer or call that had not ended by then waits for a cell whose record has its end, or for one without a record.
   * Armed by the call itself; the effect ends with the verdict, so it is run beside that `execute`.
   */
  readonly replay?: ((events: ReadonlyArray<Recorded>) => Effect.Effect<"live" | Diverged, RuntimeError>) | undefined
}

/**
 * Opens a `Runtime`. The boundary is an argument, not a service: runtime layers need nothing, and each session has its
 * own.
 */
export class RuntimeFactory extends Context.Service<RuntimeFactory, {
  readonly open: (options: {
    readonly session: SessionId
    readonly boundary: Boundary
    /**
     * Share this runtime's process, with a namespace of one's own: what a child is given, so that objects pass by real
     * reference.
     */
    readonly near?: Runtime | undefined
    /** Told what a cell prints, as it prints it: for whoever watches. The report holds it all. */
    readonly output?: ((text: string) => void) | undefined
  }) => Effect.Effect<Runtime, RuntimeError, Scope.Scope>
}>()("@daylight/core/RuntimeFactory") {}

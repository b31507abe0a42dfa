/**
 * Code of the application that stands in the way of what a session does, and may stop or change it. Gates fail closed:
 * one that throws, rejects or fails stops what it was asked about. To look on without a say there are `Observers`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { HostCall } from "./Boundary.ts"
import type { OutcomeRecord } from "./Outcome.ts"
import type { Caller } from "./Policy.ts"

/** A gate may answer at once, with a promise, or as an Effect. */
export type Gated<A> = A | Promise<A> | Effect.Effect<A, unknown>

/** `Proceed` with other arguments: they are validated, and judged by the policy, as if the cell had given them. */
export type BeforeHostCall =
  | { readonly _tag: "Proceed"; readonly args?: ReadonlyArray<unknown> | undefined }
  | { readonly _tag: "Block"; readonly why: string }

/** `Replace` gives the cell, and the log, another value. `Withhold` keeps it back: the cell gets an error,
 * and the call has taken place. */
export type AfterHostCall =
  | { readonly _tag: "Pass" }
  | { readonly _tag: "Replace"; readonly value: unknown }
  | { readonly _tag: "Withhold"; readonly why: string }

/** `Continue` tells the model to go on; the limits of the run hold. `Refuse` ends the run as `refused`. */
export type BeforeStop =
  | { readonly _tag: "Stop" }
  | { readonly _tag: "Continue"; readonly message: string }
  | { readonly _tag: "Refuse"; readonly why: string }

export interface Gates {
  /** After validation, before policy and approval. */
  readonly beforeHostCall?: ((call: HostCall, caller: Caller) => Gated<BeforeHostCall>) | undefined
  /** After a call that returned, before the cell has its value. */
  readonly afterHostCall?: ((call: HostCall, value: unknown, caller: Caller) => Gated<AfterHostCall>) | undefined
  /** Before a run ends as `completed`. One that fails ends the run as `internal_error`. */
  readonly beforeStop?: ((outcome: OutcomeRecord, caller: Caller) => Gated<BeforeStop>) | undefined
}

/** Default: none. */
export const Gates: Context.Reference<Gates> = Context.Reference<Gates>("@daylight/core/Gates", {
  defaultValue: () => ({})
})

/** A gate threw, rejected or failed. Never leaves the engine: whatever was asked about is stopped. */
export class GateFailed extends Schema.TaggedError<GateFailed>()("GateFailed", { detail: Schema.String }) {
  override get message() {
    return `it failed: ${this.detail}`
  }
}

/** What a gate answers. */
export const askGate = <A>(gate: () => Gated<A>): Effect.Effect<A, GateFailed> =>
  Effect.suspend((): Effect.Effect<A, unknown> => {
    const answer = gate()
    if (Effect.isEffect(answer)) return answer as Effect.Effect<A, unknown>
    return answer instanceof Promise ? Effect.promise(() => answer) : Effect.succeed(answer as A)
  }).pipe(Effect.mapError(failed), Effect.catchDefect((defect) => Effect.fail(failed(defect))))

const failed = (error: unknown): GateFailed =>
  new GateFailed({ detail: error instanceof Error ? error.message : String(error) })

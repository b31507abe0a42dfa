/**
 * What may still be used: limits and what has been booked against them. Each run has a node of its own.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { InvalidInput } from "./InvalidInput.ts"
import type { Limits, Unit } from "./Limits.ts"
import type { Purpose } from "./Model.ts"

export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  unit: Schema.String,
  limit: Schema.Finite,
  used: Schema.Finite,
  agent: Schema.String
}) {
  override get message() {
    return `${this.agent}: ${this.unit} limit of ${this.limit} reached (${this.used} used)`
  }
}

/** Counts by unit. */
export type Amount = { readonly [K in Exclude<Unit, "time">]?: number | undefined }

export interface Budget {
  /** Books a count that needs no reservation (`steps`, `cells`, `hostCalls`), or says what stands against it. */
  readonly take: (amount: Amount) => LimitReached | undefined
  /**
   * Holds the worst case while `use` runs; then books what `settle` says. `settle` is also called on failure and
   * interruption. A wrap-up reserve set aside at the start is only open to `purpose: "wrap-up"`.
   */
  readonly spend: <A, E, R>(
    worst: Amount,
    use: (settle: (actual: Amount) => Effect.Effect<void>) => Effect.Effect<A, E, R>,
    purpose?: Purpose | undefined
  ) => Effect.Effect<A, E | LimitReached, R>
  readonly child: (agent: string, limits: Limits) => Effect.Effect<Budget, InvalidInput>
  readonly used: Effect.Effect<Amount>
}

/**
 * How a run ended.
 */
import * as Schema from "effect/Schema"
import { Usage } from "./Usage.ts"
import { Value } from "./Value.ts"

export const OutcomeReason = Schema.Literals([
  "completed",
  "refused",
  "invalid_answer",
  "stuck",
  "limit",
  "cancelled",
  "waiting",
  "model_error",
  "runtime_error",
  "internal_error"
])
export type OutcomeReason = typeof OutcomeReason.Type

/**
 * The part of an outcome that is stored. `text` is the answer of a completed run, and all text so far of any other.
 * `limit` names the unit when `reason` is `limit` (`steps`, `tokens`, `time`, ...).
 */
export const OutcomeRecord = Schema.Struct({
  reason: OutcomeReason,
  limit: Schema.optional(Schema.String),
  text: Schema.String,
  answer: Schema.optional(Value),
  error: Schema.optional(Schema.Struct({ name: Schema.String, message: Schema.String })),
  steps: Schema.Int,
  cells: Schema.Int,
  usage: Usage,
  /** `undefined`: some of it was unpriced. */
  usd: Schema.optional(Schema.Finite),
  durationMs: Schema.Finite
})
export type OutcomeRecord = typeof OutcomeRecord.Type

/** Narrow on `reason`; `answer` is there, validated, exactly when a schema was given and the run completed. */
export type Outcome<A = undefined> =
  | (Omit<OutcomeRecord, "reason" | "answer"> & { readonly reason: "completed"; readonly answer: A })
  | (Omit<OutcomeRecord, "reason" | "answer"> & {
    readonly reason: Exclude<OutcomeReason, "completed">
    readonly answer?: undefined
  })

/** `run` ended otherwise than `completed`, where a plain answer was asked for. Carries the whole outcome. */
export class OutcomeError
  extends Schema.TaggedError<OutcomeError>()("OutcomeError", { agent: Schema.String, outcome: OutcomeRecord })
{
  override get message() {
    return `${this.agent}: ${this.outcome.reason}${this.outcome.error ? `: ${this.outcome.error.message}` : ""}`
  }
}

/**
 * What goes wrong with a model, in one closed vocabulary.
 */
import * as Schema from "effect/Schema"

const detail = { status: Schema.optional(Schema.Int), detail: Schema.String }

/** Closed set of what goes wrong with a model. Names follow `effect/ai` and the providers' own documents. */
export const ModelFailure = Schema.TaggedUnion({
  RateLimited: { ...detail, retryAfterMs: Schema.optional(Schema.Finite) },
  Overloaded: { ...detail, retryAfterMs: Schema.optional(Schema.Finite) },
  Timeout: detail,
  Stalled: { ...detail, idleMs: Schema.Finite },
  Connection: detail,
  Billing: detail,
  Authentication: detail,
  InvalidRequest: detail,
  ContextOverflow: { ...detail, tokens: Schema.optional(Schema.Int), window: Schema.optional(Schema.Int) },
  ContentFilter: detail,
  MalformedResponse: detail,
  /** A scripted or replayed model was asked for something it does not hold. Never retried. */
  NotRecorded: detail,
  Unknown: detail
})
export type ModelFailure = typeof ModelFailure.Type

export class ModelError extends Schema.TaggedError<ModelError>()("ModelError", {
  provider: Schema.String,
  model: Schema.String,
  reason: ModelFailure
}) {
  override get message() {
    return `${this.provider} ${this.model}: ${this.reason._tag}: ${this.reason.detail}`
  }
  get retryable() {
    return ModelFailure.isAnyOf(["RateLimited", "Overloaded", "Timeout", "Stalled", "Connection", "MalformedResponse"])(
      this.reason
    )
  }
}

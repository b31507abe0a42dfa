/**
 * What goes wrong with a store.
 */
import * as Schema from "effect/Schema"

export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  session: Schema.optional(Schema.String),
  reason: Schema.TaggedUnion({
    NotFound: {},
    AlreadyExists: {},
    /** Another process owns the session: who, and until when its lease runs. */
    Held: { holder: Schema.String, until: Schema.Finite },
    /**
     * This process owned it and does not any more (it gave no sign of life in time, or another took over); nothing was
     * written.
     */
    Fenced: { expectedSeq: Schema.Int, actualSeq: Schema.Int },
    /**
     * It was asked for what no store takes: an event that does not fit, a cursor of another list; nothing was written.
     */
    Invalid: { detail: Schema.String },
    /** `seq` is 0 where it is not one event that cannot be read. */
    Corrupt: { seq: Schema.Int, detail: Schema.String },
    Full: { detail: Schema.String },
    Unavailable: { detail: Schema.String }
  })
}) {
  override get message() {
    return this.session === undefined ? told(this.reason) : `session ${this.session}: ${told(this.reason)}`
  }
}

const told = (reason: StoreError["reason"]): string => {
  switch (reason._tag) {
    case "NotFound":
      return "there is no such session"
    case "AlreadyExists":
      return "the id is taken: choose another or leave it out"
    case "Held":
      return `held by ${reason.holder} until ${new Date(reason.until).toISOString()}`
    case "Fenced":
      return `this process does not own it any more; nothing was written (expected event ${reason.expectedSeq}, found ${reason.actualSeq})`
    case "Invalid":
      return `${reason.detail}; nothing was written`
    case "Corrupt":
      return `${reason.seq > 0 ? `event ${reason.seq}` : "the store"} cannot be read: ${reason.detail}`
    case "Full":
      return `the store is full: ${reason.detail}`
    case "Unavailable":
      return `the store is not available: ${reason.detail}`
  }
}

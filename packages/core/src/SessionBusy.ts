import * as Schema from "effect/Schema"

/** A second `run` while one is active. Runs of one session never interleave. */
export class SessionBusy
  extends Schema.TaggedError<SessionBusy>()("SessionBusy", { session: Schema.String, run: Schema.Int })
{
  override get message() {
    return `session ${this.session} is busy with run ${this.run}: await it, cancel it, or open another session`
  }
}

/**
 * Misuse, told before anything runs.
 */
import * as Schema from "effect/Schema"

/** Why something could not be accepted before anything ran. `subject` names the thing, `remedy` what to do. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  subject: Schema.String,
  problem: Schema.String,
  remedy: Schema.String
}) {
  override get message() {
    return `${this.subject}: ${this.problem}. ${this.remedy}`
  }
}

/**
 * What is wrong with a file of recordings: which file, which line, what to do. Never told as "there is no recording".
 */
import * as Schema from "effect/Schema"

export class RecordingError extends Schema.TaggedError<RecordingError>()("RecordingError", {
  file: Schema.String,
  /** From 1, where one line is to blame. */
  line: Schema.optional(Schema.Int),
  problem: Schema.String,
  remedy: Schema.String
}) {
  override get message() {
    return `${this.file}${this.line === undefined ? "" : `:${this.line}`}: ${this.problem}. ${this.remedy}`
  }
}

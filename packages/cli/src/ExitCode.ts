/** What the command tells the shell. Documented in `--help` and in the README. */
import type { OutcomeReason } from "@daylight/core"

/** The program itself failed, or the agent could not start. */
export const failure = 1
/** Wrong arguments, or a FILE that holds no agent. */
export const usage = 2

const byReason: Readonly<Record<OutcomeReason, number>> = {
  completed: 0,
  internal_error: failure,
  refused: 3,
  invalid_answer: 4,
  stuck: 5,
  limit: 6,
  waiting: 7,
  model_error: 8,
  runtime_error: 9,
  cancelled: 130
}

export const ofReason = (reason: OutcomeReason): number => byReason[reason] ?? failure

/** For help texts. */
export const table = [
  "0 completed, 1 internal error or the agent could not start, 2 wrong usage, 3 refused, 4 no valid answer, 5 stuck,",
  "6 limit reached, 7 waiting for a person, 8 model error, 9 runtime error, 130 cancelled."
].join(" ")

import * as Effect from "effect/Effect"
import { askGate, type BeforeStop, type Gates } from "../Gates.ts"
import type { OutcomeRecord } from "../Outcome.ts"
import type { Frame } from "./Frame.ts"
import { nudge } from "./Nudge.ts"
import type { Run } from "./Run.ts"

/** The application's last word on an answer. `undefined`: the run goes on. */
export const beforeStop = (
  frame: Frame,
  run: Run,
  outcome: OutcomeRecord,
  gate: NonNullable<Gates["beforeStop"]>
): Effect.Effect<OutcomeRecord | undefined> =>
  Effect.match(askGate(() => gate(outcome, frame.caller)), {
    onSuccess: (word) => heed(frame, run, outcome, word),
    onFailure: (error) =>
      run.outcome("internal_error", {
        error: { name: error._tag, message: `beforeStop: ${error.message}` }
      })
  })

const heed = (frame: Frame, run: Run, outcome: OutcomeRecord, word: BeforeStop): OutcomeRecord | undefined => {
  switch (word._tag) {
    case "Stop":
      return outcome
    case "Refuse":
      return run.outcome("refused", { error: { name: "Refused", message: word.why } })
    case "Continue":
      run.finished = undefined
      nudge(frame, run, "before-stop", word.message)
      return undefined
  }
}

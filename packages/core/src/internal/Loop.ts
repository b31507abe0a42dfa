import * as Effect from "effect/Effect"
import type { LimitReached } from "../Budget.ts"
import { Defaults } from "../Defaults.ts"
import { ModelError } from "../ModelError.ts"
import type { OutcomeRecord } from "../Outcome.ts"
import type { RuntimeError } from "../Runtime.ts"
import type { StoreError } from "../StoreError.ts"
import type { Answer } from "./Answer.ts"
import { beforeStop } from "./BeforeStop.ts"
import { callWithinWindow } from "./Compaction.ts"
import type { Frame } from "./Frame.ts"
import { nudge, type Why } from "./Nudge.ts"
import { answerOpenActions, performActions } from "./PerformActions.ts"
import type { Run } from "./Run.ts"

type Failure = StoreError | RuntimeError | ModelError | LimitReached

const oneStep = { steps: 1 }

/** Ask, act, repeat: until there is an answer, or a limit that fails as `LimitReached`. */
export const loop = Effect.fnUntraced(function*(frame: Frame, run: Run): Effect.fn.Return<OutcomeRecord, Failure> {
  while (true) {
    const over = run.budget.take(oneStep)
    if (over !== undefined) return yield* over
    if (run.suspension.isSuspended) yield* run.suspension.active
    run.step++
    const answer = yield* callWithinWindow(frame, run, "answer")
    const ended = answer.finish === "content-filter"
      ? refused(frame, run)
      : answer.actions.length > 0
      ? yield* Effect.map(performActions(frame, run, answer), () => afterActions(frame, run))
      : yield* afterText(frame, run, answer)
    if (ended === undefined) continue
    const gate = ended.reason === "completed" ? frame.gates.beforeStop : undefined
    const stopped = gate === undefined ? ended : yield* beforeStop(frame, run, ended, gate)
    if (stopped !== undefined) return stopped
  }
})

const refused = (frame: Frame, run: Run): OutcomeRecord => {
  answerOpenActions(frame, run, "the provider's filter stopped the reply")
  return run.outcome("refused")
}

const afterActions = (frame: Frame, run: Run): OutcomeRecord | undefined => {
  if (run.finished !== undefined) {
    return run.outcome("completed", run.schema && { answer: frame.values.encode(run.finished.value) })
  }
  if (run.answerExhausted) {
    return run.outcome("invalid_answer", {
      error: { name: "InvalidAnswer", message: "the answer did not fit its schema, also after repairs" }
    })
  }
  if (run.repeats >= Defaults.stuck.ended) {
    return run.outcome("stuck", {
      error: { name: "Stuck", message: `the same code gave the same result ${run.repeats} times in a row` }
    })
  }
  if (run.repeats === Defaults.stuck.told) {
    nudge(
      frame,
      run,
      "stuck",
      `You have done exactly the same ${run.repeats} times, with the same result. Do something else, or answer with what you know.`
    )
  }
  return undefined
}

/** A reply without an action is the answer, unless it is none or something is plainly amiss with it. */
const afterText = (frame: Frame, run: Run, answer: Answer): Effect.Effect<OutcomeRecord | undefined, ModelError> => {
  // What decorators could not complete, nobody can.
  if (answer.finish === "length") {
    return malformed(frame, "the output limit cut the answer off, also after continuing it")
  }
  const amiss = amissIn(answer)
  if (amiss !== undefined) {
    const again = run.nudged.has(amiss.why)
    if (again && amiss.fatal) return malformed(frame, amiss.detail)
    if (!again) {
      nudge(frame, run, amiss.why, amiss.text)
      return Effect.undefined
    }
  }
  if (run.schema === undefined) return Effect.succeed(run.outcome("completed"))
  run.answerFailures++
  if (run.answerExhausted) {
    return Effect.succeed(
      run.outcome("invalid_answer", { error: { name: "InvalidAnswer", message: "finish(value) was never called" } })
    )
  }
  nudge(
    frame,
    run,
    "invalid-answer",
    frame.functions === undefined
      ? "The answer is expected as a value: call finish(value) in a cell."
      : "The answer is expected as a value: call the tool finish."
  )
  return Effect.undefined
}

const malformed = ({ model }: Frame, detail: string): Effect.Effect<never, ModelError> =>
  Effect.fail(
    new ModelError({
      provider: model.info.provider,
      model: model.info.model,
      reason: { _tag: "MalformedResponse", detail }
    })
  )

interface Amiss {
  readonly why: Why
  /** Said to the model. */
  readonly text: string
  /** Said to the application, when it happens again. */
  readonly detail: string
  /** A second time ends the run; otherwise the reply then counts as the answer. */
  readonly fatal: boolean
}

const amissIn = ({ fence, text }: Answer): Amiss | undefined => {
  if (fence?._tag === "Unterminated") {
    return {
      why: "repair",
      text: "Your code block was never closed, so it did not run. Send it again in full, with its end.",
      detail: "a code block was never closed",
      fatal: true
    }
  }
  if (text.trim() === "") {
    return {
      why: "empty",
      text: "Your reply was empty. Go on with code, or answer in text.",
      detail: "the reply was empty",
      fatal: true
    }
  }
  if (!text.isWellFormed() || text.includes("\ufffd")) {
    return {
      why: "repair",
      text: "Part of your reply arrived as broken characters. Say it again.",
      detail: "the reply holds bytes that are not valid text",
      fatal: true
    }
  }
  if (fence?._tag === "NearMiss") {
    return {
      why: "near-miss",
      text:
        "Nothing was run. If the last block was meant to run, send it as the instructions say; otherwise repeat your answer.",
      detail: "a code block was shown instead of run",
      fatal: false
    }
  }
  return undefined
}

/**
 * The one call that is kept back for a limit: the model answers with what it has. If it cannot, what there is stands.
 */
export const wrapUp = (frame: Frame, run: Run, limit: LimitReached): Effect.Effect<OutcomeRecord, StoreError> =>
  Effect.suspend(() => {
    answerOpenActions(frame, run, `the limit of ${limit.unit} is reached`)
    nudge(
      frame,
      run,
      "wrap-up",
      `The limit of ${limit.unit} is reached and no more code will run. Answer now, in text, with what you have.`
    )
    return callWithinWindow(frame, run, "wrap-up").pipe(
      Effect.catchTag(["ModelError", "LimitReached", "RuntimeError"], () => Effect.void),
      Effect.map(() => run.limited(limit))
    )
  })

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { LimitReached } from "../Budget.ts"
import { Defaults } from "../Defaults.ts"
import type { Event } from "../Event.ts"
import type { BlobRef } from "../Ids.ts"
import type { ModelPart, ModelRequest, Purpose } from "../Model.ts"
import { ModelError } from "../ModelError.ts"
import type { StoreError } from "../StoreError.ts"
import { noUsage } from "../Usage.ts"
import { Answer } from "./Answer.ts"
import { type Frame, runAction } from "./Frame.ts"
import { converse } from "./History.ts"
import type { Run } from "./Run.ts"

/** One model call: reserved, logged, streamed, folded into the history. */
export const callModel = (
  frame: Frame,
  run: Run,
  purpose: Purpose
): Effect.Effect<Answer, ModelError | StoreError | LimitReached> =>
  Effect.suspend(() => {
    const { budget } = run
    const answer = run.streaming = makeAnswer(frame)
    const most = fitting(frame)
    if (!budget.countsTokens) return send(frame, run, purpose, most, answer)
    const input = frame.history.tokens
    const least = Math.min(Defaults.minOutputTokens, most)
    budget.reserve = { tokens: input + least, inputTokens: input, outputTokens: least }
    const affordable = Math.floor(budget.affordableOutput(input, most, purpose))
    const output = purpose === "wrap-up" ? Math.max(1, Math.min(least, affordable)) : Math.max(least, affordable)
    return budget.spend(
      { tokens: input + output, inputTokens: input, outputTokens: output },
      (settle) =>
        Effect.onExit(send(frame, run, purpose, output, answer), () => {
          const { input, output } = answer.spent
          return settle({ tokens: input + output, inputTokens: input, outputTokens: output })
        }),
      purpose
    )
  })

/** Output tokens that fit into the window beside what is sent. What is far from the window is not counted. */
const fitting = ({ history, model }: Frame): number => {
  const { contextWindow, maxOutputTokens } = model.info
  if (history.mostTokens + maxOutputTokens <= contextWindow) return maxOutputTokens
  return Math.max(
    Math.min(Defaults.minOutputTokens, maxOutputTokens),
    Math.min(maxOutputTokens, contextWindow - history.tokens)
  )
}

const send = (frame: Frame, run: Run, purpose: Purpose, maxOutputTokens: number, answer: Answer) =>
  Effect.suspend(() => {
    const { history, log, model } = frame
    const request = requestOf(frame, run, purpose, maxOutputTokens)
    const estimate = () => history.tokens
    /** Also for an answer that was interrupted: what was shown to a person is part of the conversation. */
    const end = () => {
      const message = answer.end(`${run.number}.${run.step}`)
      answer.spent = answer.usage(estimate)
      run.answered(answer)
      converse(frame, { _tag: "ModelAnswered", ...run.at, message, finish: answer.finish, usage: answer.spent })
    }
    const failed = ({ reason }: ModelError) => {
      answer.spent = answer.begun ? answer.usage(estimate) : noUsage
      run.answered(answer)
      log.note({ _tag: "ModelFailed", ...run.at, reason, usage: answer.spent })
    }
    return log.commit(called(frame, run, request, model.info.provider, model.info.model, 1)).pipe(
      Effect.andThen(consume(model.stream(request), answer)),
      Effect.tapErrorTag("ModelError", (error) => Effect.sync(() => failed(error))),
      Effect.onInterrupt(() => Effect.sync(() => answer.begun && end())),
      Effect.map(() => {
        end()
        return answer
      })
    )
  })

const makeAnswer = ({ action, show, tokenizer }: Frame): Answer =>
  new Answer({
    show,
    fence: action === "fence" || typeof action === "object" ? action : undefined,
    drain: Defaults.drain.tokens,
    tokenizer
  })

/** The next request of the conversation. */
export const requestOf = (frame: Frame, run: Run, purpose: Purpose, maxOutputTokens: number): ModelRequest => {
  const { functions, history, log, model, prompt, store, system } = frame
  const actions = purpose === "wrap-up"
    ? []
    : frame.action === "tool"
    ? [runAction]
    : functions?.actions(run.schema) ?? []
  const request: ModelRequest = {
    purpose,
    system,
    messages: prompt.project(history.messages),
    actions,
    choice: actions.length === 0 ? "none" : "auto",
    maxOutputTokens,
    ...(frame.block && { block: frame.block }),
    media: (blob: BlobRef) =>
      Effect.mapError(
        store.getBlob(blob),
        (error) =>
          new ModelError({
            ...model.info,
            reason: { _tag: "InvalidRequest", detail: `the ${blob.mediaType} in the prompt is lost: ${error.message}` }
          })
      ),
    onAttempt: (attempt) =>
      log.commitOrEnd(called(frame, run, request, attempt.provider, attempt.model, attempt.attempt)),
    onFailure: (reason, retryInMs) =>
      Effect.sync(() => void log.note({ _tag: "ModelFailed", ...run.at, reason, usage: noUsage, retryInMs }))
  }
  return request
}

const called = (
  { history }: Frame,
  run: Run,
  request: ModelRequest,
  provider: string,
  model: string,
  attempt: number
): Event => {
  const { choice, maxOutputTokens, purpose } = request
  const rest = `${purpose} ${choice} ${maxOutputTokens} ${request.actions.map((action) => action.name).join(" ")}`
  return { _tag: "ModelCalled", ...run.at, attempt, purpose, provider, model, digest: history.digest(rest) }
}

/** Reads the stream to its end or, after a complete block, as long as its usage is worth waiting for. */
const consume = (stream: Stream.Stream<ModelPart, ModelError>, answer: Answer): Effect.Effect<void, ModelError> => {
  if (answer.fence === undefined) {
    return Stream.runForEachArray(stream, (parts) => {
      for (const part of parts) answer.push(part)
      return Effect.void
    })
  }
  const complete = Deferred.makeUnsafe<void>()
  const read = Stream.runDrain(Stream.takeUntil(stream, (part) => {
    const enough = answer.push(part)
    if (answer.complete) Deferred.doneUnsafe(complete, Effect.void)
    return enough
  }))
  return Effect.raceFirst(read, Effect.andThen(Deferred.await(complete), Effect.sleep(Defaults.drain.time)))
}

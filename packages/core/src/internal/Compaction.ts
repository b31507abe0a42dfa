import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { LimitReached } from "../Budget.ts"
import { Compactor } from "../Compactor.ts"
import { Defaults } from "../Defaults.ts"
import { ModelError } from "../ModelError.ts"
import type { Purpose } from "../Model.ts"
import type { RuntimeError } from "../Runtime.ts"
import type { StoreError } from "../StoreError.ts"
import { Answer } from "./Answer.ts"
import { callModel, requestOf } from "./CallModel.ts"
import type { Frame } from "./Frame.ts"
import type { Run } from "./Run.ts"
import { variablesText } from "./Situation.ts"

type Failure = ModelError | LimitReached | RuntimeError | StoreError

const none = Compactor.defaultValue()

/**
 * One model call whose prompt fits: the compactor is asked before a prompt comes near the window, and once if one is
 * refused as too long.
 */
export const callWithinWindow = (frame: Frame, run: Run, purpose: Purpose): Effect.Effect<Answer, Failure> => {
  if (frame.compactor === none) return callModel(frame, run, purpose)
  const call = Effect.suspend(() => callModel(frame, run, purpose))
  return Effect.suspend(() => isLong(frame) ? compact(frame, run, false) : Effect.succeed(false)).pipe(
    Effect.andThen(call),
    Effect.catchIf(
      isOverflow,
      (error) => Effect.flatMap(compact(frame, run, true), (shorter) => shorter ? call : Effect.fail(error))
    )
  )
}

const isOverflow = (error: Failure): error is ModelError =>
  error._tag === "ModelError" && error.reason._tag === "ContextOverflow"

const limitOf = ({ model }: Frame): number => {
  const { contextWindow } = model.info
  const { margin, reserve } = Defaults.window
  return contextWindow - Math.min(reserve.most, contextWindow * reserve.share) -
    Math.min(margin.most, contextWindow * margin.share)
}

const isLong = (frame: Frame): boolean => {
  const limit = limitOf(frame)
  return frame.history.mostTokens > limit && frame.history.tokens > limit
}

/** Gives whether something left the prompt. What it holds of the namespace is refreshed from the runtime. */
const compact = Effect.fnUntraced(
  function*(frame: Frame, run: Run, overflowed: boolean): Effect.fn.Return<boolean, Failure> {
    const { history, log, runtime } = frame
    const compacted = yield* frame.compactor.compact({
      entries: history.entries,
      fixedTokens: history.systemTokens,
      limit: limitOf(frame),
      overflowed,
      summarise: (text, previous) => summarise(frame, run, text, previous),
      keep: (text) => {
        const name = `_kept_${++frame.kept}`
        return Effect.as(runtime.set(name, text), name)
      }
    })
    if (compacted === undefined) return false
    const variables = compacted.summary === undefined ? "" : yield* variablesText(runtime)
    const event = variables === "" ? compacted : { ...compacted, summary: `${compacted.summary}\n\n${variables}` }
    const seq = log.note(event)
    yield* log.commit()
    history.compact(event, seq)
    return true
  }
)

const summaryPrompt =
  `You shorten the record of a conversation between a person and an agent that works with code, so that the agent can go on from it.
Write two blocks of plain text. <analysis>: what matters and why, for yourself. <summary>: what the agent must know, under these headings: what the person wants; what was
asked, in order; decisions and their reasons; what was found, with exact names and numbers; errors and how they were solved; what is still to be done, and the next step.
Variables of the runtime live on by themselves: name them, do not copy them. If there is an earlier summary, bring it up to date; do not shorten it again.`

/** A call beside the conversation, booked like any other. */
const summarise = (
  frame: Frame,
  run: Run,
  text: string,
  previous: string | undefined
): Effect.Effect<string, ModelError | LimitReached> => {
  const parts = previous === undefined ? [text] : [`<earlier>\n${previous}\n</earlier>`, text]
  const answer = new Answer({ show: () => {}, fence: undefined, drain: 0, tokenizer: frame.tokenizer })
  const { model, tokenizer } = frame
  const maxOutputTokens = Math.min(model.info.maxOutputTokens, Defaults.window.reserve.most)
  const request = {
    ...requestOf(frame, run, "compaction", maxOutputTokens),
    system: summaryPrompt,
    messages: [{ _tag: "User" as const, content: parts.map((text) => ({ _tag: "Text" as const, text })) }],
    actions: [],
    choice: "none" as const,
    block: undefined
  }
  const input = () => tokenizer.count(summaryPrompt) + parts.reduce((sum, part) => sum + tokenizer.count(part), 0)
  const asked = frame.log.commitOrEnd({
    _tag: "ModelCalled",
    ...run.at,
    attempt: 1,
    purpose: "compaction",
    provider: model.info.provider,
    model: model.info.model,
    digest: frame.platform.sha256(JSON.stringify([summaryPrompt, parts]))
  })
  return asked.pipe(
    Effect.andThen(Stream.runForEachArray(model.stream(request), (parts) => {
      for (const part of parts) answer.push(part)
      return Effect.void
    })),
    Effect.flatMap(() => {
      const message = answer.end("summary")
      answer.spent = answer.usage(input)
      run.spent(answer.spent)
      frame.log.note({ _tag: "ModelAnswered", ...run.at, message, finish: answer.finish, usage: answer.spent })
      const summary = /<summary>([\s\S]*?)(?:<\/summary>|$)/.exec(answer.text)?.[1]?.trim() ?? answer.text.trim()
      const { model: name, provider } = model.info
      return answer.finish === "stop" && summary !== ""
        ? Effect.succeed(summary)
        : Effect.fail(
          new ModelError({
            provider,
            model: name,
            reason: { _tag: "MalformedResponse", detail: "the summary is empty or was cut off" }
          })
        )
    })
  )
}

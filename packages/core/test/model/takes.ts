/** A model that plays takes: what each call streams, when it waits, and how it ends. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { Model, ModelPart, ModelRequest } from "../../src/Model.ts"
import { ModelError, type ModelFailure } from "../../src/ModelError.ts"

export type Beat = ModelPart | { readonly _tag: "Wait"; readonly ms: number } | { readonly _tag: "Hang" } | {
  readonly _tag: "Fail"
  readonly reason: ModelFailure
}

export const start = (model = "one"): ModelPart => ({ _tag: "Start", provider: "test", model })
export const text = (text: string): ModelPart => ({ _tag: "TextDelta", text })
export const thought = (text: string): ModelPart => ({ _tag: "ReasoningDelta", text })
export const finish = (reason: Extract<ModelPart, { _tag: "Finish" }>["reason"] = "stop"): ModelPart => ({
  _tag: "Finish",
  reason
})
export const usage = (input: number, output: number): ModelPart => ({
  _tag: "Usage",
  usage: { input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: false }
})
export const action = (id: string, json: string): ReadonlyArray<ModelPart> => [
  { _tag: "ActionStart", id, name: "run" },
  { _tag: "ActionDelta", id, json },
  { _tag: "ActionEnd", id }
]
export const wait = (ms: number): Beat => ({ _tag: "Wait", ms })
export const hang: Beat = { _tag: "Hang" }
export const fail = (reason: ModelFailure): Beat => ({ _tag: "Fail", reason })
export const overloaded = fail({ _tag: "Overloaded", detail: "busy", status: 503 })
export const cutOff = fail({ _tag: "Connection", detail: "reset" })

export interface Played {
  readonly model: Model["Service"]
  readonly requests: Array<ModelRequest>
  /** Calls that are open at this moment, and the most that ever were. */
  readonly open: { now: number; most: number }
}

export const takes = (list: ReadonlyArray<ReadonlyArray<Beat>>, name = "one"): Played => {
  const requests: Array<ModelRequest> = []
  const open = { now: 0, most: 0 }
  const model: Model["Service"] = {
    info: {
      provider: "test",
      model: name,
      contextWindow: 8_000,
      maxOutputTokens: 2_000,
      toolCalling: true,
      strictAlternation: false
    },
    stream: (request) =>
      Stream.unwrap(Effect.gen(function*() {
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            requests.push(request)
            open.most = Math.max(open.most, ++open.now)
          }),
          () => Effect.sync(() => open.now--)
        )
        const beats = list[requests.length - 1] ?? [fail({ _tag: "NotRecorded", detail: "no more takes" })]
        return Stream.fromIterable(beats).pipe(
          Stream.rechunk(1),
          Stream.mapEffect((beat) => play(beat, name)),
          Stream.filter((part) => part !== undefined)
        )
      }))
  }
  return { model, requests, open }
}

const play = (beat: Beat, model: string): Effect.Effect<ModelPart | undefined, ModelError> => {
  switch (beat._tag) {
    case "Wait":
      return Effect.as(Effect.sleep(beat.ms), undefined)
    case "Hang":
      return Effect.never
    case "Fail":
      return Effect.fail(new ModelError({ provider: "test", model, reason: beat.reason }))
    default:
      return Effect.succeed(beat)
  }
}

export interface Log {
  readonly attempts: Array<{ readonly attempt: number; readonly model: string }>
  readonly failures: Array<{ readonly tag: string; readonly wait: number }>
}

export const request = (log?: Log, over: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: "answer",
  system: "",
  messages: [{ _tag: "User", content: [{ _tag: "Text", text: "Hi" }] }],
  actions: [],
  choice: "none",
  maxOutputTokens: 1_000,
  media: () => Effect.die(new Error("no media here")),
  ...(log && {
    onAttempt: ({ attempt, model }) => Effect.sync(() => void log.attempts.push({ attempt, model })),
    onFailure: (reason, wait) => Effect.sync(() => void log.failures.push({ tag: reason._tag, wait }))
  }),
  ...over
})

/** What a reader is left with, `Start` voiding what came before. */
export const collect = Effect.fnUntraced(function*(model: Model["Service"], over: Partial<ModelRequest> = {}) {
  const log: Log = { attempts: [], failures: [] }
  const parts: Array<ModelPart> = []
  const exit = yield* Effect.exit(
    Stream.runForEachArray(model.stream(request(log, over)), (some) => Effect.sync(() => parts.push(...some)))
  )
  const held = parts.slice(parts.findLastIndex((part) => part._tag === "Start"))
  return {
    ...log,
    parts,
    starts: parts.filter((part) => part._tag === "Start").length,
    text: held.map((part) => part._tag === "TextDelta" ? part.text : "").join(""),
    usage: held.find((part) => part._tag === "Usage")?.usage,
    finishes: held.filter((part) => part._tag === "Finish"),
    error: Exit.isFailure(exit) ? yield* Effect.flip(exit) : undefined
  }
})

/** Any model, scripted, recorded or live, with trouble on purpose. */
import { Model, ModelError, type ModelFailure, type ModelPart, type ModelRequest } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Fault, FaultPlan } from "./FaultPlan.ts"

const failures: Partial<Record<Fault["kind"], ModelFailure>> = {
  "429": { _tag: "RateLimited", status: 429, detail: "too many requests (a planned fault)", retryAfterMs: 0 },
  "500": { _tag: "Overloaded", status: 500, detail: "internal error (a planned fault)" },
  "529": { _tag: "Overloaded", status: 529, detail: "overloaded (a planned fault)" },
  timeout: { _tag: "Timeout", detail: "no answer in time (a planned fault)" }
}

/**
 * Faults that only bytes can have do nothing here: they are for `faultyFetch`. An answer that was broken off is not
 * lost with it: whoever asks again gets it whole, and whoever asks to go on gets the rest, as of a real model.
 */
export const faultyModel = (model: Model["Service"], plan: FaultPlan<ModelRequest>): Model["Service"] => {
  let broken: Broken | undefined
  return {
    info: model.info,
    stream: (request) =>
      Stream.suspend(() => {
        const fault = plan.next(request)
        const failure = fault && failures[fault.kind]
        if (failure !== undefined) return failed(model, failure)
        const again = broken && answerTo(broken, request)
        broken = undefined
        const answer = again === undefined ? model.stream(request) : Stream.fromArray(again)
        if (fault?.kind === "slow") return Stream.tap(answer, () => Effect.sleep(fault.lateMs ?? 0))
        if (fault?.kind === "duplicate-action-id") return Stream.map(answer, withOneId)
        if (fault === undefined || !breaking.has(fault.kind)) return answer
        return Stream.unwrap(Effect.map(Stream.runCollect(answer), (parts) => {
          const [told, rest] = split(parts, fault.after)
          broken = { messages: request.messages.length, parts, rest }
          return Stream.concat(Stream.fromArray(told), endOf(fault.kind, model))
        }))
      })
  }
}

interface Broken {
  /** How many there were when it was asked. */
  readonly messages: number
  readonly parts: ReadonlyArray<ModelPart>
  readonly rest: ReadonlyArray<ModelPart>
}

const answerTo = ({ messages, parts, rest }: Broken, request: ModelRequest): ReadonlyArray<ModelPart> | undefined => {
  if (request.messages.length === messages) return parts
  return request.messages.length > messages ? rest : undefined
}

const withOneId = (part: ModelPart): ModelPart =>
  part._tag === "ActionStart" || part._tag === "ActionDelta" || part._tag === "ActionEnd"
    ? { ...part, id: "the-same" }
    : part

const breaking = new Set<Fault["kind"]>(["stall", "truncate", "reset", "cut-utf8"])

const failed = ({ info }: Model["Service"], reason: ModelFailure) =>
  Stream.fail(new ModelError({ provider: info.provider, model: info.model, reason }))

const endOf = (kind: Fault["kind"], model: Model["Service"]): Stream.Stream<never, ModelError> => {
  if (kind === "stall") return Stream.never
  return kind === "truncate"
    ? failed(model, { _tag: "MalformedResponse", detail: "the stream ended before its end (a planned fault)" })
    : failed(model, { _tag: "Connection", detail: "the connection was reset (a planned fault)" })
}

/** In two where the share of what was said falls, inside of a text if need be. The end is always in the second. */
const split = (parts: ReadonlyArray<ModelPart>, share: number): readonly [Array<ModelPart>, Array<ModelPart>] => {
  const lengths = parts.map(lengthOf)
  let left = Math.floor(lengths.reduce((sum, length) => sum + length, 0) * share)
  const at = parts.findIndex((part, index) => {
    if (part._tag === "Finish" || part._tag === "Usage" || lengths[index]! > left) return true
    left -= lengths[index]!
    return false
  })
  const [told, rest] = [parts.slice(0, at), parts.slice(at)]
  const [cut] = rest
  if (cut?._tag === "TextDelta" && left > 0) {
    told.push({ ...cut, text: cut.text.slice(0, left) })
    rest[0] = { ...cut, text: cut.text.slice(left) }
  }
  return [told, rest]
}

const lengthOf = (part: ModelPart): number => {
  if (part._tag === "TextDelta" || part._tag === "ReasoningDelta") return part.text.length
  return part._tag === "ActionDelta" ? part.json.length : 0
}

export const faultyLayer = <E>(model: Layer.Layer<Model, E>, plan: FaultPlan<ModelRequest>): Layer.Layer<Model, E> =>
  Layer.effect(Model, Effect.map(Model, (inner) => Model.of(faultyModel(inner, plan)))).pipe(Layer.provide(model))

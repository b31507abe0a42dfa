/**
 * Stream parts and errors of `effect/ai`.
 */
import { type FinishReason, ModelError, type ModelFailure, type ModelPart } from "@daylight/core"
import type * as AiError from "effect/ai/AiError"
import type * as Response from "effect/ai/Response"
import * as Duration from "effect/Duration"
import type * as Schema from "effect/Schema"
import * as ActionOrder from "../internal/ActionOrder.ts"
import { classify } from "../internal/Classify.ts"
import { broken, count, type Decoder, Refused, usageOf } from "../internal/Decoder.ts"

export interface EffectAiDecoderOptions {
  readonly provider: string
  readonly model: string
  /** From the name on the wire to the name of the action. */
  readonly actionName: (wire: string) => string
  readonly now: () => number
}

/** Under which the providers' own data is kept. */
export const opaqueKey = "effect-ai"

export type EffectAiPart = Response.StreamPart<{}, "deferred">
type Metadata = { readonly [key: string]: Schema.Json }

export const effectAiDecoder = (options: EffectAiDecoderOptions): Decoder<EffectAiPart> => {
  const actions = ActionOrder.make()
  const foreign = new Set<string>()
  let started = false
  let thinking: Metadata | undefined
  let finish: Response.FinishPart | undefined

  const start = (
    part: { readonly id?: string | undefined; readonly modelId?: string | undefined },
    out: Array<ModelPart>
  ) => {
    if (started) return
    started = true
    out.push({
      _tag: "Start",
      provider: options.provider,
      model: part.modelId ?? options.model,
      ...(part.id === undefined ? undefined : { responseId: part.id })
    })
  }
  const think = (metadata: Metadata) => {
    thinking = { ...thinking, ...metadata }
  }
  const endThinking = (out: Array<ModelPart>) => {
    if (thinking === undefined) return
    const kept = thinking
    thinking = undefined
    out.push(
      Object.keys(kept).length === 0
        ? { _tag: "ReasoningEnd" }
        : { _tag: "ReasoningEnd", opaque: { [opaqueKey]: kept } }
    )
  }
  const begin = (id: string, name: string, out: Array<ModelPart>) => {
    if (actions.started(id)) return
    endThinking(out)
    actions.start(id, id, options.actionName(name), out)
  }
  const call = (id: string, name: string, params: unknown, out: Array<ModelPart>) => {
    begin(id, name, out)
    if (actions.json(id) === "") {
      actions.delta(id, typeof params === "string" ? params : JSON.stringify(params ?? {}), out)
    }
    actions.finish(id, out)
  }

  return {
    push: (part, out) => {
      if (part.type === "response-metadata") return start(part, out)
      if (part.type === "error") throw new Refused(classify(part.error, options.now()))
      if (part.type !== "finish") start({}, out)
      switch (part.type) {
        case "text-delta":
          endThinking(out)
          if (part.delta !== "") out.push({ _tag: "TextDelta", text: part.delta })
          return
        case "reasoning-start":
          return think(part.metadata)
        case "reasoning-delta":
          think(part.metadata)
          if (part.delta !== "") out.push({ _tag: "ReasoningDelta", text: part.delta })
          return
        case "reasoning-end":
          think(part.metadata)
          return endThinking(out)
        case "tool-params-start":
          return part.providerExecuted ? void foreign.add(part.id) : begin(part.id, part.name, out)
        case "tool-params-delta":
          return actions.delta(part.id, part.delta, out)
        case "tool-call":
          return part.providerExecuted || foreign.has(part.id) ? undefined : call(part.id, part.name, part.params, out)
        case "finish":
          finish = part
      }
    },
    settled: () => finish !== undefined,
    end: (out) => {
      if (finish === undefined) throw broken("the model had finished")
      if (finish.reason === "error") {
        throw new Refused({ _tag: "Overloaded", detail: "the provider ended the answer with an error" })
      }
      endThinking(out)
      actions.finishAll(out)
      const { inputTokens, outputTokens } = finish.usage
      if (inputTokens.total !== undefined || outputTokens.total !== undefined) {
        out.push(usageOf({
          input: count(inputTokens.total),
          output: count(outputTokens.total),
          cacheRead: count(inputTokens.cacheRead),
          cacheWrite: count(inputTokens.cacheWrite),
          reasoning: count(outputTokens.reasoning)
        }))
      }
      out.push({ _tag: "Finish", reason: reason(finish.reason, actions.count() > 0), raw: finish.reason })
    }
  }
}

const reason = (reason: Response.FinishReason, acts: boolean): FinishReason => {
  if (reason === "length" || reason === "content-filter") return reason
  if (acts) return "action"
  return reason === "stop" || reason === "tool-calls" ? "stop" : "unknown"
}

/** The reasons of `effect/ai` in our vocabulary. What it leaves open is told apart by what the provider said. */
export const modelError = (
  error: AiError.AiError,
  info: { readonly provider: string; readonly model: string },
  now: number
): ModelError => new ModelError({ provider: info.provider, model: info.model, reason: failure(error, now) })

const failure = (error: AiError.AiError, now: number): ModelFailure => {
  const { reason } = error
  const said = classify({ message: reason.message, status: statusOf(reason), error: reason }, now)
  const detail = reason.message
  if (said._tag === "ContextOverflow" || said._tag === "Billing") return said
  switch (reason._tag) {
    case "RateLimitError":
      return {
        _tag: "RateLimited",
        detail,
        ...(error.retryAfter === undefined ? undefined : { retryAfterMs: Duration.toMillis(error.retryAfter) })
      }
    case "QuotaExhaustedError":
      return { _tag: "Billing", detail }
    case "AuthenticationError":
      return { _tag: "Authentication", detail }
    case "ContentPolicyError":
      return { _tag: "ContentFilter", detail }
    case "InternalProviderError":
      return {
        _tag: "Overloaded",
        detail,
        ...(error.retryAfter === undefined ? undefined : { retryAfterMs: Duration.toMillis(error.retryAfter) })
      }
    case "NetworkError":
      return { _tag: "Connection", detail }
    case "InvalidOutputError":
    case "InvalidResponseError":
      return { _tag: "MalformedResponse", detail }
    case "UnknownError":
      return said
    default:
      return { _tag: "InvalidRequest", detail }
  }
}

const statusOf = (reason: unknown): unknown => {
  const { http, response } = reason as {
    readonly http?: { readonly response?: { readonly status?: unknown } }
    readonly response?: { readonly status?: unknown }
  }
  return http?.response?.status ?? response?.status
}

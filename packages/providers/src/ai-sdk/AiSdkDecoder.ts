/**
 * Stream parts of an AI SDK language model.
 */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider"
import { type FinishReason, type ModelPart } from "@daylight/core"
import type * as Schema from "effect/Schema"
import * as ActionOrder from "../internal/ActionOrder.ts"
import { classify } from "../internal/Classify.ts"
import { broken, count, type Decoder, Refused, usageOf } from "../internal/Decoder.ts"

export interface AiSdkDecoderOptions {
  readonly provider: string
  readonly model: string
  /** From the name on the wire to the name of the action. */
  readonly actionName: (wire: string) => string
  readonly now: () => number
}

/** Under which the providers' own data is kept: the SDK names the provider inside. */
export const opaqueKey = "ai-sdk"

type Part = LanguageModelV4StreamPart
type Metadata = { readonly [provider: string]: unknown }
type Finish = Extract<Part, { type: "finish" }>

export const aiSdkDecoder = (options: AiSdkDecoderOptions): Decoder<Part> => {
  const actions = ActionOrder.make()
  /** Tools that the provider runs itself. */
  const foreign = new Set<string>()
  const metadata: Record<string, Schema.Json> = {}
  let started = false
  let thinking: Metadata | undefined
  let finish: Finish | undefined

  const start = (
    part: { readonly id?: string | undefined; readonly modelId?: string | undefined },
    out: Array<ModelPart>
  ) => {
    if (started) return
    started = true
    out.push({
      _tag: "Start",
      provider: options.provider,
      model: part.modelId || options.model,
      ...(part.id ? { responseId: part.id } : undefined)
    })
  }
  const think = (part: { readonly providerMetadata?: Metadata }) => {
    thinking = merged(thinking ?? {}, part.providerMetadata)
  }
  const endThinking = (out: Array<ModelPart>) => {
    if (thinking === undefined) return
    const kept = thinking
    thinking = undefined
    out.push(
      Object.keys(kept).length === 0
        ? { _tag: "ReasoningEnd" }
        : { _tag: "ReasoningEnd", opaque: { [opaqueKey]: kept as Schema.Json } }
    )
  }
  const begin = (id: string, name: string, out: Array<ModelPart>) => {
    if (actions.started(id)) return
    endThinking(out)
    actions.start(id, id, options.actionName(name), out)
  }
  const call = (part: Extract<Part, { type: "tool-call" }>, out: Array<ModelPart>) => {
    begin(part.toolCallId, part.toolName, out)
    if (actions.json(part.toolCallId) === "") actions.delta(part.toolCallId, part.input, out)
    actions.finish(part.toolCallId, out)
    if (part.providerMetadata !== undefined) metadata[part.toolCallId] = part.providerMetadata as Schema.Json
  }

  const take = (part: Part, out: Array<ModelPart>) => {
    switch (part.type) {
      case "text-delta":
        endThinking(out)
        if (part.delta !== "") out.push({ _tag: "TextDelta", text: part.delta })
        return
      case "reasoning-start":
        return think(part)
      case "reasoning-delta":
        think(part)
        if (part.delta !== "") out.push({ _tag: "ReasoningDelta", text: part.delta })
        return
      case "reasoning-end":
        think(part)
        return endThinking(out)
      case "tool-input-start":
        return part.providerExecuted === true ? void foreign.add(part.id) : begin(part.id, part.toolName, out)
      case "tool-input-delta":
        return actions.delta(part.id, part.delta, out)
      case "tool-input-end":
        // Some providers send the input of a tool without ever calling it; those that do call finish it there.
        return
      case "tool-call":
        return part.providerExecuted === true || foreign.has(part.toolCallId) ? undefined : call(part, out)
      case "finish":
        finish = part
    }
  }

  return {
    push: (part, out) => {
      if (part.type === "error") throw new Refused(classify(part.error, options.now()))
      if (part.type === "response-metadata") return start(part, out)
      if (!silent.has(part.type)) start({}, out)
      take(part, out)
    },
    settled: () => finish !== undefined,
    end: (out) => {
      if (finish === undefined) throw broken("the model had finished")
      const { raw, unified } = finish.finishReason
      if (unified === "error") {
        throw new Refused({
          _tag: "Overloaded",
          detail: `the provider ended the answer with an error${raw === undefined ? "" : ` (${raw})`}`
        })
      }
      if (unified === "interrupted") throw broken("the model had finished")
      endThinking(out)
      actions.finishAll(out)
      const usage = usagePart(finish.usage)
      if (usage !== undefined) out.push(usage)
      out.push({
        _tag: "Finish",
        reason: reason(unified, raw, actions.count() > 0),
        ...(raw === undefined ? undefined : { raw }),
        ...(Object.keys(metadata).length === 0 ? undefined : { opaque: { [opaqueKey]: { actions: metadata } } })
      })
    }
  }
}

const silent: ReadonlySet<Part["type"]> = new Set<Part["type"]>(["stream-start", "ping", "raw", "finish"])

/** Later data adds to earlier, provider by provider: a signature comes with the end, an id with the start. */
const merged = (before: Metadata, more: Metadata | undefined): Metadata => {
  if (more === undefined) return before
  const out: Record<string, unknown> = { ...before }
  for (const [provider, value] of Object.entries(more)) {
    out[provider] = { ...out[provider] as object | undefined, ...value as object }
  }
  return out
}

/** What a provider's package has no word for may still be a verdict on content. */
const filtered = /safety|filter|armor|blocklist|prohibited|refus|guardrail/i

const reason = (unified: string, raw: string | undefined, acts: boolean): FinishReason => {
  if (unified === "length" || unified === "content-filter") return unified
  if (unified === "other" && raw !== undefined && filtered.test(raw)) return "content-filter"
  if (acts) return "action"
  return unified === "stop" || unified === "tool-calls" ? "stop" : "unknown"
}

const usagePart = ({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelPart | undefined => {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined
  return usageOf({
    input: count(inputTokens.total),
    output: count(outputTokens.total),
    cacheRead: count(inputTokens.cacheRead),
    cacheWrite: count(inputTokens.cacheWrite),
    reasoning: count(outputTokens.reasoning)
  })
}

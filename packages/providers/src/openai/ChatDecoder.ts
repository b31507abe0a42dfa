/**
 * Chat Completions, streamed or in one piece, as OpenAI and some dozens of compatible servers send it.
 */
import { type FinishReason, type ModelPart } from "@daylight/core"
import type * as Schema from "effect/Schema"
import * as ActionOrder from "../internal/ActionOrder.ts"
import { classify } from "../internal/Classify.ts"
import { broken, count, type Decoder, Refused, usageOf } from "../internal/Decoder.ts"
import * as ThinkTags from "../internal/ThinkTags.ts"

export interface ChatDecoderOptions {
  readonly provider: string
  readonly model: string
  /** From the name on the wire to the name of the action. */
  readonly actionName: (wire: string) => string
  readonly thinkTags: boolean | "implied"
  /** Whether the server said that the stream is complete (`[DONE]`). */
  readonly complete: () => boolean
  readonly now: () => number
}

/** The parts of a chunk that are read; all may be missing, null or of another shape in the wild. */
export interface ChatEvent {
  readonly id?: string | null
  readonly model?: string | null
  readonly choices?: ReadonlyArray<Choice> | null
  readonly usage?: ChatUsage | null
  readonly x_groq?: { readonly usage?: ChatUsage | null } | null
  readonly error?: unknown
}
interface Choice {
  readonly index?: number | null
  readonly delta?: Delta | null
  readonly message?: Delta | null
  readonly finish_reason?: string | null
  readonly native_finish_reason?: string | null
  readonly usage?: ChatUsage | null
}
interface Delta {
  readonly content?: string | ReadonlyArray<ContentPart> | null
  readonly refusal?: string | null
  readonly reasoning_content?: string | null
  readonly reasoning?: string | { readonly content?: string | null } | null
  readonly reasoning_details?: ReadonlyArray<Schema.Json> | null
  readonly tool_calls?: ReadonlyArray<ToolCall> | null
  readonly function_call?: { readonly name?: string | null; readonly arguments?: string | null } | null
  readonly audio?: { readonly transcript?: string | null } | null
}
interface ContentPart {
  readonly type?: string
  readonly text?: string
  readonly thinking?: string | ReadonlyArray<{ readonly text?: string }>
}
interface ToolCall {
  readonly index?: number | null
  readonly id?: string | null
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null
  readonly custom?: { readonly name?: string | null; readonly input?: string | null } | null
  readonly extra_content?: Schema.Json | undefined
}
interface ChatUsage {
  readonly prompt_tokens?: number | null
  readonly completion_tokens?: number | null
  readonly total_tokens?: number | null
  readonly cached_tokens?: number | null
  readonly prompt_cache_hit_tokens?: number | null
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null
    readonly cache_write_tokens?: number | null
  } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}

export const chatDecoder = (options: ChatDecoderOptions): Decoder<ChatEvent> => {
  const actions = ActionOrder.make()
  const tags = options.thinkTags === false ? undefined : ThinkTags.make(options.thinkTags === "implied")
  const extras: Record<string, Schema.Json> = {}
  let usage: ChatUsage | undefined
  let finish: string | undefined
  let refused = false
  let started = false
  let thinking: { field: string; details: Array<Schema.Json> } | undefined
  let latest: string | number = -1

  const think = (field: string, text: string, out: Array<ModelPart>) => {
    thinking ??= { field, details: [] }
    if (text !== "") out.push({ _tag: "ReasoningDelta", text })
  }
  const endThinking = (out: Array<ModelPart>) => {
    if (thinking === undefined) return
    const { details, field } = thinking
    thinking = undefined
    out.push(
      field === "think" ? { _tag: "ReasoningEnd" } : {
        _tag: "ReasoningEnd",
        opaque: { [options.provider]: details.length > 0 ? { field, details } : { field } }
      }
    )
  }
  const speak = (text: string, out: Array<ModelPart>) => {
    if (text === "") return
    endThinking(out)
    out.push({ _tag: "TextDelta", text })
  }
  const content = (text: string, out: Array<ModelPart>) =>
    tags === undefined || text === ""
      ? speak(text, out)
      : tags.push(text, (thought) => think("think", thought, out), (said) => speak(said, out))

  const reasoning = (delta: Delta, out: Array<ModelPart>) => {
    if (delta.reasoning_details && delta.reasoning_details.length > 0) {
      think("reasoning", "", out)
      for (const detail of delta.reasoning_details) thinking!.details.push(detail)
    }
    const field = typeof delta.reasoning_content === "string" ? "reasoning_content" : "reasoning"
    const value = delta.reasoning_content ?? delta.reasoning
    const text = typeof value === "string" ? value : value?.content
    if (text) think(field, text, out)
  }

  const toolCall = (call: ToolCall, position: number, out: Array<ModelPart>) => {
    endThinking(out)
    const named = call.function ?? call.custom
    // Without an index a new id is a new call, and no id is more of the latest one.
    const key = call.index ??
      (call.id ? `id:${call.id}` : call.function?.name ? `at:${actions.count()}.${position}` : latest)
    latest = key
    if (!actions.started(key)) actions.start(key, call.id ?? "", options.actionName(named?.name ?? ""), out)
    const input = call.function?.arguments ?? call.custom?.input
    if (typeof input === "string") actions.delta(key, input, out)
    else if (input !== undefined && input !== null) actions.delta(key, JSON.stringify(input), out)
    if (call.extra_content !== undefined && call.id) extras[call.id] = call.extra_content
  }

  const choice = (choice: Choice, out: Array<ModelPart>) => {
    if ((choice.index ?? 0) !== 0) return
    const delta = choice.delta ?? choice.message
    if (delta) {
      reasoning(delta, out)
      if (typeof delta.content === "string") content(delta.content, out)
      else if (delta.content) { for (const part of delta.content) contentPart(part, out) }
      if (delta.audio?.transcript) content(delta.audio.transcript, out)
      if (delta.refusal) {
        refused = true
        speak(delta.refusal, out)
      }
      delta.tool_calls?.forEach((call, position) => toolCall(call, position, out))
      const legacy = delta.function_call
      if (legacy) toolCall({ index: 0, function: legacy }, 0, out)
    }
    if (choice.finish_reason) finish = choice.finish_reason
    if (choice.usage) usage = choice.usage
  }
  const contentPart = (part: ContentPart, out: Array<ModelPart>) => {
    if (part.thinking !== undefined) {
      const text = typeof part.thinking === "string"
        ? part.thinking
        : part.thinking.map((piece) => piece.text ?? "").join("")
      return think("thinking", text, out)
    }
    if (part.text) content(part.text, out)
  }

  return {
    push: (event, out) => {
      if (event.error && !event.choices?.length) throw new Refused(classify(event, options.now()))
      if (!started && (event.id || event.model || event.choices)) {
        started = true
        out.push({
          _tag: "Start",
          provider: options.provider,
          model: event.model || options.model,
          ...(event.id ? { responseId: event.id } : undefined)
        })
      }
      for (const one of event.choices ?? []) choice(one, out)
      usage = event.usage ?? event.x_groq?.usage ?? usage
    },
    settled: () => finish !== undefined,
    end: (out) => {
      tags?.end((thought) => think("think", thought, out), (said) => speak(said, out))
      endThinking(out)
      if (finish === undefined && (!started || !options.complete())) throw broken("the model had finished")
      const failure = failures[finish ?? ""]
      if (failure !== undefined) throw new Refused({ _tag: "Overloaded", detail: failure })
      actions.finishAll(out)
      if (usage !== undefined) out.push(usagePart(usage))
      out.push({
        _tag: "Finish",
        reason: refused ? "content-filter" : reason(finish, actions.count() > 0),
        ...(refused ? { raw: "refusal" } : finish === undefined ? undefined : { raw: finish }),
        ...(Object.keys(extras).length === 0 ? undefined : { opaque: { [options.provider]: { actions: extras } } })
      })
    }
  }
}

/** Ends that are failures of the server. */
const failures: Readonly<Record<string, string>> = {
  error: "the provider ended the answer with an error",
  insufficient_system_resource: "the provider ran out of resources during the answer",
  network_error: "the provider lost its connection to the model during the answer"
}

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  eos: "stop",
  eos_token: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  complete: "stop",
  completed: "stop",
  done: "stop",
  tool_calls: "action",
  tool_call: "action",
  tool_use: "action",
  function_call: "action",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  max_output_tokens: "length",
  content_filter: "content-filter",
  safety: "content-filter",
  refusal: "content-filter",
  sensitive: "content-filter"
}

const reason = (finish: string | undefined, acts: boolean): FinishReason => {
  const known = finish === undefined ? undefined : reasons[finish.toLowerCase()] ?? "unknown"
  if (acts && (known === undefined || known === "stop" || known === "unknown")) return "action"
  if (!acts && known === "action") return "stop"
  return known ?? "unknown"
}

const usagePart = (usage: ChatUsage): ModelPart => {
  const input = count(usage.prompt_tokens)
  const said = count(usage.completion_tokens)
  const reasoning = count(usage.completion_tokens_details?.reasoning_tokens)
  // xAI counts reasoning beside the completion; the total gives it away.
  const beside = reasoning > 0 && count(usage.total_tokens) === input + said + reasoning
  return usageOf({
    input,
    output: beside ? said + reasoning : said,
    cacheRead: count(
      usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens
    ),
    cacheWrite: count(usage.prompt_tokens_details?.cache_write_tokens),
    reasoning
  })
}

/**
 * The Messages API, streamed or in one piece.
 */
import { type FinishReason, type ModelPart } from "@daylight/core"
import type * as Schema from "effect/Schema"
import * as ActionOrder from "../internal/ActionOrder.ts"
import { classify } from "../internal/Classify.ts"
import { broken, count, type Decoder, Refused, usageOf } from "../internal/Decoder.ts"

export interface MessagesDecoderOptions {
  readonly provider: string
  readonly model: string
  /** From the name on the wire to the name of the action. */
  readonly actionName: (wire: string) => string
  readonly now: () => number
}

/** The fields that are read, of all kinds of events at once. */
export interface MessagesEvent {
  readonly type?: string
  readonly index?: number
  readonly message?: Whole | null
  readonly content_block?: Block | null
  readonly delta?: Delta | null
  readonly usage?: MessagesUsage | null
  readonly error?: unknown
}
interface Whole {
  readonly type?: string
  readonly id?: string | null
  readonly model?: string | null
  readonly content?: ReadonlyArray<Block> | null
  readonly stop_reason?: string | null
  readonly stop_details?: StopDetails | null
  readonly usage?: MessagesUsage | null
}
interface StopDetails {
  readonly explanation?: string | null
}
interface Block {
  readonly type?: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly data?: string
}
interface Delta {
  readonly type?: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly partial_json?: string
  readonly stop_reason?: string | null
  readonly stop_details?: StopDetails | null
}
interface MessagesUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null
}

interface Open {
  readonly type: string
  readonly input: unknown
  signature: string
}

/** What is known of one message. A proxy that starts over in the middle of a stream begins a new one. */
const blank = () => ({
  actions: ActionOrder.make(),
  blocks: new Map<number, Open>(),
  usage: {} as MessagesUsage,
  spoke: false,
  counted: false,
  id: undefined as string | undefined,
  finish: undefined as string | undefined,
  details: undefined as StopDetails | undefined
})

export const messagesDecoder = (options: MessagesDecoderOptions): Decoder<MessagesEvent> => {
  let state = blank()
  let started = false

  const start = (message: Whole, out: Array<ModelPart>) => {
    const id = message.id ?? undefined
    if (started && (id === undefined || id === state.id)) return
    if (started) state = blank()
    started = true
    state.id = id
    tally(message.usage)
    out.push({
      _tag: "Start",
      provider: options.provider,
      model: message.model || options.model,
      ...(id === undefined ? undefined : { responseId: id })
    })
  }
  /** Counts grow: the last one said holds, and what a later event leaves out stays. */
  const tally = (usage: MessagesUsage | null | undefined) => {
    if (!usage) return
    state.counted = true
    state.usage = {
      ...state.usage,
      ...Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null && value !== undefined))
    }
  }

  const begin = (index: number, block: Block, out: Array<ModelPart>) => {
    state.blocks.set(index, { type: block.type ?? "", input: block.input, signature: block.signature ?? "" })
    if (block.type === "text" && block.text) speak(block.text, out)
    if (block.type === "thinking" && block.thinking) think(block.thinking, out)
    if (block.type === "tool_use") state.actions.start(index, block.id ?? "", options.actionName(block.name ?? ""), out)
    if (block.type === "redacted_thinking") out.push(ended({ redacted: block.data ?? "" }))
  }
  const ended = (kept: Schema.Json | undefined): ModelPart =>
    kept === undefined ? { _tag: "ReasoningEnd" } : { _tag: "ReasoningEnd", opaque: { [options.provider]: kept } }
  const speak = (text: string, out: Array<ModelPart>) => {
    state.spoke = true
    out.push({ _tag: "TextDelta", text })
  }
  const think = (text: string, out: Array<ModelPart>) => out.push({ _tag: "ReasoningDelta", text })

  const more = (index: number, delta: Delta, out: Array<ModelPart>) => {
    const block = state.blocks.get(index)
    switch (delta.type) {
      case "text_delta":
        if (delta.text) speak(delta.text, out)
        return
      case "thinking_delta":
        if (delta.thinking) think(delta.thinking, out)
        return
      case "signature_delta":
        if (block !== undefined) block.signature += delta.signature ?? ""
        return
      case "input_json_delta":
        return state.actions.delta(index, delta.partial_json ?? "", out)
    }
  }

  const stop = (index: number, out: Array<ModelPart>) => {
    const block = state.blocks.get(index)
    if (block === undefined) return
    state.blocks.delete(index)
    if (block.type === "thinking") out.push(ended(block.signature === "" ? undefined : { signature: block.signature }))
    if (block.type !== "tool_use") return
    // Input that came with the block, as compatible servers send it.
    if (state.actions.json(index) === "" && hasFields(block.input)) {
      state.actions.delta(index, JSON.stringify(block.input), out)
    }
    state.actions.finish(index, out)
  }

  const whole = (message: Whole, out: Array<ModelPart>) => {
    start(message, out)
    message.content?.forEach((block, index) => {
      begin(index, block, out)
      stop(index, out)
    })
    finished(message.stop_reason, message.stop_details)
  }
  const finished = (reason: string | null | undefined, details: StopDetails | null | undefined) => {
    if (reason) state.finish = reason
    if (details) state.details = details
  }

  return {
    push: (event, out) => {
      switch (event.type) {
        case "message_start":
          if (event.message) start(event.message, out)
          return
        case "content_block_start":
          return begin(event.index ?? 0, event.content_block ?? {}, out)
        case "content_block_delta":
          return more(event.index ?? 0, event.delta ?? {}, out)
        case "content_block_stop":
          return stop(event.index ?? 0, out)
        case "message_delta":
          finished(event.delta?.stop_reason, event.delta?.stop_details)
          return tally(event.usage)
        case "message":
          return whole(event as Whole, out)
        case "error":
          throw new Refused(classify({ error: event.error ?? event }, options.now()))
      }
    },
    settled: () => state.finish !== undefined,
    end: (out) => {
      if (state.finish === undefined) throw broken("the message was complete")
      for (const index of state.blocks.keys()) stop(index, out)
      state.actions.finishAll(out)
      const explanation = state.finish === "refusal" && !state.spoke ? state.details?.explanation : undefined
      if (explanation) speak(explanation, out)
      if (state.counted) out.push(usagePart(state.usage))
      out.push({ _tag: "Finish", reason: reasons[state.finish] ?? "unknown", raw: state.finish })
    }
  }
}

const hasFields = (input: unknown) => typeof input === "object" && input !== null && Object.keys(input).length > 0

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "action",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content-filter"
}

const usagePart = (usage: MessagesUsage): ModelPart => {
  const cacheRead = count(usage.cache_read_input_tokens)
  const cacheWrite = count(usage.cache_creation_input_tokens)
  return usageOf({
    input: count(usage.input_tokens) + cacheRead + cacheWrite,
    output: count(usage.output_tokens),
    cacheRead,
    cacheWrite,
    reasoning: count(usage.output_tokens_details?.thinking_tokens)
  })
}

/**
 * The Responses API, streamed or in one piece. Items are told apart by their place in the output: some gateways change
 * the ids in the middle of a stream.
 */
import { type FinishReason, type ModelPart } from "@daylight/core"
import type * as Schema from "effect/Schema"
import * as ActionOrder from "../internal/ActionOrder.ts"
import { classify } from "../internal/Classify.ts"
import { broken, count, type Decoder, Refused, usageOf } from "../internal/Decoder.ts"

export interface ResponsesDecoderOptions {
  readonly provider: string
  readonly model: string
  /** From the name on the wire to the name of the action. */
  readonly actionName: (wire: string) => string
  readonly now: () => number
}

/** The fields that are read, of all kinds of events at once. */
export interface ResponsesEvent {
  readonly type?: string
  readonly object?: string
  readonly response?: Response | null
  readonly output_index?: number | undefined
  readonly summary_index?: number | undefined
  readonly item?: Item | null
  readonly delta?: unknown
  readonly arguments?: string | undefined
  readonly code?: string | null
  readonly message?: string | undefined
  readonly error?: unknown
}
interface Response {
  readonly id?: string | null
  readonly model?: string | null
  readonly status?: string | null
  readonly output?: ReadonlyArray<Item> | null
  readonly error?: unknown
  readonly incomplete_details?: { readonly reason?: string | null } | null
  readonly usage?: ResponsesUsage | null
}
interface Item {
  readonly type?: string
  readonly id?: string | null
  readonly call_id?: string | null
  readonly name?: string | null
  readonly arguments?: unknown
  readonly input?: unknown
  readonly phase?: string | null
  readonly content?:
    | ReadonlyArray<{ readonly type?: string; readonly text?: string | null; readonly refusal?: string | null }>
    | null
  readonly summary?: ReadonlyArray<{ readonly text?: string | null }> | null
  readonly encrypted_content?: string | null
}
interface ResponsesUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly input_tokens_details?: {
    readonly cached_tokens?: number | null
    readonly cache_write_tokens?: number | null
  } | null
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}

export const responsesDecoder = (options: ResponsesDecoderOptions): Decoder<ResponsesEvent> => {
  const actions = ActionOrder.make()
  /** Places whose text or thinking has streamed, so that the whole item adds nothing. */
  const spoken = new Set<number>()
  const done = new Set<number>()
  const custom = new Map<number, string>()
  let started = false
  let thinking = false
  let refused = false
  let phase: string | undefined
  let last: Response | undefined

  const start = (response: Response, out: Array<ModelPart>) => {
    if (started) return
    started = true
    out.push({
      _tag: "Start",
      provider: options.provider,
      model: response.model || options.model,
      ...(response.id ? { responseId: response.id } : undefined)
    })
  }
  const think = (text: string, out: Array<ModelPart>) => {
    thinking = true
    if (text !== "") out.push({ _tag: "ReasoningDelta", text })
  }
  const endThinking = (opaque: Schema.Json | undefined, out: Array<ModelPart>) => {
    if (!thinking && opaque === undefined) return
    thinking = false
    out.push(
      opaque === undefined ? { _tag: "ReasoningEnd" } : { _tag: "ReasoningEnd", opaque: { [options.provider]: opaque } }
    )
  }
  const speak = (place: number, text: string, out: Array<ModelPart>) => {
    spoken.add(place)
    if (text === "") return
    endThinking(undefined, out)
    out.push({ _tag: "TextDelta", text })
  }

  const added = (place: number, item: Item, out: Array<ModelPart>) => {
    if (item.type !== "function_call" && item.type !== "custom_tool_call") return
    if (actions.started(place)) return
    endThinking(undefined, out)
    actions.start(place, item.call_id ?? item.id ?? "", options.actionName(item.name ?? ""), out)
  }

  const ended = (place: number, item: Item, out: Array<ModelPart>) => {
    if (done.has(place)) return
    done.add(place)
    switch (item.type) {
      case "message":
        if (item.phase) phase = item.phase
        return said(place, item, out)
      case "reasoning":
        return reasoned(place, item, out)
      case "function_call":
        added(place, item, out)
        if (actions.json(place) === "") actions.delta(place, jsonOf(item.arguments), out)
        return actions.finish(place, out)
      case "custom_tool_call":
        added(place, item, out)
        actions.delta(place, JSON.stringify({ input: item.input ?? custom.get(place) ?? "" }), out)
        return actions.finish(place, out)
    }
  }
  const said = (place: number, item: Item, out: Array<ModelPart>) => {
    const streamed = spoken.has(place)
    for (const part of item.content ?? []) {
      if (part.type === "refusal") refused = true
      if (!streamed) speak(place, part.text ?? part.refusal ?? "", out)
    }
  }
  const reasoned = (place: number, item: Item, out: Array<ModelPart>) => {
    if (!spoken.has(place)) {
      const pieces = [...item.summary ?? [], ...item.content ?? []].map((part) => part.text ?? "").filter((text) =>
        text !== ""
      )
      if (pieces.length > 0) think(pieces.join("\n\n"), out)
    }
    const kept = item.id && item.encrypted_content ? { id: item.id, encrypted: item.encrypted_content } : undefined
    endThinking(kept, out)
  }

  /** The whole response, which holds what a server never streamed. */
  const whole = (response: Response, out: Array<ModelPart>) => {
    start(response, out)
    last = response
    if (response.error && response.status === "failed") {
      throw new Refused(classify({ error: response.error }, options.now()))
    }
    response.output?.forEach((item, place) => {
      // Gateways that renumber would repeat what has streamed, so items only count where nothing has.
      if (done.size === 0 || !done.has(place)) ended(place, item, out)
    })
  }

  return {
    push: (event, out) => {
      const place = event.output_index ?? 0
      const delta = typeof event.delta === "string" ? event.delta : ""
      switch (event.type) {
        case "response.created":
        case "response.in_progress":
        case "response.queued":
          if (event.response) start(event.response, out)
          return
        case "response.output_item.added":
          if (event.item) added(place, event.item, out)
          return
        case "response.output_text.delta":
          return speak(place, delta, out)
        case "response.refusal.delta":
          refused = true
          return speak(place, delta, out)
        case "response.reasoning_summary_part.added":
          if ((event.summary_index ?? 0) > 0 && spoken.has(place)) think("\n\n", out)
          return
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          spoken.add(place)
          return think(delta, out)
        case "response.function_call_arguments.delta":
          return actions.delta(place, delta, out)
        case "response.function_call_arguments.done":
          if (actions.json(place) === "") actions.delta(place, event.arguments ?? "", out)
          return
        case "response.custom_tool_call_input.delta":
          custom.set(place, (custom.get(place) ?? "") + delta)
          return
        case "response.output_item.done":
          if (event.item) ended(place, event.item, out)
          return
        case "response.completed":
        case "response.incomplete":
        case "response.failed":
        case "response.cancelled":
          if (event.response) whole(event.response, out)
          return
        case "error":
          throw new Refused(classify({ error: event.error ?? event }, options.now()))
        case undefined:
          if (event.object === "response") whole(event as Response, out)
      }
    },
    settled: () => last !== undefined,
    end: (out) => {
      if (last === undefined) throw broken("the response was complete")
      endThinking(undefined, out)
      actions.finishAll(out)
      if (last.usage) out.push(usagePart(last.usage))
      const why = last.incomplete_details?.reason ?? undefined
      const raw = refused ? "refusal" : why ?? last.status ?? undefined
      out.push({
        _tag: "Finish",
        reason: refused ? "content-filter" : reason(last.status ?? "completed", why, actions.count() > 0),
        ...(raw === undefined ? undefined : { raw }),
        ...(phase === undefined ? undefined : { opaque: { [options.provider]: { phase } } })
      })
    }
  }
}

const jsonOf = (value: unknown) =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value)

const reason = (status: string, why: string | undefined, acts: boolean): FinishReason => {
  if (why === "max_output_tokens" || why === "max_tokens") return "length"
  if (why === "content_filter") return "content-filter"
  if (status === "completed") return acts ? "action" : "stop"
  return "unknown"
}

const usagePart = (usage: ResponsesUsage): ModelPart =>
  usageOf({
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(usage.input_tokens_details?.cached_tokens),
    cacheWrite: count(usage.input_tokens_details?.cache_write_tokens),
    reasoning: count(usage.output_tokens_details?.reasoning_tokens)
  })

/**
 * What a recording holds, read straight off its JSON: the yardstick for the adapters, which share none of this code.
 */
import type { Language, Recording } from "./Corpus.ts"

export interface Reading {
  readonly text: string
  readonly reasoning: string
  /** Calls of functions the application offered: name and arguments as text. */
  readonly calls: ReadonlyArray<{ readonly name: string; readonly json: string }>
  readonly usage: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
    readonly reasoning: number
  } | undefined
  readonly finish: "stop" | "action" | "length" | "content-filter" | "unknown"
  /** The provider's own word for the end. */
  readonly raw: string | undefined
}

/** `failed`: the recording holds an error or a damaged stream, so a typed error is what is due. */
export const read = (recording: Recording): Reading | "failed" => {
  if (recording.status !== 200) return "failed"
  const text = recording.body.toString("utf8")
  const whole = /^\s*[{[]/.test(text)
  try {
    const events: ReadonlyArray<Raw> = whole ? [JSON.parse(text)] : dataOf(text)
    if (
      events.some((event) =>
        event.type === "error" || event.error && !event.choices?.length && event.object !== "response"
      )
    ) return "failed"
    return readers[recording.language as keyof typeof readers](events, whole)
  } catch {
    return "failed"
  }
}

type Raw = any // JSON as it was recorded

/** The data of the events of a stream, by the rules of the format. */
export const dataOf = (text: string): ReadonlyArray<Raw> =>
  text.replaceAll("\r\n", "\n").split("\n\n").flatMap((block) => {
    const data = block.split("\n").filter((line) => line.startsWith("data:")).map((line) =>
      line.slice(5).replace(/^ /, "")
    ).join("\n")
    return data === "" || data.trim() === "[DONE]" ? [] : [JSON.parse(data)]
  })

const tokens = (value: Raw): number => value > 0 ? Math.round(value) : 0

const chat = (events: ReadonlyArray<Raw>): Reading | "failed" => {
  let text = "", reasoning = "", refusal = ""
  let raw: string | undefined, usage: Raw
  const calls = new Map<string, { name: string; json: string }>()
  for (const event of events) {
    if (event.error) break // after the end of the answer: the SDK hands nothing of it over
    usage = event.usage ?? event.x_groq?.usage ?? usage
    for (const choice of event.choices ?? []) {
      if (choice.index > 0) continue
      usage = choice.usage ?? usage
      raw = choice.finish_reason ?? raw
      const delta = choice.delta ?? choice.message ?? {}
      for (const part of Array.isArray(delta.content) ? delta.content : [{ text: delta.content ?? "" }]) {
        text += part.text ?? ""
        if (part.type === "thinking") reasoning += part.thinking.map((piece: Raw) => piece.text).join("")
      }
      text += delta.audio?.transcript ?? ""
      refusal += delta.refusal ?? ""
      const thought = delta.reasoning_content ?? delta.reasoning
      reasoning += typeof thought === "string" ? thought : thought?.content ?? ""
      for (
        const [position, call] of (delta.tool_calls ?? (delta.function_call ? [{ function: delta.function_call }] : []))
          .entries()
      ) {
        const key = String(call.index ?? (delta === choice.message ? position : 0))
        const one = calls.get(key) ?? { name: (call.function ?? call.custom).name, json: "" }
        one.json += call.function?.arguments ?? call.custom?.input ?? ""
        calls.set(key, one)
      }
    }
  }
  if (raw === undefined && events.length === 0) return "failed"
  const completion = tokens(usage?.completion_tokens)
  const thoughts = tokens(usage?.completion_tokens_details?.reasoning_tokens)
  const prompt = tokens(usage?.prompt_tokens)
  return {
    text: text + refusal,
    reasoning,
    calls: [...calls.values()],
    usage: usage && {
      input: prompt,
      output: usage.total_tokens === prompt + completion + thoughts ? completion + thoughts : completion,
      cacheRead: tokens(
        usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens
      ),
      cacheWrite: tokens(usage.prompt_tokens_details?.cache_write_tokens),
      reasoning: thoughts
    },
    finish: refusal !== "" ?
      "content-filter"
      : raw === "length" ?
      "length"
      : raw === "content_filter" ?
      "content-filter"
      : calls.size > 0 ?
      "action"
      : raw === "stop" || raw === "tool_calls"
      ? "stop"
      : "unknown",
    raw: refusal !== "" ? "refusal" : raw
  }
}

const responses = (events: ReadonlyArray<Raw>, whole: boolean): Reading | "failed" => {
  const last = whole
    ? events[0]
    : events.findLast((event) => /^response\.(completed|incomplete|failed)$/.test(event.type))?.response
  if (last === undefined || last.status === "failed") return "failed"
  // What streamed item by item is what was said; the closing event may leave it out.
  const items: ReadonlyArray<Raw> = whole || !events.some((event) => event.type === "response.output_item.done")
    ? last.output
    : events.filter((event) => event.type === "response.output_item.done").map((event) => event.item)
  let text = "", refused = false
  const reasoning: Array<string> = []
  const calls: Array<{ name: string; json: string }> = []
  for (const item of items) {
    if (item.type === "message") {
      for (const part of item.content) {
        text += part.text ?? part.refusal ?? ""
        refused ||= part.type === "refusal"
      }
    }
    if (item.type === "reasoning") {
      reasoning.push(
        [...item.summary ?? [], ...item.content ?? []].map((part: Raw) => part.text).filter((text: string) =>
          text !== ""
        ).join("\n\n")
      )
    }
    if (item.type === "function_call") calls.push({ name: item.name, json: item.arguments })
    if (item.type === "custom_tool_call") calls.push({ name: item.name, json: JSON.stringify({ input: item.input }) })
  }
  const { usage } = last
  const why = last.incomplete_details?.reason
  return {
    text,
    reasoning: reasoning.join(""),
    calls,
    usage: usage ?? undefined ?
      {
        input: tokens(usage.input_tokens),
        output: tokens(usage.output_tokens),
        cacheRead: tokens(usage.input_tokens_details?.cached_tokens),
        cacheWrite: tokens(usage.input_tokens_details?.cache_write_tokens),
        reasoning: tokens(usage.output_tokens_details?.reasoning_tokens)
      } :
      undefined,
    finish: refused ?
      "content-filter"
      : why === "max_output_tokens" ?
      "length"
      : why === "content_filter" ?
      "content-filter"
      : last.status === "completed"
      ? calls.length > 0 ? "action" : "stop"
      : "unknown",
    raw: refused ? "refusal" : why ?? last.status
  }
}

const messages = (events: ReadonlyArray<Raw>, whole: boolean): Reading | "failed" => {
  // A proxy that begins again in the middle voids what came before.
  const from = events.findLastIndex((event) => event.type === "message_start")
  const id = events[from]?.message.id
  const first = events.findIndex((event) => event.type === "message_start" && event.message.id === id)
  const blocks: Array<Raw> = whole
    ? events[0].content.map((block: Raw) => ({ ...block, json: JSON.stringify(block.input) }))
    : []
  let usage: Raw = whole ? events[0].usage : {}
  let raw: string | undefined = whole ? events[0].stop_reason : undefined
  let explanation: string | undefined = whole ? events[0].stop_details?.explanation : undefined
  for (const event of whole ? [] : events.slice(first)) {
    if (event.type === "message_start") usage = { ...event.message.usage }
    if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block, json: "" }
    if (event.type === "content_block_delta") {
      const block = blocks[event.index], { delta } = event
      if (delta.type === "text_delta") block.text += delta.text
      if (delta.type === "thinking_delta") block.thinking += delta.thinking
      if (delta.type === "input_json_delta") block.json += delta.partial_json
    }
    if (event.type === "message_delta") {
      raw = event.delta.stop_reason ?? raw
      explanation = event.delta.stop_details?.explanation ?? explanation
      for (const [key, value] of Object.entries(event.usage ?? {})) if (value !== null) usage[key] = value
    }
  }
  if (!raw) return "failed"
  const of = (type: string) => blocks.filter((block) => block?.type === type)
  const text = of("text").map((block) => block.text).join("")
  const reads = tokens(usage.cache_read_input_tokens), writes = tokens(usage.cache_creation_input_tokens)
  return {
    text: text === "" && raw === "refusal" ? explanation ?? "" : text,
    reasoning: of("thinking").map((block) => block.thinking).join(""),
    calls: of("tool_use").map((block) => ({
      name: block.name,
      json: block.json === "" || block.json === "{}"
        ? Object.keys(block.input ?? {}).length > 0 ? JSON.stringify(block.input) : block.json
        : block.json
    })),
    usage: {
      input: tokens(usage.input_tokens) + reads + writes,
      output: tokens(usage.output_tokens),
      cacheRead: reads,
      cacheWrite: writes,
      reasoning: tokens(usage.output_tokens_details?.thinking_tokens)
    },
    finish: ({
      end_turn: "stop",
      stop_sequence: "stop",
      tool_use: "action",
      max_tokens: "length",
      refusal: "content-filter"
    } as const)[raw as "end_turn"] ?? "unknown",
    raw
  }
}

const readers = { chat, responses, messages } satisfies Partial<Record<Language, unknown>>

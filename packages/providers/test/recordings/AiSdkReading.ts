/**
 * What recordings of Google, Vertex, Bedrock and Cohere hold, read straight off their JSON.
 */
import { bedrockEvents } from "./AiSdkPlayer.ts"
import type { Recording } from "./Corpus.ts"
import { dataOf, type Reading } from "./Reading.ts"

/** `failed`: the recording holds an error, so a typed error is what is due. */
export const readStreamed = (recording: Recording): Reading | "failed" => {
  if (recording.status !== 200) return "failed"
  if (recording.language === "bedrock") return bedrock(bedrockEvents(recording))
  const text = recording.body.toString()
  const events = /^\s*[{[]/.test(text) ? [JSON.parse(text)] : dataOf(text)
  return recording.language === "cohere" ? cohere(events) : gemini(events)
}

type Raw = any // JSON as it was recorded

const tokens = (value: Raw): number => value > 0 ? Math.round(value) : 0

const gemini = (events: ReadonlyArray<Raw>): Reading | "failed" => {
  let text = "", reasoning = ""
  let raw: Raw, usage: Raw
  let args: Raw
  const calls: Array<{ name: string; args: Raw }> = []
  for (const event of events) {
    usage = event.usageMetadata ?? usage
    const candidate = event.candidates?.[0]
    raw = candidate?.finishReason ?? event.promptFeedback?.blockReason ?? raw
    for (const part of candidate?.content?.parts ?? []) {
      const call = part.functionCall
      if (call?.name) calls.push({ name: call.name, args: args = structuredClone(call.args ?? {}) })
      for (const piece of call?.partialArgs ?? []) put(args, piece)
      if (part.thought) reasoning += part.text ?? ""
      else text += part.text ?? ""
    }
  }
  // Some gateways give numbers for names, which the package does not take.
  if (typeof raw !== "string") return "failed"
  const thoughts = tokens(usage?.thoughtsTokenCount)
  return {
    text,
    reasoning,
    calls: calls.map(({ args, name }) => ({ name, json: JSON.stringify(args) })),
    usage: usage && {
      input: tokens(usage.promptTokenCount) + tokens(usage.toolUsePromptTokenCount),
      output: tokens(usage.candidatesTokenCount) + thoughts,
      cacheRead: tokens(usage.cachedContentTokenCount),
      cacheWrite: 0,
      reasoning: thoughts
    },
    finish: raw === "MAX_TOKENS" ?
      "length"
      : /SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|MODEL_ARMOR/.test(raw) ?
      "content-filter"
      : calls.length > 0 ?
      "action"
      : raw === "STOP"
      ? "stop"
      : "unknown",
    raw
  }
}

/** Arguments that come in pieces, each with the place it belongs to (`$.items[0].name`). */
const put = (args: Raw, { jsonPath, ...value }: Raw) => {
  const path = [...jsonPath.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index))
  const last = path.pop()
  let at = args
  path.forEach((key, n) => at = at[key] ??= typeof (path[n + 1] ?? last) === "number" ? [] : {})
  const given = value.stringValue ?? value.numberValue ?? value.boolValue
  if (last !== undefined) at[last] = typeof at[last] === "string" ? at[last] + given : given
}

const bedrock = (events: ReadonlyArray<Raw>): Reading | "failed" => {
  let text = "", reasoning = ""
  let raw: string | undefined, usage: Raw
  const calls = new Map<number, { name: string; json: string }>()
  for (const { contentBlockDelta, contentBlockStart, messageStop, metadata } of events) {
    raw = messageStop?.stopReason ?? raw
    usage = metadata?.usage ?? usage
    if (contentBlockStart?.start?.toolUse) {
      calls.set(contentBlockStart.contentBlockIndex, { name: contentBlockStart.start.toolUse.name, json: "" })
    }
    const delta = contentBlockDelta?.delta
    text += delta?.text ?? ""
    reasoning += delta?.reasoningContent?.text ?? ""
    if (delta?.toolUse) calls.get(contentBlockDelta.contentBlockIndex)!.json += delta.toolUse.input
  }
  if (raw === undefined) return "failed"
  const reads = tokens(usage?.cacheReadInputTokens), writes = tokens(usage?.cacheWriteInputTokens)
  return {
    text,
    reasoning,
    calls: [...calls.values()],
    usage: usage &&
      {
        input: tokens(usage.inputTokens) + reads + writes,
        output: tokens(usage.outputTokens),
        cacheRead: reads,
        cacheWrite: writes,
        reasoning: 0
      },
    finish: raw === "max_tokens"
      ? "length"
      : /guardrail|content_filter/.test(raw)
      ? "content-filter"
      : calls.size > 0
      ? "action"
      : "stop",
    raw
  }
}

const cohere = (events: ReadonlyArray<Raw>): Reading | "failed" => {
  let text = "", reasoning = ""
  let raw: string | undefined, usage: Raw
  const calls = new Map<number, { name: string; json: string }>()
  for (const { delta, index, type } of events) {
    const message = delta?.message
    if (type === "content-delta") {
      text += message.content.text ?? ""
      reasoning += message.content.thinking ?? ""
    }
    if (type === "tool-call-start") {
      calls.set(index, { name: message.tool_calls.function.name, json: message.tool_calls.function.arguments })
    }
    if (type === "tool-call-delta") calls.get(index)!.json += message.tool_calls.function.arguments
    if (type === "message-end") {
      raw = delta.finish_reason
      usage = delta.usage.tokens
    }
  }
  if (raw === undefined) return "failed"
  return {
    text,
    reasoning,
    calls: [...calls.values()].map(({ json, name }) => ({
      name,
      json: json.trim() === "null" || json === "" ? "{}" : json
    })),
    usage: usage &&
      {
        input: tokens(usage.input_tokens),
        output: tokens(usage.output_tokens),
        cacheRead: 0,
        cacheWrite: 0,
        reasoning: 0
      },
    finish: raw === "MAX_TOKENS" ? "length" : calls.size > 0 ? "action" : "stop",
    raw
  }
}

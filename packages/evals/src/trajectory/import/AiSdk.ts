/** AI SDK: a result with its `steps`, model messages, or messages of its user interface (`parts`). */
import { contentOf } from "./Parts.ts"
import { Draft, type DraftCall, metricsOf, type Raw } from "./Draft.ts"

export const isAiSdk = (json: Raw): boolean => {
  if (
    Array.isArray(json?.steps) &&
    json.steps.some((step: Raw) => Array.isArray(step?.content) || step?.toolCalls !== undefined)
  ) return true
  const messages: unknown = Array.isArray(json) ? json : json?.messages ?? json?.response?.messages
  return Array.isArray(messages) && messages.some((message: Raw) =>
    Array.isArray(message?.parts) ||
    (Array.isArray(message?.content) && message.content.some((part: Raw) =>
      part?.type === "tool-call" || part?.type === "tool-result" ||
      part?.type === "reasoning" && message.role === "assistant"
    ))
  )
}

export const fromAiSdk = (json: Raw): Draft => {
  const draft = new Draft("ai-sdk")
  if (typeof json?.system === "string") draft.system(json.system)
  if (typeof json?.prompt === "string") draft.user(json.prompt)
  const messages: ReadonlyArray<Raw> = Array.isArray(json) ? json : json?.messages ?? []
  for (const message of messages) takeMessage(draft, message)
  for (const step of Array.isArray(json?.steps) ? json.steps : []) takeStep(draft, step)
  return draft
}

const takeStep = (draft: Draft, step: Raw): void => {
  const content: ReadonlyArray<Raw> = step.content ?? [
    ...(step.reasoningText ? [{ type: "reasoning", text: step.reasoningText }] : []),
    ...(step.text ? [{ type: "text", text: step.text }] : []),
    ...(step.toolCalls ?? []).map((call: Raw) => ({ ...call, type: "tool-call" })),
    ...(step.toolResults ?? []).map((result: Raw) => ({ ...result, type: "tool-result" }))
  ]
  const { usage } = step
  draft.agent({
    ...answerOf(draft, content),
    model: step.response?.modelId ?? step.model?.modelId,
    metrics: metricsOf(
      usage?.inputTokens,
      usage?.outputTokens,
      usage?.cachedInputTokens ?? usage?.inputTokenDetails?.cacheReadTokens
    ),
    finishReason: step.finishReason,
    timestamp: step.response?.timestamp
  })
  takeResults(draft, content)
}

const takeMessage = (draft: Draft, message: Raw): void => {
  const { role } = message
  if (Array.isArray(message.parts)) return takeUiMessage(draft, message)
  if (role === "system") return draft.system(contentOf(message.content, draft))
  if (role === "user") return draft.user(contentOf(message.content, draft))
  const content: ReadonlyArray<Raw> = typeof message.content === "string"
    ? [{ type: "text", text: message.content }]
    : message.content ?? []
  if (role === "assistant") draft.agent(answerOf(draft, content))
  takeResults(draft, content)
}

/** In the interface a call and its result are one part, and one message may hold several steps. */
const takeUiMessage = (draft: Draft, { parts, role }: Raw): void => {
  if (role !== "assistant") {
    const content = contentOf(parts, draft)
    return role === "system" ? draft.system(content) : draft.user(content)
  }
  for (const step of splitAt(parts, (part: Raw) => part.type === "step-start")) {
    const content = step.map((part: Raw): Raw =>
      /^(tool-|dynamic-tool)/.test(part.type)
        ? { ...part, type: "tool-call", toolName: part.toolName ?? part.type.replace(/^tool-/, "") }
        : part
    )
    draft.agent(answerOf(draft, content))
    for (const part of content.filter((part: Raw) => part.type === "tool-call")) {
      if (part.output !== undefined) draft.result({ id: part.toolCallId, content: outputOf(part.output) })
      if (part.errorText !== undefined) draft.result({ id: part.toolCallId, content: part.errorText, isError: true })
    }
  }
}

const splitAt = (parts: ReadonlyArray<Raw>, is: (part: Raw) => boolean): ReadonlyArray<ReadonlyArray<Raw>> => {
  const out: Array<Array<Raw>> = []
  for (const part of parts) {
    if (is(part) || out.length === 0) out.push([])
    if (!is(part)) out.at(-1)!.push(part)
  }
  return out.filter((step) => step.length > 0)
}

const answerOf = (draft: Draft, content: ReadonlyArray<Raw>) => {
  const known = new Set(["text", "reasoning", "tool-call", "tool-result", "tool-error"])
  for (const part of content) if (!known.has(part.type)) draft.lose(`content of type ${part.type}`)
  const of = (type: string) => content.filter((part) => part.type === type)
  return {
    text: of("text").map((part) => part.text).join("\n"),
    reasoning: of("reasoning").map((part) => part.text).join("\n"),
    calls: of("tool-call").map((part): DraftCall => ({
      id: part.toolCallId,
      name: part.toolName,
      input: part.input ?? part.args,
      providerExecuted: part.providerExecuted
    }))
  }
}

const takeResults = (draft: Draft, content: ReadonlyArray<Raw>): void => {
  for (const part of content) {
    if (part.type === "tool-result") {
      const output = part.output ?? part.result
      draft.result({
        id: part.toolCallId,
        content: outputOf(output),
        isError: /^error/.test(output?.type ?? "") || part.isError === true
      })
    }
    if (part.type === "tool-error") {
      draft.result({ id: part.toolCallId, content: String(part.error?.message ?? part.error), isError: true })
    }
  }
}

const outputOf = (output: Raw): string => {
  const value = typeof output === "object" && output !== null && "type" in output && "value" in output
    ? output.value
    : output
  return typeof value === "string" ? value : JSON.stringify(value ?? null)
}

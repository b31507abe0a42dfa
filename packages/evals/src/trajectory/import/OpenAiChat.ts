/** OpenAI Chat Completions: a request, a request with its response, or a bare list of messages. */
import { contentOf } from "./Parts.ts"
import { Draft, type DraftCall, metricsOf, type Raw } from "./Draft.ts"

export const isOpenAiChat = (json: Raw): boolean => {
  const messages = messagesOf(json)
  return Array.isArray(messages) && messages.length > 0 &&
    messages.every((message) => typeof message?.role === "string") &&
    (messages.some((message) =>
      message.tool_calls !== undefined || message.function_call !== undefined || message.role === "tool" ||
      message.role === "developer"
    ) ||
      messages.every((message) => typeof message.content === "string"))
}

const messagesOf = (json: Raw): ReadonlyArray<Raw> | undefined =>
  Array.isArray(json) ? json : json?.messages ?? json?.request?.messages

export const fromOpenAiChat = (json: Raw): Draft => {
  const draft = new Draft("openai-chat")
  const request = json?.request ?? json
  const response = json?.response ?? json
  draft.tools(request?.tools?.map((tool: Raw) => tool.function ?? tool))
  for (const message of messagesOf(json) ?? []) chatMessage(draft, message, { model: undefined })
  const [choice, ...others] = Array.isArray(response?.choices) ? response.choices : []
  if (choice?.message !== undefined) {
    chatMessage(draft, choice.message, { model: response.model, usage: response.usage, finish: choice.finish_reason })
  }
  if (others.length > 0) draft.lose("choices after the first")
  if (!Array.isArray(json)) {
    draft.loseAllBut(request, [
      "messages",
      "tools",
      "model",
      "choices",
      "usage",
      "request",
      "response",
      "id",
      "object",
      "created"
    ])
  }
  return draft
}

export interface AnswerFacts {
  readonly model?: Raw
  readonly usage?: Raw
  readonly finish?: Raw
  readonly timestamp?: string | undefined
}

/** One message with a role, as OpenAI and many others write it. */
export const chatMessage = (draft: Draft, message: Raw, { finish, model, timestamp, usage }: AnswerFacts): void => {
  switch (message.role) {
    case "system":
    case "developer":
      return draft.system(contentOf(message.content, draft), timestamp)
    case "user":
      return draft.user(contentOf(message.content, draft), timestamp)
    case "assistant":
      draft.loseAllBut(message, [
        "role",
        "content",
        "tool_calls",
        "function_call",
        "reasoning_content",
        "reasoning",
        "refusal",
        "name"
      ], "message")
      return draft.agent({
        text: contentOf(message.content ?? message.refusal, draft),
        reasoning: message.reasoning_content ?? (typeof message.reasoning === "string" ? message.reasoning : undefined),
        calls: callsOf(message),
        model: model ?? undefined,
        metrics: metricsOf(usage?.prompt_tokens, usage?.completion_tokens, usage?.prompt_tokens_details?.cached_tokens),
        finishReason: finish ?? undefined,
        timestamp
      })
    case "tool":
    case "function":
      return draft.result({
        id: message.tool_call_id ?? message.tool_call_ids?.[0],
        content: contentOf(message.content, draft)
      })
    default:
      draft.lose(`messages of role ${String(message.role)}`)
  }
}

const callsOf = (message: Raw): ReadonlyArray<DraftCall> => {
  const calls: ReadonlyArray<Raw> = message.tool_calls ??
    (message.function_call ? [{ function: message.function_call }] : [])
  return calls.map((call) => ({
    id: call.id ?? undefined,
    name: String(call.function?.name ?? call.custom?.name ?? call.name ?? call.function ?? "unknown"),
    input: call.function?.arguments ?? call.custom?.input ?? call.arguments
  }))
}

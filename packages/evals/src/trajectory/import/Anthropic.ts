/** Anthropic Messages: a request, with or without its response, or a bare list of messages. */
import { contentOf } from "./Parts.ts"
import { Draft, metricsOf, type Raw } from "./Draft.ts"

const blocks = new Set(["tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"])

export const isAnthropic = (json: Raw): boolean => {
  if (json?.type === "message" && json.role === "assistant") return true
  const messages = Array.isArray(json) ? json : json?.messages ?? json?.request?.messages
  if (!Array.isArray(messages)) return false
  const system = json?.system ?? json?.request?.system
  return messages.some((message: Raw) =>
    Array.isArray(message?.content) && message.content.some((block: Raw) => blocks.has(block?.type))
  ) || (system !== undefined && messages.every((message: Raw) =>
    message?.role === "user" || message?.role === "assistant"
  ))
}

export const fromAnthropic = (json: Raw): Draft => {
  const draft = new Draft("anthropic-messages")
  const request = json?.request ?? json
  const response = json?.response ?? (json?.type === "message" ? json : undefined)
  const system = contentOf(request?.system, draft)
  if (system !== "" && system.length > 0) draft.system(system)
  draft.tools(request?.tools)
  for (const message of Array.isArray(json) ? json : request?.messages ?? []) takeMessage(draft, message, {})
  if (response?.content !== undefined) takeMessage(draft, { role: "assistant", content: response.content }, response)
  return draft
}

const takeMessage = (draft: Draft, { content, role }: Raw, { model, stop_reason: finish, usage }: Raw): void => {
  const all: ReadonlyArray<Raw> = typeof content === "string" ? [{ type: "text", text: content }] : content ?? []
  if (role === "assistant") {
    const of = (type: string) => all.filter((block) => block.type === type)
    if (of("redacted_thinking").length > 0) draft.lose("redacted thinking")
    if (of("thinking").some((block) => block.signature)) draft.lose("signatures of thinking")
    const known = new Set(["text", "thinking", "redacted_thinking", "tool_use", "server_tool_use"])
    for (const block of all) if (!known.has(block.type)) draft.lose(`content of type ${block.type}`)
    return draft.agent({
      text: of("text").map((block) => block.text).join("\n"),
      reasoning: of("thinking").map((block) => block.thinking).join("\n"),
      calls: all.filter((block) => block.type === "tool_use" || block.type === "server_tool_use").map((block) => ({
        id: block.id,
        name: block.name,
        input: block.input,
        providerExecuted: block.type === "server_tool_use"
      })),
      model,
      // Anthropic counts cached tokens apart.
      metrics: usage === undefined ? undefined : metricsOf(
        (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
        usage.output_tokens,
        usage.cache_read_input_tokens
      ),
      finishReason: finish ?? undefined
    })
  }
  for (const block of all.filter((block) => block.type === "tool_result")) {
    draft.result({ id: block.tool_use_id, content: contentOf(block.content, draft), isError: block.is_error === true })
  }
  const rest = all.filter((block) => block.type !== "tool_result")
  if (rest.length > 0) draft.user(contentOf(rest, draft))
}

/**
 * Our requests as call options of an AI SDK language model.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions
} from "@ai-sdk/provider"
import { type Message, type ModelRequest } from "@daylight/core"
import { type ActionNames } from "../internal/ActionNames.ts"
import { base64, type Media } from "../internal/Media.ts"
import { inputObject } from "../internal/TextForm.ts"
import { type Form, wireForms } from "../internal/WireForms.ts"
import { opaqueKey } from "./AiSdkDecoder.ts"

/** One for each model, since it keeps the wire forms of the messages it has seen. */
export const aiSdkRequests = (): (request: ModelRequest, media: Media) => LanguageModelV4CallOptions => {
  const wire = wireForms(translate)
  return (request, media) => {
    const { messages, names } = wire(request, media)
    const prompt = named(messages)
    if (request.system !== "") prompt.unshift({ role: "system", content: request.system })
    return options(request, prompt, names)
  }
}

const options = (
  request: ModelRequest,
  prompt: Array<LanguageModelV4Message>,
  names: ActionNames | undefined
): LanguageModelV4CallOptions => ({
  prompt,
  maxOutputTokens: request.maxOutputTokens,
  ...(request.temperature === undefined ? undefined : { temperature: request.temperature }),
  ...(request.reasoning === undefined
    ? undefined
    : { reasoning: request.reasoning === "off" ? "none" as const : request.reasoning }),
  ...(request.providerOptions === undefined
    ? undefined
    : { providerOptions: request.providerOptions as SharedV4ProviderOptions }),
  ...(names === undefined ? undefined : {
    tools: request.actions.map((action) => ({
      type: "function" as const,
      name: names.toWire(action.name),
      description: action.description,
      inputSchema: action.inputSchema as Record<string, unknown>
    })),
    toolChoice: { type: request.choice }
  })
})

/** The answer to a call must carry the call's name, which is in an earlier message. */
const named = (messages: Array<LanguageModelV4Message>): Array<LanguageModelV4Message> => {
  let names: Map<string, string> | undefined
  return messages.map((message) => {
    if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type === "tool-call") (names ??= new Map()).set(part.toolCallId, part.toolName)
      }
    }
    if (message.role !== "tool") return message
    return {
      ...message,
      content: message.content.map((part) =>
        part.type === "tool-result" ? { ...part, toolName: names?.get(part.toolCallId) ?? part.toolName } : part
      )
    }
  })
}

const translate = (
  message: Message,
  media: Media,
  form: Form
): Array<LanguageModelV4Message> => {
  switch (message._tag) {
    case "Summary":
      return [{ role: "user", content: [{ type: "text", text: message.text }] }]
    case "User":
      return [{ role: "user", content: partsOf(message.content, media) }]
    case "Assistant":
      return assistant(message, form)
    case "Result":
      return form.say !== undefined
        ? [{ role: "user", content: partsOf(message.content.flatMap((answer) => answer.content), media) }]
        : [{
          role: "tool",
          content: message.content.map((answer) => ({
            type: "tool-result",
            toolCallId: answer.id,
            toolName: "run",
            output: outputOf(answer, media)
          }))
        }]
  }
}

const assistant = (
  message: typeof Message.cases.Assistant.Type,
  form: Form
): Array<LanguageModelV4Message> => {
  if (form.say !== undefined) {
    const text = form.say(message.content)
    return text === "" ? [] : [{ role: "assistant", content: [{ type: "text", text }] }]
  }
  const kept =
    (message.opaque?.[opaqueKey] as { readonly actions?: Record<string, SharedV4ProviderOptions> } | undefined)?.actions
  const content = message.content.flatMap((part): Extract<LanguageModelV4Message, { role: "assistant" }>["content"] => {
    switch (part._tag) {
      case "Text":
        return part.text === "" ? [] : [{ type: "text", text: part.text }]
      case "Action": {
        const own = kept?.[part.id]
        return [{
          type: "tool-call",
          toolCallId: part.id,
          toolName: form.toWire(part.name),
          input: inputObject(part.input),
          ...(own === undefined ? undefined : { providerOptions: own })
        }]
      }
      case "Reasoning": {
        // Without the provider's own data it is only text that a provider has no use for.
        const own = part.opaque?.[opaqueKey] as SharedV4ProviderOptions | undefined
        return own === undefined ? [] : [{ type: "reasoning", text: part.text, providerOptions: own }]
      }
    }
  })
  return content.length === 0 ? [] : [{ role: "assistant", content }]
}

const outputOf = (
  answer: (typeof Message.cases.Result.Type)["content"][number],
  media: Media
): LanguageModelV4ToolResultOutput => {
  const parts = partsOf(answer.content, media)
  if (parts.every((part) => part.type === "text")) {
    const value = parts.map((part) => part.text).join("\n")
    return answer.ok ? { type: "text", value } : { type: "error-text", value }
  }
  return { type: "content", value: parts }
}

const partsOf = (
  content: (typeof Message.cases.User.Type)["content"],
  media: Media
): Array<LanguageModelV4TextPart | LanguageModelV4FilePart> =>
  content.map((part) =>
    part._tag === "Text"
      ? { type: "text", text: part.text }
      : { type: "file", mediaType: part.blob.mediaType, data: { type: "data", data: base64(media, part.blob) } }
  )

/**
 * Our requests as bodies of Chat Completions.
 */
import { type Message, type ModelRequest } from "@daylight/core"
import type OpenAI from "openai"
import { type ActionNames, onlyRun } from "../internal/ActionNames.ts"
import { base64, type Media } from "../internal/Media.ts"
import { type Content, inputObject } from "../internal/TextForm.ts"
import { type Form, wireForms } from "../internal/WireForms.ts"
import type { Dialect } from "./Dialect.ts"
import { effort } from "./Effort.ts"

export type ChatBody = OpenAI.ChatCompletionCreateParamsStreaming
type ChatMessage = OpenAI.ChatCompletionMessageParam
type ChatPart = OpenAI.ChatCompletionContentPart

export type ChatRequestBuilder = (request: ModelRequest, media: Media) => ChatBody

/** One for each model, since it keeps the wire forms of the messages it has seen. */
export const chatRequests = (dialect: Dialect): ChatRequestBuilder => {
  const wire = wireForms((message, media, form) => translate(message, media, dialect.provider, form))
  return (request, media) => {
    const { messages, names } = wire(request, media)
    if (request.system !== "") messages.unshift({ role: "system", content: request.system })
    return body(request, dialect.strictAlternation ? alternating(messages) : messages, dialect, names)
  }
}

const body = (
  request: ModelRequest,
  messages: Array<ChatMessage>,
  dialect: Dialect,
  names: ActionNames | undefined
): ChatBody => {
  const tools = names && toolsOf(request.actions, names)
  const wanted = request.reasoning === undefined ? undefined : effort(dialect.model, request.reasoning)
  return {
    model: dialect.model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: request.maxOutputTokens,
    ...(request.temperature === undefined ? undefined : { temperature: request.temperature }),
    ...(wanted === undefined ? undefined : { reasoning_effort: wanted }),
    ...(tools === undefined ? undefined : { tools, tool_choice: request.choice }),
    ...(tools !== undefined && onlyRun(request.actions) && !/^o\d/.test(dialect.model)
      ? { parallel_tool_calls: false }
      : undefined),
    ...(request.providerOptions?.[dialect.provider] as object | undefined)
  }
}

const toolsOf = (actions: ModelRequest["actions"], { toWire }: ActionNames): Array<OpenAI.ChatCompletionTool> =>
  actions.map((action) => ({
    type: "function",
    function: {
      name: toWire(action.name),
      description: action.description,
      parameters: action.inputSchema as Record<string, unknown>
    }
  }))

const translate = (
  message: Message,
  media: Media,
  provider: string,
  form: Form
): Array<ChatMessage> => {
  switch (message._tag) {
    case "Summary":
      return [{ role: "user", content: message.text }]
    case "User":
      return [{ role: "user", content: partsOf(message.content, media) }]
    case "Assistant":
      return form.say !== undefined ? said(form.say(message.content)) : acted(message, provider, form.toWire)
    case "Result":
      return form.say !== undefined
        ? [{ role: "user", content: partsOf(message.content.flatMap((answer) => answer.content), media) }]
        : answers(message, media)
  }
}

const said = (content: string): Array<ChatMessage> => content === "" ? [] : [{ role: "assistant", content }]

const acted = (
  message: typeof Message.cases.Assistant.Type,
  provider: string,
  toWire: (name: string) => string
): Array<ChatMessage> => {
  const text = message.content.map((part) => part._tag === "Text" ? part.text : "").join("")
  const calls = message.content.filter((part) => part._tag === "Action")
  if (calls.length === 0) return said(text)
  const extras = (message.opaque?.[provider] as { readonly actions?: Record<string, unknown> } | undefined)?.actions
  return [{
    role: "assistant",
    content: text === "" ? null : text,
    // Servers that think aloud want it back while a tool loop goes on, and only then.
    ...thoughts(message.content, provider),
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: toWire(call.name), arguments: JSON.stringify(inputObject(call.input)) },
      ...(extras?.[call.id] === undefined ? undefined : { extra_content: extras[call.id] })
    }))
  }]
}

interface Thought {
  readonly field: string
  readonly details?: ReadonlyArray<unknown>
}

const thoughts = (content: ReadonlyArray<Content>, provider: string): Record<string, unknown> => {
  const out: Record<string, unknown> = {}
  const details: Array<unknown> = []
  for (const part of content) {
    if (part._tag !== "Reasoning") continue
    const thought = part.opaque?.[provider] as unknown as Thought | undefined
    if (thought === undefined || !/^reasoning/.test(thought.field)) continue
    out[thought.field] = `${out[thought.field] as string | undefined ?? ""}${part.text}`
    if (thought.details) details.push(...thought.details)
  }
  return details.length > 0 ? { ...out, reasoning_details: details } : out
}

const answers = (message: typeof Message.cases.Result.Type, media: Media): Array<ChatMessage> => {
  const out: Array<ChatMessage> = message.content.map((answer) => ({
    role: "tool",
    tool_call_id: answer.id,
    content: answer.content.map((part) => part._tag === "Text" ? part.text : `[${part.blob.mediaType}, shown below]`)
      .join("\n")
  }))
  // A tool message takes text only, so what a cell shows follows as a message of the user.
  const shown = message.content.flatMap((answer) => answer.content.filter((part) => part._tag === "Media"))
  if (shown.length > 0) out.push({ role: "user", content: partsOf(shown, media) })
  return out
}

const partsOf = (content: (typeof Message.cases.User.Type)["content"], media: Media): string | Array<ChatPart> => {
  if (content.every((part) => part._tag === "Text")) {
    return content.map((part) => part._tag === "Text" ? part.text : "").join("\n")
  }
  return content.map((part): ChatPart => {
    if (part._tag === "Text") return { type: "text", text: part.text }
    const { mediaType } = part.blob
    const data = base64(media, part.blob)
    if (mediaType.startsWith("image/")) {
      return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } }
    }
    if (mediaType === "audio/wav" || mediaType === "audio/mpeg") {
      return { type: "input_audio", input_audio: { data, format: mediaType === "audio/wav" ? "wav" : "mp3" } }
    }
    return {
      type: "file",
      file: { filename: `file.${mediaType.split("/")[1] ?? "bin"}`, file_data: `data:${mediaType};base64,${data}` }
    }
  })
}

/** Two turns of one role become one, for templates that refuse them. */
const alternating = (messages: ReadonlyArray<ChatMessage>): Array<ChatMessage> => {
  const out: Array<ChatMessage> = []
  for (const message of messages) {
    const last = out.at(-1)
    if (last?.role === "user" && message.role === "user") {
      out[out.length - 1] = { role: "user", content: joined(last.content, message.content) }
    } else if (
      last?.role === "assistant" && message.role === "assistant" && !last.tool_calls &&
      typeof last.content === "string" && typeof message.content === "string"
    ) {
      out[out.length - 1] = { ...message, content: `${last.content}\n${message.content}` }
    } else {
      out.push(message)
    }
  }
  return out
}

const joined = (a: string | Array<ChatPart>, b: string | Array<ChatPart>): string | Array<ChatPart> => {
  if (typeof a === "string" && typeof b === "string") return `${a}\n\n${b}`
  const list = (content: string | Array<ChatPart>): Array<ChatPart> =>
    typeof content === "string" ? [{ type: "text", text: content }] : content
  return [...list(a), ...list(b)]
}

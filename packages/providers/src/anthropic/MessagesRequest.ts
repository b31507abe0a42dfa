/**
 * Our requests as bodies of the Messages API, with cache marks on what does not change: the tools and the system
 * prompt, and the conversation up to its last message.
 */
import { type Message, type ModelRequest } from "@daylight/core"
import type Anthropic from "@anthropic-ai/sdk"
import { type ActionNames, onlyRun } from "../internal/ActionNames.ts"
import { base64, type Media } from "../internal/Media.ts"
import { type Content, inputObject } from "../internal/TextForm.ts"
import { type Form, wireForms } from "../internal/WireForms.ts"
import { thinkingOf } from "./Thinking.ts"

export type MessagesBody = Anthropic.MessageCreateParamsStreaming
type Wire = Anthropic.MessageParam
type Block = Anthropic.ContentBlockParam

export interface MessagesDialect {
  readonly provider: string
  readonly model: string
  readonly cache: boolean
}

/** One for each model, since it keeps the wire forms of the messages it has seen. */
export const messagesRequests = (dialect: MessagesDialect): (request: ModelRequest, media: Media) => MessagesBody => {
  const wire = wireForms((message, media, form) => translate(message, media, dialect.provider, form))
  return (request, media) => {
    const { messages, names } = wire(request, media)
    return body(request, messages, dialect, names)
  }
}

const mark = { cache_control: { type: "ephemeral" } } as const

const body = (
  request: ModelRequest,
  messages: Array<Wire>,
  dialect: MessagesDialect,
  names: ActionNames | undefined
): MessagesBody => {
  const thinking = request.choice === "required"
    ? {}
    : thinkingOf(dialect.model, request.reasoning, request.maxOutputTokens)
  const thinks = thinking.thinking !== undefined && thinking.thinking.type !== "disabled"
  return {
    model: dialect.model,
    max_tokens: request.maxOutputTokens,
    messages: dialect.cache ? marked(messages) : messages,
    stream: true,
    ...(request.system === ""
      ? undefined
      : { system: [{ type: "text" as const, text: request.system, ...(dialect.cache ? mark : undefined) }] }),
    // A thinking model takes no other temperature than its own.
    ...(request.temperature === undefined || thinks ? undefined : { temperature: request.temperature }),
    ...thinking,
    ...(names === undefined ? undefined : { tools: toolsOf(request.actions, names), tool_choice: choiceOf(request) }),
    ...(request.providerOptions?.[dialect.provider] as object | undefined)
  }
}

const choiceOf = (request: ModelRequest): Anthropic.ToolChoice => {
  if (request.choice === "none") return { type: "none" }
  const alone = onlyRun(request.actions) ? { disable_parallel_tool_use: true } : undefined
  return { type: request.choice === "required" ? "any" : "auto", ...alone }
}

const toolsOf = (actions: ModelRequest["actions"], { toWire }: ActionNames): Array<Anthropic.Tool> =>
  actions.map((action) => ({
    name: toWire(action.name),
    description: action.description,
    input_schema: action.inputSchema as Anthropic.Tool.InputSchema
  }))

/** Marks the end of the conversation on a copy: the messages themselves are shared between requests. */
const marked = (messages: ReadonlyArray<Wire>): Array<Wire> => {
  const last = messages.at(-1)
  if (last === undefined) return [...messages]
  const blocks: ReadonlyArray<Block> = typeof last.content === "string"
    ? [{ type: "text", text: last.content }]
    : last.content
  const end = blocks.at(-1)
  if (end === undefined || end.type === "thinking" || end.type === "redacted_thinking") return [...messages]
  return [
    ...messages.slice(0, -1),
    { ...last, content: [...blocks.slice(0, -1), { ...end, ...mark } as Block] } as Wire
  ]
}

const translate = (
  message: Message,
  media: Media,
  provider: string,
  form: Form
): Array<Wire> => {
  switch (message._tag) {
    case "Summary":
      return [{ role: "user", content: message.text }]
    case "User":
      return user(blocksOf(message.content, media))
    case "Assistant":
      return assistant(message.content, provider, form)
    case "Result":
      return form.say !== undefined
        ? user(blocksOf(message.content.flatMap((answer) => answer.content), media))
        : user(message.content.map((answer) => ({
          type: "tool_result",
          tool_use_id: wireId(answer.id),
          content: blocksOf(answer.content, media) as Array<Anthropic.TextBlockParam>,
          ...(answer.ok ? undefined : { is_error: true })
        })))
  }
}

const user = (content: Array<Block>): Array<Wire> => content.length === 0 ? [] : [{ role: "user", content }]

const assistant = (
  parts: ReadonlyArray<Content>,
  provider: string,
  form: Form
): Array<Wire> => {
  const content = form.say !== undefined ? text(form.say(parts)) : parts.flatMap((part): Array<Block> => {
    switch (part._tag) {
      case "Text":
        return text(part.text)
      case "Action":
        return [{ type: "tool_use", id: wireId(part.id), name: form.toWire(part.name), input: inputObject(part.input) }]
      case "Reasoning":
        return thought(part, provider)
    }
  })
  return content.length === 0 ? [] : [{ role: "assistant", content }]
}

/** Thinking goes back as it came, signed; without a signature it would be refused. */
const thought = (part: Extract<Content, { _tag: "Reasoning" }>, provider: string): Array<Block> => {
  const kept = part.opaque?.[provider] as { readonly signature?: string; readonly redacted?: string } | undefined
  if (kept?.redacted !== undefined) return [{ type: "redacted_thinking", data: kept.redacted }]
  return kept?.signature === undefined ? [] : [{ type: "thinking", thinking: part.text, signature: kept.signature }]
}

/** Blank text is refused. */
const text = (text: string): Array<Block> => text.trim() === "" ? [] : [{ type: "text", text }]

/** Ids of other providers may hold what is not allowed here. */
const wireId = (id: string) => id.replace(/[^A-Za-z0-9_-]/g, "_")

const blocksOf = (content: (typeof Message.cases.User.Type)["content"], media: Media): Array<Block> =>
  content.flatMap((part): Array<Block> => {
    if (part._tag === "Text") return text(part.text)
    const { mediaType } = part.blob
    const data = base64(media, part.blob)
    if (mediaType.startsWith("image/")) {
      return [{
        type: "image",
        source: { type: "base64", media_type: mediaType as Anthropic.Base64ImageSource["media_type"], data }
      }]
    }
    return mediaType.startsWith("text/")
      ? [{
        type: "document",
        source: { type: "text", media_type: "text/plain", data: Buffer.from(data, "base64").toString("utf8") }
      }]
      : [{ type: "document", source: { type: "base64", media_type: "application/pdf", data } }]
  })

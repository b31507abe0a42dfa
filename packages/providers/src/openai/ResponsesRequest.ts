/**
 * Our requests as bodies of the Responses API. Nothing is stored at the provider: the history goes along, reasoning
 * comes back encrypted and is handed over again.
 */
import { type Message, type ModelRequest } from "@daylight/core"
import type OpenAI from "openai"
import { type ActionNames, onlyRun } from "../internal/ActionNames.ts"
import { base64, type Media } from "../internal/Media.ts"
import { type Content, inputObject } from "../internal/TextForm.ts"
import { type Form, wireForms } from "../internal/WireForms.ts"
import type { Dialect } from "./Dialect.ts"
import { effort } from "./Effort.ts"

export type ResponsesBody = OpenAI.Responses.ResponseCreateParamsStreaming
type Item = OpenAI.Responses.ResponseInputItem
type Part = OpenAI.Responses.ResponseInputContent

/** One for each model, since it keeps the wire forms of the messages it has seen. */
export const responsesRequests = (dialect: Dialect): (request: ModelRequest, media: Media) => ResponsesBody => {
  const wire = wireForms((message, media, form) => translate(message, media, dialect.provider, form))
  return (request, media) => {
    const { messages, names } = wire(request, media)
    return body(request, messages, dialect, names)
  }
}

const body = (
  request: ModelRequest,
  input: Array<Item>,
  dialect: Dialect,
  names: ActionNames | undefined
): ResponsesBody => ({
  model: dialect.model,
  input,
  stream: true,
  store: false,
  max_output_tokens: request.maxOutputTokens,
  ...(request.system === "" ? undefined : { instructions: request.system }),
  ...(request.temperature === undefined ? undefined : { temperature: request.temperature }),
  ...(thinks(dialect.model) ? { include: ["reasoning.encrypted_content" as const] } : undefined),
  ...(request.reasoning === undefined
    ? undefined
    : { reasoning: { effort: effort(dialect.model, request.reasoning), summary: "auto" as const } }),
  ...(names === undefined ? undefined : { tools: toolsOf(request.actions, names), tool_choice: request.choice }),
  ...(onlyRun(request.actions) ? { parallel_tool_calls: false } : undefined),
  ...(request.providerOptions?.[dialect.provider] as object | undefined)
})

/** Older models refuse to be asked for encrypted reasoning. */
const thinks = (model: string) => !/^(?:gpt-[34]|chatgpt-)/.test(model)

const toolsOf = (actions: ModelRequest["actions"], { toWire }: ActionNames): Array<OpenAI.Responses.Tool> =>
  actions.map((action) => ({
    type: "function",
    name: toWire(action.name),
    description: action.description,
    parameters: action.inputSchema as Record<string, unknown>,
    strict: false
  }))

const translate = (
  message: Message,
  media: Media,
  provider: string,
  form: Form
): Array<Item> => {
  switch (message._tag) {
    case "Summary":
      return [{ role: "user", content: message.text }]
    case "User":
      return [{ role: "user", content: partsOf(message.content, media) }]
    case "Assistant":
      return assistant(message, provider, form)
    case "Result":
      return form.say !== undefined
        ? [{ role: "user", content: partsOf(message.content.flatMap((answer) => answer.content), media) }]
        : message.content.map((answer) => ({
          type: "function_call_output",
          call_id: answer.id,
          output: outputOf(answer.content, media)
        }))
  }
}

/** Items in the order they came in: a reasoning item stands right before what it led to. */
const assistant = (
  message: typeof Message.cases.Assistant.Type,
  provider: string,
  form: Form
): Array<Item> => {
  if (form.say !== undefined) {
    const text = form.say(message.content)
    return text === "" ? [] : [{ role: "assistant", content: text }]
  }
  const phase = (message.opaque?.[provider] as { readonly phase?: "commentary" | "final_answer" } | undefined)?.phase
  return message.content.flatMap((part): Array<Item> => {
    switch (part._tag) {
      case "Text":
        return [{ role: "assistant", content: part.text, ...(phase === undefined ? undefined : { phase }) }]
      case "Action":
        return [{
          type: "function_call",
          call_id: part.id,
          name: form.toWire(part.name),
          arguments: JSON.stringify(inputObject(part.input))
        }]
      case "Reasoning":
        return reasoning(part, provider)
    }
  })
}

/** Only what is encrypted can be handed back to a provider that stores nothing. */
const reasoning = (part: Extract<Content, { _tag: "Reasoning" }>, provider: string): Array<Item> => {
  const kept = part.opaque?.[provider] as { readonly id?: string; readonly encrypted?: string } | undefined
  if (kept?.id === undefined || kept.encrypted === undefined) return []
  return [{
    type: "reasoning",
    id: kept.id,
    summary: part.text === "" ? [] : [{ type: "summary_text", text: part.text }],
    encrypted_content: kept.encrypted
  }]
}

const outputOf = (content: (typeof Message.cases.User.Type)["content"], media: Media) => {
  const parts = partsOf(content, media)
  return typeof parts === "string" ? parts : parts as OpenAI.Responses.ResponseFunctionCallOutputItemList
}

const partsOf = (content: (typeof Message.cases.User.Type)["content"], media: Media): string | Array<Part> => {
  if (content.every((part) => part._tag === "Text")) {
    return content.map((part) => part._tag === "Text" ? part.text : "").join("\n")
  }
  return content.map((part): Part => {
    if (part._tag === "Text") return { type: "input_text", text: part.text }
    const { mediaType } = part.blob
    const url = `data:${mediaType};base64,${base64(media, part.blob)}`
    return mediaType.startsWith("image/")
      ? { type: "input_image", image_url: url, detail: "auto" }
      : { type: "input_file", filename: `file.${mediaType.split("/")[1] ?? "bin"}`, file_data: url }
  })
}

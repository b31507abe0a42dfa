/**
 * Our requests as prompts and tools of `effect/ai`.
 */
import { type Message, type ModelRequest } from "@daylight/core"
import type * as Prompt from "effect/ai/Prompt"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import { base64, type Media } from "../internal/Media.ts"
import { inputObject } from "../internal/TextForm.ts"
import { type Form, wireForms } from "../internal/WireForms.ts"
import { opaqueKey } from "./EffectAiDecoder.ts"

type Wire = Prompt.MessageEncoded

/** One for each model, since it keeps the wire forms of the messages it has seen. */
export const effectAiRequests = () => {
  const wire = wireForms(translate)
  return (request: ModelRequest, media: Media) => {
    const { messages: unnamed, names } = wire(request, media)
    const messages = named(unnamed)
    if (request.system !== "") messages.unshift({ role: "system", content: request.system })
    return {
      prompt: messages,
      toolkit: Toolkit.make(
        ...request.actions.map((action) =>
          Tool.dynamic(names!.toWire(action.name), {
            description: action.description,
            parameters: action.inputSchema as Record<string, unknown>
          })
        )
      ),
      toolChoice: request.choice
    }
  }
}

/** The answer to a call must carry the call's name, which is in an earlier message. */
const named = (messages: Array<Wire>): Array<Wire> => {
  const names = new Map<string, string>()
  return messages.map((message): Wire => {
    if (message.role === "assistant" && typeof message.content !== "string") {
      for (const part of message.content) if (part.type === "tool-call") names.set(part.id, part.name)
    }
    if (message.role !== "tool") return message
    return {
      ...message,
      content: message.content.map((part) =>
        part.type === "tool-result" ? { ...part, name: names.get(part.id) ?? part.name } : part
      )
    }
  })
}

const translate = (message: Message, media: Media, form: Form): Array<Wire> => {
  switch (message._tag) {
    case "Summary":
      return [{ role: "user", content: message.text }]
    case "User":
      return [{ role: "user", content: partsOf(message.content, media) }]
    case "Assistant":
      return assistant(message, form)
    case "Result":
      return form.say !== undefined
        ? [{ role: "user", content: partsOf(message.content.flatMap((answer) => answer.content), media) }]
        : results(message, media)
  }
}

const assistant = (
  message: typeof Message.cases.Assistant.Type,
  form: Form
): Array<Wire> => {
  if (form.say !== undefined) {
    const text = form.say(message.content)
    return text === "" ? [] : [{ role: "assistant", content: text }]
  }
  const content = message.content.flatMap((part): Array<Prompt.AssistantMessagePartEncoded> => {
    switch (part._tag) {
      case "Text":
        return part.text === "" ? [] : [{ type: "text", text: part.text }]
      case "Action":
        return [{
          type: "tool-call",
          id: part.id,
          name: form.toWire(part.name),
          params: inputObject(part.input),
          providerExecuted: false
        }]
      case "Reasoning": {
        const own = part.opaque?.[opaqueKey]
        return own === undefined
          ? []
          : [{ type: "reasoning", text: part.text, options: own as Prompt.ReasoningPartOptions }]
      }
    }
  })
  return content.length === 0 ? [] : [{ role: "assistant", content }]
}

const results = (message: typeof Message.cases.Result.Type, media: Media): Array<Wire> => {
  const out: Array<Wire> = [{
    role: "tool",
    content: message.content.map((answer) => ({
      type: "tool-result" as const,
      id: answer.id,
      name: "run",
      isFailure: !answer.ok,
      result: answer.content.map((part) => part._tag === "Text" ? part.text : `[${part.blob.mediaType}, shown below]`)
        .join("\n")
    }))
  }]
  const shown = message.content.flatMap((answer) => answer.content.filter((part) => part._tag === "Media"))
  if (shown.length > 0) out.push({ role: "user", content: partsOf(shown, media) })
  return out
}

const partsOf = (
  content: (typeof Message.cases.User.Type)["content"],
  media: Media
): Array<Prompt.UserMessagePartEncoded> =>
  content.map((part) =>
    part._tag === "Text"
      ? { type: "text", text: part.text }
      : { type: "file", mediaType: part.blob.mediaType, data: base64(media, part.blob) }
  )

/** Messages in the words of OpenTelemetry's conventions for generative AI. */
import type { Message } from "@daylight/core"

type Content = Extract<Message, { readonly _tag: "User" }>["content"][number]

export interface ToldMessage {
  readonly role: "user" | "assistant" | "tool"
  readonly parts: ReadonlyArray<object>
  /** Of an answer. */
  readonly finish_reason?: string | undefined
}

export const inputMessage = (message: Message): ToldMessage => {
  switch (message._tag) {
    case "User":
      return { role: "user", parts: message.content.map(partOf) }
    case "Summary":
      return { role: "user", parts: [text(message.text)] }
    case "Result":
      return {
        role: "tool",
        parts: message.content.map(({ content, id }) => ({
          type: "tool_call_response",
          id,
          response: content.map((part) => part._tag === "Text" ? part.text : `[${part.blob.mediaType}]`).join("\n")
        }))
      }
    case "Assistant":
      return { role: "assistant", parts: message.content.map(answerPart) }
  }
}

export const outputMessage = (
  message: Extract<Message, { readonly _tag: "Assistant" }>,
  finish: string
): ToldMessage => ({ ...inputMessage(message), finish_reason: finishReason(finish) })

const text = (content: string) => ({ type: "text", content })

const partOf = (part: Content): object =>
  part._tag === "Text" ? text(part.text) : { type: "uri", mime_type: part.blob.mediaType, uri: part.blob.hash }

const answerPart = (part: Extract<Message, { readonly _tag: "Assistant" }>["content"][number]): object => {
  switch (part._tag) {
    case "Text":
      return text(part.text)
    case "Reasoning":
      return { type: "reasoning", content: part.text }
    case "Action":
      return { type: "tool_call", id: part.id, name: part.name, arguments: part.input }
  }
}

const reasons: Readonly<Record<string, string>> = {
  action: "tool_call",
  tool_calls: "tool_call",
  tool_use: "tool_call",
  end_turn: "stop",
  max_tokens: "length",
  "content-filter": "content_filter"
}

/** As the conventions name it, of whichever provider. */
export const finishReason = (reason: string): string => reasons[reason] ?? reason

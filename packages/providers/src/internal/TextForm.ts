/**
 * Actions and their answers as plain text: for the `fence` format, and for requests that offer no actions.
 */
import { type Action, type Message } from "@daylight/core"

export type Content = (typeof Message.cases.Assistant.Type)["content"][number]
export type Answer = (typeof Message.cases.Result.Type)["content"][number]

/** An action as the block of text it was, or could have been. */
export const actionText = (action: Action): string => {
  const { input } = action
  const code = typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as { readonly code?: unknown }).code
    : undefined
  if (action.name === "run" && typeof code === "string") return block("ts run", code)
  return block("json", JSON.stringify({ name: action.name, input }, undefined, 2))
}

/** A fence longer than any in the code, so that quoted fences stay inside. */
const block = (info: string, code: string) => {
  let fence = "```"
  for (const [ticks] of code.matchAll(/^[ \t]*`{3,}/gm)) {
    if (ticks.trim().length >= fence.length) fence = "`".repeat(ticks.trim().length + 1)
  }
  return `${fence}${info}\n${code}${code.endsWith("\n") ? "" : "\n"}${fence}`
}

/** All that an assistant said and did, reasoning left out. */
export const assistantText = (content: ReadonlyArray<Content>): string => {
  let text = ""
  for (const part of content) {
    if (part._tag === "Text") text += part.text
    else if (part._tag === "Action") text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${actionText(part)}`
  }
  return text
}

/** What tools want as arguments is an object; what a model garbled is handed back inside one. */
export const inputObject = (input: unknown): Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? input as Record<string, unknown>
    : { unparsed: input }

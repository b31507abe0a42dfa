/**
 * Actions and their answers as plain text: for the `fence` format, and for requests that offer no actions.
 */
import { type Action, type Message, type ModelRequest } from "@daylight/core"

export type Content = (typeof Message.cases.Assistant.Type)["content"][number]
export type Answer = (typeof Message.cases.Result.Type)["content"][number]

type Block = NonNullable<ModelRequest["block"]>

/** All that an assistant said and did, reasoning left out. */
export type Say = (content: ReadonlyArray<Content>) => string

const fenced: Block = { open: "```ts run", close: "```" }

/** Writes cells between these tags or fences. */
export const sayWith = (block: Block = fenced): Say => (content) => {
  let text = ""
  for (const part of content) {
    if (part._tag === "Text") text += part.text
    else if (part._tag === "Action") {
      text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${actionText(part, block)}`
    }
  }
  return text
}

/** An action as the block of text it was, or could have been. */
const actionText = ({ input, name }: Action, { close, open }: Block): string => {
  const code = name === "run" ? codeIn(input) : undefined
  if (code === undefined) return inFence("```", "json", JSON.stringify({ name, input }, undefined, 2))
  const fence = /^`{3,}/.exec(open)?.[0]
  return fence === undefined ? `${open}\n${ended(code)}${close}` : inFence(fence, open.slice(fence.length), code)
}

const codeIn = (input: Action["input"]): string | undefined => {
  if (typeof input !== "object" || input === null || !("code" in input)) return undefined
  return typeof input.code === "string" ? input.code : undefined
}

/** A fence longer than any in the code, so that quoted fences stay inside. */
const inFence = (shortest: string, info: string, code: string): string => {
  let fence = shortest
  for (const [ticks] of code.matchAll(/^[ \t]*`{3,}/gm)) {
    if (ticks.trim().length >= fence.length) fence = "`".repeat(ticks.trim().length + 1)
  }
  return `${fence}${info}\n${ended(code)}${fence}`
}

const ended = (code: string): string => code.endsWith("\n") ? code : `${code}\n`

/** What tools want as arguments is an object; what a model garbled is handed back inside one. */
export const inputObject = (input: unknown): Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? input as Record<string, unknown>
    : { unparsed: input }

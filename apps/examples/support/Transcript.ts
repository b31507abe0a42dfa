/**
 * Model replies written as Markdown, so that a person can read the story that a scripted model tells. Each `## heading`
 * begins a reply: block quotes are its reasoning, a fence marked `ts run` its code, the rest its text.
 */
import { readFileSync } from "node:fs"

export interface WrittenReply {
  readonly reasoning?: string | undefined
  readonly text?: string | undefined
  readonly code?: string | undefined
}

/** Throws when a reply has nothing in it, or more than one piece of code. */
export const parseTranscript = (markdown: string): ReadonlyArray<WrittenReply> =>
  markdown.split(/^## (.+)$/m).slice(1).reduce<Array<WrittenReply>>((replies, part, index, parts) => {
    if (index % 2 === 1) replies.push(parseReply(parts[index - 1]!, part))
    return replies
  }, [])

export const readTranscript = (file: URL): ReadonlyArray<WrittenReply> => parseTranscript(readFileSync(file, "utf8"))

const FENCE = /^```ts run\n([^]*?)^```$/gm

const parseReply = (title: string, body: string): WrittenReply => {
  const cells = [...body.matchAll(FENCE)].map(([, code]) => code!.trimEnd())
  if (cells.length > 1) {
    throw new SyntaxError(`Transcript: "${title}" has ${cells.length} pieces of code, and a reply runs one`)
  }
  const lines = body.replace(FENCE, "").split("\n")
  const reasoning = lines.filter((line) => line.startsWith("> ")).map((line) => line.slice(2)).join("\n")
  const text = lines.filter((line) => !line.startsWith("> ")).join("\n").trim()
  if (text === "" && cells.length === 0) throw new SyntaxError(`Transcript: "${title}" says and does nothing`)
  return { reasoning: reasoning || undefined, text: text || undefined, code: cells[0] }
}

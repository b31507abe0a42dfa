/**
 * The prompt as somebody spoke it. The engine adds what the namespace holds at that moment, as a last text of tagged
 * blocks; a replay has it added again.
 */
import type { Message } from "@daylight/core"

type User = typeof Message.cases.User.Type

export const spokenPrompt = (prompt: User): User => {
  const last = prompt.content.at(-1)
  const added = prompt.content.length > 1 && last?._tag === "Text" &&
    /^<(note|declarations|variables|answer)>[^]*<\/(note|declarations|variables|answer)>$/.test(last.text)
  return added ? { ...prompt, content: prompt.content.slice(0, -1) } : prompt
}

/** The run was given a schema for its answer. */
export const expectsAnswer = (prompt: User): boolean => {
  const last = prompt.content.at(-1)
  return last?._tag === "Text" && /<answer>[^]*<\/answer>$/.test(last.text)
}

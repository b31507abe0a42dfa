/** The prompt of a run as somebody spoke it: without what the engine told the model of the namespace at that moment. */
import type { Event } from "./Event.ts"
import type { Message } from "./Message.ts"

type RunStarted = typeof Event.cases.RunStarted.Type

export const spokenPrompt = (started: RunStarted): typeof Message.cases.User.Type => {
  const { prompt } = started
  const added = addedParts(started)
  return added === 0 ? prompt : { ...prompt, content: prompt.content.slice(0, -added) }
}

/** Parts at the end that are the engine's. Logs of before they were counted are known by the tags of the last part. */
const addedParts = ({ added, prompt }: RunStarted): number => {
  if (added !== undefined) return added
  const last = prompt.content.at(-1)
  return Number(prompt.content.length > 1 && last?._tag === "Text" && situation.test(last.text))
}

const situation = /^<(note|declarations|variables|answer)>[^]*<\/(note|declarations|variables|answer)>$/

/**
 * CodeActInstruct: conversations in which the model acts by code in `<execute>` tags; and the samples of MINT, which
 * are the same as text.
 */
import { Draft, type Raw } from "./Draft.ts"

export const isCodeAct = (json: Raw): boolean =>
  Array.isArray(json?.conversations ?? json?.conversation) &&
  (json.conversations ?? json.conversation).every((turn: Raw) =>
    typeof turn?.content === "string" || typeof turn?.value === "string"
  )

export const isMintText = (text: string): boolean => /^Task:\n/.test(text) && /\nAssistant:\n/.test(text)

export const fromCodeAct = (json: Raw): Draft => {
  const draft = new Draft("codeact-instruct")
  for (const turn of json.conversations ?? json.conversation) {
    const role = turn.role ?? turn.from
    const content: string = turn.content ?? turn.value
    if (role === "system") draft.system(content)
    else if (role === "assistant" || role === "gpt") takeAnswer(draft, content)
    else takeUser(draft, content)
  }
  draft.loseAllBut(json, ["conversations", "conversation", "id"])
  return draft
}

export const fromMintText = (text: string): Draft => {
  const draft = new Draft("mint")
  const pieces = text.split(/^(Task|Assistant|Observation|Expert feedback):\n/m).slice(1)
  for (let i = 0; i < pieces.length; i += 2) {
    const content = pieces[i + 1]!.trim()
    if (pieces[i] === "Assistant") takeAnswer(draft, content)
    else if (pieces[i] === "Observation") takeUser(draft, `Observation:\n${content}`)
    else draft.user(content)
  }
  return draft
}

const takeAnswer = (draft: Draft, content: string): void => {
  const calls = [...content.matchAll(/<execute>\n?([^]*?)\n?<\/execute>/g)].map(([, code]) => ({
    name: "execute",
    input: { code }
  }))
  const thoughts = [...content.matchAll(/<thought>\s*([^]*?)\s*<\/thought>/g)].map(([, thought]) => thought)
  const text = content.replaceAll(/<execute>[^]*?<\/execute>|<thought>[^]*?<\/thought>/g, "").trim()
  draft.agent({ text, reasoning: thoughts.join("\n"), calls })
}

const takeUser = (draft: Draft, content: string): void => {
  const observation = /^Observation:\s*\n?([^]*)$/.exec(content)?.[1]
  if (observation === undefined) return draft.user(content)
  const isError = /^(\w+Error|Traceback)\b/m.test(observation)
  draft.result({ content: observation, isError })
}

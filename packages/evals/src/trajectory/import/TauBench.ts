/** tau-bench: results with whole conversations, and its examples, which are text. */
import { chatMessage } from "./OpenAiChat.ts"
import { Draft, type Raw } from "./Draft.ts"

export const isTauBench = (json: Raw): boolean =>
  json?.task_id !== undefined && Array.isArray(json?.traj ?? json?.messages) ||
  typeof json?.messages_display === "string"

export const fromTauBench = (json: Raw): Draft => {
  const draft = new Draft("tau-bench")
  if (typeof json.messages_display === "string") return display(json.messages_display, draft)
  for (const message of json.traj ?? json.messages) chatMessage(draft, message, {})
  draft.loseAllBut(json, ["task_id", "trial", "reward", "traj", "messages", "info"])
  return draft
}

/** `role: text` on lines; a text may go on over several. Which tool was called is not in it. */
const display = (text: string, draft: Draft): Draft => {
  const pieces = text.split(/^(user|assistant|tool|system): /m).slice(1)
  for (let i = 0; i < pieces.length; i += 2) {
    const content = pieces[i + 1]!.trimEnd()
    const isCall = pieces[i] === "assistant" && content === "None"
    switch (pieces[i]) {
      case "user":
        draft.user(content)
        break
      case "system":
        draft.system(content)
        break
      case "assistant":
        draft.agent({ text: isCall ? "" : content, calls: isCall ? [{ name: "unknown", input: {} }] : [] })
        if (isCall) draft.lose("names and arguments of calls, which the text does not hold")
        break
      case "tool":
        draft.result({ content, isError: content.startsWith("Error:") })
    }
  }
  return draft
}

export const aboutTauBench = (json: Raw) => ({
  name: "tau-bench",
  session: json.task_id === undefined ? undefined : `task-${json.task_id}/trial-${json.trial ?? 0}`,
  extra: {
    ...(json.task_id !== undefined && { caseId: String(json.task_id) }),
    ...(json.trial !== undefined && { trial: json.trial }),
    ...(json.reward !== undefined && { outcome: { reward: json.reward } })
  }
})

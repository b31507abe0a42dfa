/** Inspect: a log as JSON, of which each sample is a trajectory; and the zipped form (`.eval`) of the same. */
import { contentOf } from "./Parts.ts"
import { Draft, metricsOf, type Raw } from "./Draft.ts"

export const isInspect = (json: Raw): boolean => Array.isArray(json?.samples) && json?.eval !== undefined

export const isInspectSample = (json: Raw): boolean =>
  json?.epoch !== undefined && Array.isArray(json?.messages) && json?.target !== undefined

export const fromInspectSample = (sample: Raw): Draft => {
  const draft = new Draft("inspect")
  const attachments: Raw = { ...sample.transcript?.content, ...sample.attachments }
  const text = (value: Raw): Raw =>
    typeof value === "string"
      ? value.replaceAll(/attachment:\/\/([0-9a-f]+)/g, (whole, id: string) => attachments[id] ?? whole)
      : value
  const answers = sample.messages.filter((message: Raw) => message.role === "assistant").length
  let answered = 0
  for (const message of sample.messages) {
    const content = Array.isArray(message.content)
      ? message.content.map((part: Raw) => ({ ...part, ...(part.text !== undefined && { text: text(part.text) }) }))
      : text(message.content)
    switch (message.role) {
      case "system":
        draft.system(contentOf(content, draft))
        break
      case "user":
        draft.user(contentOf(content, draft))
        break
      case "tool":
        draft.result({
          id: message.tool_call_id,
          name: message.function,
          content: message.error ? message.error.message ?? contentOf(content, draft) : contentOf(content, draft),
          isError: Boolean(message.error),
          errorType: message.error?.type
        })
        break
      case "assistant": {
        const last = ++answered === answers
        const parts = Array.isArray(content) ? content : []
        const { usage } = sample.output ?? {}
        draft.agent({
          text: contentOf(Array.isArray(content) ? parts.filter((part) => part.type !== "reasoning") : content, draft),
          reasoning: message.reasoning ??
            parts.filter((part) => part.type === "reasoning").map((part) => part.reasoning).join("\n"),
          calls: (message.tool_calls ?? []).map((call: Raw) => ({
            id: call.id,
            name: call.function,
            input: call.arguments
          })),
          model: message.model ?? (last ? sample.output?.model : undefined),
          metrics: last && answers === 1
            ? metricsOf(usage?.input_tokens, usage?.output_tokens, usage?.input_tokens_cache_read)
            : undefined,
          finishReason: last ? sample.output?.choices?.[0]?.stop_reason : undefined
        })
        break
      }
      default:
        draft.lose(`messages of role ${String(message.role)}`)
    }
  }
  draft.loseAllBut(sample, [
    "id",
    "epoch",
    "input",
    "messages",
    "output",
    "scores",
    "target",
    "attachments",
    "uuid",
    "transcript",
    "error"
  ], "sample")
  return draft
}

export const aboutInspectSample = (sample: Raw, log: Raw) => ({
  name: log?.eval?.task ?? "inspect",
  version: String(log?.eval?.task_version ?? "unknown"),
  session: sample.uuid ?? `${log?.eval?.run_id ?? "inspect"}/${String(sample.id)}/${sample.epoch}`,
  extra: {
    caseId: String(sample.id),
    trial: sample.epoch,
    status: sample.error ? "infra_error" : sample.limit ? "limit" : "completed",
    outcome: { scores: sample.scores ?? null, target: sample.target ?? null }
  }
})

/** SWE-agent: a `.traj` file, with its history and its results. */
import { chatMessage } from "./OpenAiChat.ts"
import { Draft, metricsOf, type Raw } from "./Draft.ts"

export const isSweAgent = (json: Raw): boolean =>
  Array.isArray(json?.trajectory) &&
  (json.info !== undefined || json.history !== undefined || json.environment !== undefined)

/** The prompts are in the history only; each entry of the trajectory is a thought, a command and what it gave. */
export const fromSweAgent = (json: Raw): Draft => {
  const draft = new Draft("swe-agent")
  const history: ReadonlyArray<Raw> = json.history ?? []
  const first = history.findIndex((entry) => entry.role === "assistant" && entry.is_demo !== true)
  const before = first < 0 ? history : history.slice(0, first)
  for (const entry of before) {
    if (entry.is_demo === true) draft.lose("messages of a demonstration")
    else chatMessage(draft, entry, {})
  }
  const answers = history.filter((entry) => entry.role === "assistant" && entry.is_demo !== true)
  json.trajectory.forEach((entry: Raw, index: number) => {
    const [call] = answers[index]?.tool_calls ?? []
    draft.agent({
      text: entry.thought ?? entry.response ?? "",
      calls: entry.action
        ? [{
          id: call?.id,
          name: call?.function?.name ?? "shell",
          input: call?.function?.arguments ?? { command: entry.action }
        }]
        : []
    })
    if (entry.action && entry.observation !== undefined && entry.observation !== null) {
      draft.result({ id: call?.id, content: String(entry.observation) })
    }
    draft.loseAllBut(entry, ["thought", "response", "action", "observation"], "step")
  })
  const { model_stats: stats = {} } = json.info ?? {}
  draft.loseAllBut(json, ["trajectory", "history", "info"])
  if (metricsOf(stats.tokens_sent, stats.tokens_received) !== undefined) {
    draft.lose("tokens and costs, which are known for the whole only")
  }
  return draft
}

export const aboutSweAgent = ({ environment, info = {} }: Raw) => ({
  name: "swe-agent",
  session: undefined,
  extra: {
    status: info.exit_status === "submitted" ? "completed" : "failed",
    outcome: {
      exitStatus: info.exit_status ?? null,
      submission: info.submission ?? null,
      environment: environment ?? null
    }
  }
})

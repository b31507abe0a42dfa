/** A trajectory as a line of CodeActInstruct: a conversation in which the model acts by code, for training. */
import { canonical } from "../../internal/Canonical.ts"
import { textOf } from "../Contents.ts"
import { codeOf } from "../ToEvents.ts"
import type { Step, Trajectory } from "../Trajectory.ts"

interface Turn {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

/** One JSON document, without its line break. Calls that are no code become calls of a function. */
export const toCodeActInstruct = (trajectory: Trajectory): string =>
  canonical({
    id: trajectory.trajectory_id ?? trajectory.session_id ?? trajectory.agent.name,
    conversations: trajectory.steps.flatMap(turnsOf)
  })

const turnsOf = (step: Step): ReadonlyArray<Turn> => {
  if (step.source !== "agent") return [{ role: step.source, content: textOf(step.message) }]
  const blocks = (step.tool_calls ?? []).map((call) =>
    codeOf(call) ?? `${call.function_name}(${canonical(call.arguments)})`
  )
  const content = [
    step.reasoning_content === undefined ? "" : `<thought>${step.reasoning_content}</thought>`,
    textOf(step.message),
    ...blocks.map((code) => `<execute>\n${code}\n</execute>`)
  ].filter((part) => part !== "").join("\n")
  const results = step.observation?.results ?? []
  return [
    { role: "assistant", content },
    ...(results.length === 0
      ? []
      : [{
        role: "user" as const,
        content: `Observation:\n${results.map((result) => textOf(result.content)).join("\n")}`
      }])
  ]
}

/** OpenHands: events of version 0 (`action`, `observation`) and of the SDK's version 1 (`kind`). */
import { contentOf } from "./Parts.ts"
import { Draft, metricsOf, type Raw } from "./Draft.ts"

export const isOpenHands = (json: Raw): boolean =>
  Array.isArray(json) && json.length > 0 &&
  json.every((event) =>
    event?.source !== undefined &&
    (event.action !== undefined || event.observation !== undefined || event.kind !== undefined)
  )

export const fromOpenHands = (events: ReadonlyArray<Raw>): Draft => {
  const draft = new Draft(events.some((event) => event.kind !== undefined) ? "openhands-1" : "openhands-0")
  const calls = new Map<unknown, string>()
  for (const event of events) {
    if (event.kind !== undefined) takeKind(draft, event)
    else if (event.action !== undefined) takeAction(draft, event, calls)
    else takeObservation(draft, event, calls)
  }
  return draft
}

const silent = new Set(["agent_state_changed", "null"])

const takeAction = (draft: Draft, event: Raw, calls: Map<unknown, string>): void => {
  const { action, args = {}, id, source, timestamp, tool_call_metadata: meta } = event
  if (action === "system") return draft.system(args.content ?? "", timestamp)
  if (action === "message" && source === "user") return draft.user(args.content ?? event.message ?? "", timestamp)
  if (source !== "agent") return draft.lose(`actions of the ${source}: ${action}`)
  const response = meta?.model_response ?? {}
  const { thought, ...input } = args
  const call = meta?.tool_call_id ?? `event-${id}`
  const told = action === "message" || action === "finish"
  calls.set(id, call)
  draft.agent({
    text: action === "message" ? args.content ?? "" : thought || (action === "finish" ? event.message ?? "" : ""),
    calls: told && meta === undefined
      ? []
      : action === "message"
      ? []
      : [{ id: call, name: meta?.function_name ?? action, input }],
    model: response.model,
    metrics: metricsOf(
      response.usage?.prompt_tokens,
      response.usage?.completion_tokens,
      response.usage?.prompt_tokens_details?.cached_tokens
    ),
    finishReason: response.choices?.[0]?.finish_reason,
    timestamp
  })
}

const takeObservation = (draft: Draft, event: Raw, calls: ReadonlyMap<unknown, string>): void => {
  if (silent.has(event.observation)) return draft.lose(`observations: ${event.observation}`)
  const id = event.tool_call_metadata?.tool_call_id ?? calls.get(event.cause)
  const exit = event.extras?.metadata?.exit_code ?? event.extras?.exit_code
  const isError = event.observation === "error" || (typeof exit === "number" && exit !== 0)
  if (event.extras !== undefined) draft.lose("extras of observations")
  draft.result({ id, content: String(event.content ?? ""), isError })
}

const takeKind = (draft: Draft, event: Raw): void => {
  const { kind, timestamp } = event
  switch (kind) {
    case "SystemPromptEvent":
      draft.tools(event.tools?.map((tool: Raw) => tool.function ?? tool))
      return draft.system(contentOf(event.system_prompt?.text ?? event.system_prompt, draft), timestamp)
    case "MessageEvent": {
      const message = event.llm_message ?? {}
      const content = contentOf(message.content, draft)
      return event.source === "user"
        ? draft.user(content, timestamp)
        : draft.agent({ text: content, reasoning: message.reasoning_content, timestamp })
    }
    case "ActionEvent":
      return draft.agent({
        text: contentOf(event.thought, draft),
        reasoning: event.reasoning_content ?? undefined,
        calls: [{
          id: event.tool_call_id,
          name: event.tool_name,
          input: event.tool_call?.arguments ?? event.tool_call?.function?.arguments ?? event.action
        }],
        timestamp
      })
    case "ObservationEvent":
    case "AgentErrorEvent": {
      const content = event.observation?.content ?? event.observation?.output ?? event.error ?? ""
      return draft.result({
        id: event.tool_call_id,
        content: contentOf(content, draft),
        isError: kind === "AgentErrorEvent" || event.observation?.is_error === true
      })
    }
    default:
      draft.lose(`events of kind ${kind}`)
  }
}

import { type AgentHandle, type AgentOptions, createAgent } from "@daylight/core/promise"
import { type Script, ScriptedModel, type ScriptOptions } from "@daylight/core/testing"
import type { AnySchema, Event, Live, ModelRequest, Outcome, UserPrompt } from "@daylight/core"
import { VmRuntime } from "@daylight/runtime-vm"

export type Options = Partial<Omit<AgentOptions, "model">> & { readonly script: Script; readonly model?: ScriptOptions }

/** An agent on a script, with every request it made. */
export const scripted = ({ model, script, ...options }: Options) => {
  const requests: Array<ModelRequest> = []
  const agent = createAgent({
    name: "agent",
    runtime: VmRuntime.layer,
    ...options,
    model: ScriptedModel.layer(script, { ...model, requests })
  })
  return { agent, requests }
}

/** One run, watched: its outcome, what was published and what was asked. */
export const play = async <A = undefined>(
  options: Options & { readonly prompt?: UserPrompt; readonly answer?: AnySchema<A>; readonly dryRun?: boolean }
): Promise<{ outcome: Outcome<A>; live: Array<Live>; events: Array<Event>; requests: Array<ModelRequest> }> => {
  const { answer, dryRun, prompt = "go", ...rest } = options
  const { agent, requests } = scripted(rest)
  await using _ = agent
  const stream = agent.stream<A>(prompt, { answer, dryRun })
  const live: Array<Live> = []
  for await (const event of stream) live.push(event)
  return { outcome: await stream.outcome, live, events: eventsOf(live), requests }
}

export const eventsOf = (live: ReadonlyArray<Live>): Array<Event> =>
  live.flatMap((event) =>
    event._tag === "Recorded" && event.recorded.event._tag !== "Unknown" ? [event.recorded.event as Event] : []
  )

export const textsOf = (live: ReadonlyArray<Live>, tag: Exclude<Live["_tag"], "Recorded">): Array<string> =>
  live.flatMap((event) => event._tag === tag && "text" in event ? [event.text] : [])

export const tags = (events: ReadonlyArray<Event>): Array<string> => events.map((event) => event._tag)

export const ofTag = <T extends Event["_tag"]>(
  events: ReadonlyArray<Event>,
  tag: T
): Array<Extract<Event, { _tag: T }>> =>
  events.filter((event): event is Extract<Event, { _tag: T }> => event._tag === tag)

/** What the model was told in the last message of a request. */
export const told = (request: ModelRequest | undefined): string => {
  const last = request?.messages.at(-1)
  if (last?._tag === "Result") {
    return last.content.flatMap((part) => part.content.map((text) => text._tag === "Text" ? text.text : "")).join("\n")
  }
  if (last?._tag === "User") return last.content.map((text) => text._tag === "Text" ? text.text : "").join("\n")
  return ""
}

/** Runs, and aborts as soon as an event is seen. */
export const cancelledAt = async (
  agent: AgentHandle,
  prompt: string,
  seen: (live: Live) => boolean
): Promise<Outcome> => {
  const controller = new AbortController()
  const stream = agent.stream(prompt, { signal: controller.signal })
  for await (const live of stream) if (seen(live)) controller.abort()
  return stream.outcome
}

/** The event that a live event carries, if it is of this tag. */
export const isRecorded = (live: Live, tag: Event["_tag"]): boolean =>
  live._tag === "Recorded" && live.recorded.event._tag === tag

/**
 * From a trajectory back to events, so that whatever shows a live session shows a recorded one, also one of another
 * framework. What the trajectory does not say is left out, never invented.
 */
import {
  type CellReport,
  type Event,
  type Live,
  noUsage,
  type Origin,
  type OutcomeRecord,
  SessionId,
  type Usage,
  type Value
} from "@daylight/core"
import type * as Schema from "effect/Schema"
import { textOf } from "./Contents.ts"
import { type CallExtra, daylightOf, type HostCallExtra, type RootExtra, type StepExtra } from "./Daylight.ts"
import type { Step, ToolCall, Trajectory } from "./Trajectory.ts"

export interface ToEventsOptions {
  /** Up to this step of the root (a model call), with all it caused. Default: all. */
  readonly to?: number | undefined
}

/** In the order in which they would have come; those of a sub-agent stand inside of the call that it served. */
export const eventsOf = (trajectory: Trajectory, options: ToEventsOptions = {}): ReadonlyArray<Live> => {
  const out: Array<Live> = []
  new Teller(trajectory, [], [], (live) => void out.push(live), options.to).all()
  return out
}

const emptyReport: CellReport = {
  preview: "",
  stdout: "",
  stderr: "",
  stored: [],
  namespace: { added: [], changed: [], removed: [], lost: [] },
  durationMs: 0
}

/** Is given the steps of a trajectory in order, and tells what happened. */
export class Teller {
  readonly #trajectory: Trajectory
  readonly #origin: Origin
  readonly #tell: (live: Live) => void
  readonly #to: number
  /** The step before. */
  #last: Step | undefined
  /** All is told that was asked for. */
  #done = false
  #seq = 0
  #time = 0
  #run = 0
  #step = 0
  #cells = 0
  #open = false
  #usage: Usage = noUsage
  readonly #told = new Set<string>()

  constructor(
    trajectory: Trajectory,
    agent: ReadonlyArray<string>,
    lineage: ReadonlyArray<SessionId>,
    tell: (live: Live) => void,
    to = Infinity
  ) {
    const session = SessionId.make(trajectory.trajectory_id ?? trajectory.session_id ?? trajectory.agent.name)
    this.#trajectory = trajectory
    this.#origin = { session, agent: [...agent, trajectory.agent.name], lineage: [...lineage, session] }
    this.#tell = tell
    this.#to = to
  }

  all(): void {
    for (const step of this.#trajectory.steps) this.take(step)
    this.end()
  }

  take(step: Step): void {
    if (this.#done) return
    if (this.#isPrompt(step)) this.#end(undefined)
    if (step.timestamp !== undefined) this.#time = Date.parse(step.timestamp)
    if (step.source === "user") this.#user(step)
    if (step.source === "agent") {
      this.#done = this.#step >= this.#to
      if (!this.#done) this.#agent(step)
    }
    this.#last = step
  }

  end(): void {
    if (this.#done) this.#end(undefined, "cancelled")
    else this.#end(this.#last)
  }

  #emit(event: Event): void {
    const recorded = { session: this.#origin.session, seq: ++this.#seq, time: this.#time, v: 1, event }
    this.#tell({ _tag: "Recorded", origin: this.#origin, recorded })
  }

  #isPrompt(step: Step): boolean {
    return step.source === "user" && daylightOf<StepExtra>(step).nudge === undefined
  }

  #user(step: Step): void {
    const parts = typeof step.message === "string" ? [step.message] : step.message.map((part) => textOf([part]))
    const message = { _tag: "User" as const, content: parts.map((text) => ({ _tag: "Text" as const, text })) }
    const { added, nudge } = daylightOf<StepExtra>(step)
    if (nudge !== undefined) {
      const why = nudge as Extract<Event, { readonly _tag: "Nudged" }>["why"]
      return this.#emit({ _tag: "Nudged", run: this.#run, step: this.#step, why, message })
    }
    this.#begin(message, added)
  }

  #begin(prompt: Extract<Event, { readonly _tag: "RunStarted" }>["prompt"], added?: number): void {
    this.#run++
    this.#step = 0
    this.#open = true
    this.#emit({ _tag: "RunStarted", run: this.#run, prompt, ...(added !== undefined && { added }) })
  }

  #agent(step: Step): void {
    if (!this.#open) this.#begin({ _tag: "User", content: [{ _tag: "Text", text: "" }] })
    const extra = daylightOf<StepExtra>(step)
    const at = { run: this.#run, step: ++this.#step }
    const model = step.model_name ?? this.#trajectory.agent.model_name ?? "unknown"
    const called = {
      _tag: "ModelCalled",
      ...at,
      attempt: 1,
      purpose: (extra.purpose ?? "answer") as "answer",
      provider: extra.provider ?? "",
      model,
      digest: extra.requestKey ?? ""
    } as const
    this.#emit(called)
    for (const [index, { error, retryInMs }] of (extra.attempts ?? []).entries()) {
      this.#emit({
        _tag: "ModelFailed",
        ...at,
        reason: error as never,
        usage: noUsage,
        ...(retryInMs !== undefined && { retryInMs })
      })
      if (retryInMs !== undefined) this.#emit({ ...called, attempt: index + 2 })
    }
    if (extra.error !== undefined && step.tool_calls === undefined && textOf(step.message) === "") return
    this.#time += extra.durationMs ?? 0
    const usage = usageOf(step, extra)
    this.#usage = usage
    this.#emit({
      _tag: "ModelAnswered",
      ...at,
      message: { _tag: "Assistant", content: contentOf(step) },
      finish: (extra.finishReason ?? (step.tool_calls === undefined ? "stop" : "action")) as "stop",
      usage,
      ...(step.metrics?.cost_usd !== undefined && { usd: step.metrics.cost_usd })
    })
    this.#calls(step, at)
  }

  #calls(step: Step, at: { readonly run: number; readonly step: number }): void {
    const results = step.observation?.results ?? []
    for (const call of step.tool_calls ?? []) {
      const result = results.find((result) => result.source_call_id === call.tool_call_id)
      const code = codeOf(call)
      if (code === undefined) this.#function(call, textOf(result?.content), at)
      else this.#cell(call, code, textOf(result?.content), at)
    }
    if (results.length === 0) return
    this.#emit({
      _tag: "ActionsAnswered",
      ...at,
      message: {
        _tag: "Result",
        content: results.map((result) => ({
          _tag: "Feedback",
          id: result.source_call_id ?? "",
          ok: daylightOf<{ isError: boolean }>(result).isError !== true,
          content: [{ _tag: "Text", text: textOf(result.content) }]
        }))
      }
    })
  }

  #cell(call: ToolCall, code: string, told: string, at: { readonly run: number; readonly step: number }): void {
    const extra = daylightOf<CallExtra>(call)
    const cell = extra.cell ?? this.#cells + 1
    this.#cells = cell
    this.#emit({ _tag: "CellStarted", ...at, cell, action: call.tool_call_id, code, seed: "" })
    for (const host of extra.calls ?? []) this.#hostCall(cell, host)
    this.#time += extra.durationMs ?? 0
    const failed = extra.status !== undefined && extra.status !== "ok" && extra.status !== "pending"
    const problem = { stage: "run", name: "Error", message: told, frames: [] } as const
    const report = extra.report ?? { ...emptyReport, ...(failed ? { problem } : { preview: told }) }
    this.#emit({ _tag: "CellEnded", cell, report, entropy: [] })
  }

  /** A call of a tool is a call into the application. */
  #function(call: ToolCall, told: string, _at: object): void {
    const extra = daylightOf<CallExtra>(call)
    const cell = ++this.#cells
    if (extra.calls !== undefined) {
      for (const host of extra.calls) this.#hostCall(cell, host)
      return
    }
    this.#hostCall(cell, {
      ordinal: 0,
      path: call.function_name,
      operation: "call",
      args: [{ _tag: "Json", value: call.arguments }],
      status: extra.status === "error" || extra.status === "timeout"
        ? "failed"
        : extra.status === "pending"
        ? "pending"
        : "completed",
      value: { _tag: "Json", value: told },
      ...(extra.status === "error" && { error: { name: "Error", message: told } })
    })
  }

  #hostCall(cell: number, host: HostCallExtra): void {
    const { ordinal, path } = host
    const args = host.args as ReadonlyArray<Value>
    if (host.status === "refused") {
      const { by = "boundary", ...reason } = host.error as { readonly by?: string; readonly _tag: string }
      return this.#emit({ _tag: "CallRefused", cell, ordinal, path, args, reason: reason as never, by })
    }
    this.#emit({
      _tag: "CallStarted",
      cell,
      ordinal,
      path,
      operation: host.operation as "call",
      args,
      effect: (host.effect ?? "external") as "external",
      key: `${cell}:${ordinal}`,
      entropy: [],
      after: 0,
      callbacks: [],
      ...(host.child !== undefined && { child: SessionId.make(host.child) })
    })
    this.#child(host.child)
    if (host.status === "pending") return
    this.#time += host.durationMs ?? 0
    this.#emit({
      _tag: "CallEnded",
      cell,
      ordinal,
      status: host.status,
      inPlace: false,
      ...(host.value !== undefined && { value: host.value as Value }),
      ...(host.error !== undefined && { error: host.error as { readonly name: string; readonly message: string } })
    })
  }

  /** A child's session is one trajectory, whichever of its runs is meant: it is told at its first call. */
  #child(id: string | undefined): void {
    const child = (this.#trajectory.subagent_trajectories ?? []).find(({ trajectory_id }) => trajectory_id === id)
    if (id === undefined || child === undefined || this.#told.has(id)) return
    this.#told.add(id)
    new Teller(child, this.#origin.agent, this.#origin.lineage, this.#tell).all()
  }

  #end(last: Step | undefined, reason?: OutcomeRecord["reason"]): void {
    if (!this.#open) return
    this.#open = false
    const { runs = [] } = daylightOf<RootExtra>(this.#trajectory)
    const known = reason === undefined ? runs[this.#run - 1]?.outcome : undefined
    const outcome: OutcomeRecord = known ?? {
      reason: reason ?? "completed",
      text: last === undefined ? "" : textOf(last.message),
      steps: this.#step,
      cells: this.#cells,
      usage: this.#usage,
      durationMs: 0
    }
    this.#emit({ _tag: "RunEnded", run: this.#run, outcome })
  }
}

/** The code of a call that is one piece of code, whatever its tool is named. */
export const codeOf = (call: ToolCall): string | undefined => {
  const { code, command, script } = call.arguments
  if (typeof code === "string") return code
  const only = Object.keys(call.arguments).length === 1
  return [command, script].find((text): text is string => only && typeof text === "string")
}

type Content = Extract<Event, { readonly _tag: "ModelAnswered" }>["message"]["content"][number]

const contentOf = (step: Step): ReadonlyArray<Content> => {
  const known = daylightOf<StepExtra>(step).content as { readonly content?: ReadonlyArray<Content> } | undefined
  if (known?.content !== undefined) return known.content
  const text = textOf(step.message)
  return [
    ...(step.reasoning_content === undefined ? [] : [{ _tag: "Reasoning", text: step.reasoning_content } as const]),
    ...(text === "" ? [] : [{ _tag: "Text", text } as const]),
    ...(step.tool_calls ?? []).map((call) => ({
      _tag: "Action",
      id: call.tool_call_id,
      name: call.function_name,
      input: call.arguments as Schema.Json
    } as const))
  ]
}

const usageOf = ({ metrics }: Step, { usage }: Partial<StepExtra>): Usage =>
  (usage as Usage | undefined) ?? {
    ...noUsage,
    input: metrics?.prompt_tokens ?? 0,
    output: metrics?.completion_tokens ?? 0,
    cacheRead: metrics?.cached_tokens ?? 0
  }

/** One model call and all it caused, on its way to become a step of a trajectory. */
import type { CellReport, Event, Recorded } from "@daylight/core"
import type * as Schema from "effect/Schema"
import type { RecordedAnswer } from "../cassette/Cassette.ts"
import { plain } from "../internal/Canonical.ts"
import { contentOf } from "./Contents.ts"
import { type AttemptExtra, type CallExtra, extraOf, type HostCallExtra, type StepExtra } from "./Daylight.ts"
import type { ObservationResult, Step, ToolCall, Trajectory } from "./Trajectory.ts"

type Of<Tag extends Event["_tag"]> = Extract<Event, { readonly _tag: Tag }>
type Mutable<A> = { -readonly [K in keyof A]: A[K] }

interface Action {
  readonly id: string
  readonly name: string
  readonly input: Schema.Json
  readonly extra: Mutable<CallExtra>
  readonly calls: Map<number, Mutable<HostCallExtra>>
  result: Mutable<ObservationResult> | undefined
}

export class AgentStep {
  readonly draft: Mutable<Step>
  readonly #extra: Mutable<StepExtra>
  readonly #start: number
  readonly #actions: Array<Action> = []
  readonly #attempts: Array<AttemptExtra> = []
  readonly #events: Array<Schema.Json> = []
  #answered = false

  constructor(event: Of<"ModelCalled">, time: number, answer: RecordedAnswer | undefined) {
    this.#start = time
    this.#extra = {
      run: event.run,
      step: event.step,
      startMs: time,
      provider: event.provider,
      purpose: event.purpose,
      requestKey: answer?.key ?? event.digest,
      ...(answer !== undefined && { ordinal: answer.ordinal }),
      ...responseIdOf(answer)
    }
    this.draft = {
      step_id: 0,
      timestamp: new Date(time).toISOString(),
      source: "agent",
      message: "",
      model_name: event.model,
      llm_call_count: 1
    }
  }

  get model(): string | undefined {
    return this.draft.model_name
  }

  /** Another attempt at the same call, maybe by another model. */
  retried({ model, provider }: Of<"ModelCalled">, answer: RecordedAnswer | undefined): boolean {
    if (this.#answered) return false
    if (answer !== undefined) {
      Object.assign(this.#extra, {
        requestKey: answer.key,
        ordinal: answer.ordinal,
        ...responseIdOf(answer)
      })
    }
    this.draft.model_name = model
    this.#extra.provider = provider
    this.draft.llm_call_count = (this.draft.llm_call_count ?? 1) + 1
    return true
  }

  /** Gives whether the event belongs to this step. */
  add(event: Recorded["event"], time: number): boolean {
    switch (event._tag) {
      case "ModelAnswered":
        this.#take(event, time)
        return true
      case "ModelFailed":
        this.#failed(event, time)
        return true
      case "CellStarted":
        this.#cell(event, time)
        return true
      case "CellEnded":
        this.#cellEnded(event, time)
        return true
      case "CallStarted":
      case "CallRefused":
      case "CallEnded":
        return this.#call(event, time)
      case "ActionsAnswered":
        this.#told(event)
        return true
      case "ApprovalAsked":
      case "ApprovalDecided":
      case "EffectSettled":
      case "LimitWarned":
      case "SkillActivated":
      case "TimerFired":
      case "CallbackCalled":
      case "VariableSet":
      case "Recovered":
      case "Unknown":
        this.#events.push(plain(event))
        return true
      default:
        return false
    }
  }

  /** A call that never came back, for instance in a run that was stopped. */
  ended(): void {
    if (!this.#answered && this.#attempts.length === 0) this.#extra.error = { _tag: "NoAnswer" }
  }

  /** Called once all events are known. */
  finish(children: ReadonlyArray<Trajectory>): void {
    const { draft } = this
    if (this.#attempts.length > 0) this.#extra.attempts = this.#attempts
    if (this.#events.length > 0) this.#extra.events = this.#events
    draft.extra = extraOf(this.#extra)
    if (this.#actions.length === 0) return
    draft.tool_calls = this.#actions.map(toolCall)
    const results = this.#actions.flatMap((action) => resultOf(action, children))
    if (results.length > 0) draft.observation = { results }
  }

  #take({ finish, message, usage, usd }: Of<"ModelAnswered">, time: number): void {
    const { draft } = this
    this.#answered = true
    const texts = message.content.filter((part) => part._tag === "Text")
    const thoughts = message.content.filter((part) => part._tag === "Reasoning")
    draft.message = texts.map((part) => part.text).join("\n")
    if (thoughts.length > 0) draft.reasoning_content = thoughts.map((part) => part.text).join("\n")
    for (const part of message.content) {
      if (part._tag === "Action") this.#actions.push(newAction(part.id, part.name, part.input))
    }
    draft.metrics = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      cached_tokens: usage.cacheRead,
      ...(usd !== undefined && { cost_usd: usd })
    }
    this.#extra.durationMs = time - this.#start
    this.#extra.finishReason = finish
    this.#extra.usage = plain(usage)
    if (!isUsual(message.content) || message.opaque !== undefined) {
      this.#extra.content = plain(message)
    }
  }

  #failed({ reason, retryInMs, usage }: Of<"ModelFailed">, time: number): void {
    this.#attempts.push({ error: plain(reason), ...(retryInMs !== undefined && { retryInMs }) })
    if (retryInMs !== undefined) return
    this.#extra.error = plain(reason)
    this.#extra.durationMs = time - this.#start
    if (usage.input + usage.output > 0) {
      this.draft.metrics = {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        cached_tokens: usage.cacheRead
      }
    }
  }

  #cell({ action, cell, code }: Of<"CellStarted">, time: number): void {
    let known = this.#actions.find(({ id }) => id === action)
    if (known === undefined) this.#actions.push(known = newAction(action, "run", { code }))
    known.extra.cell = cell
    known.extra.startMs = time
  }

  #cellEnded({ cell, report }: Of<"CellEnded">, time: number): void {
    const action = this.#actions.find(({ extra }) => extra.cell === cell)
    if (action === undefined) return
    action.extra.status = statusOf(report)
    action.extra.durationMs = time - (action.extra.startMs ?? time)
    action.extra.report = plain(report) as unknown as CellReport
  }

  /** In the `functions` format there are no cells: the ordinal is the number of the action. */
  #call(event: Of<"CallStarted" | "CallEnded" | "CallRefused">, time: number): boolean {
    const action = this.#actions.find(({ extra }) => extra.cell === event.cell) ?? this.#actions[event.ordinal]
    if (action === undefined) return false
    const known = action.calls.get(event.ordinal)
    switch (event._tag) {
      case "CallStarted":
        action.calls.set(event.ordinal, {
          ordinal: event.ordinal,
          path: event.path,
          operation: event.operation,
          args: plain(event.args),
          effect: event.effect,
          status: "pending",
          startMs: time,
          ...(event.child !== undefined && { child: event.child })
        })
        return true
      case "CallRefused":
        action.calls.set(event.ordinal, {
          ordinal: event.ordinal,
          path: event.path,
          operation: "call",
          args: plain(event.args),
          status: "refused",
          error: plain({ ...event.reason, by: event.by }),
          startMs: time
        })
        return true
      case "CallEnded":
        if (known === undefined) return false
        known.status = event.status
        known.durationMs = time - (known.startMs ?? time)
        if (event.value !== undefined) known.value = plain(event.value)
        if (event.error !== undefined) known.error = plain(event.error)
        return true
    }
  }

  #told({ message }: Of<"ActionsAnswered">): void {
    for (const feedback of message.content) {
      const action = this.#actions.find(({ id }) => id === feedback.id)
      if (action === undefined) continue
      action.result = {
        source_call_id: feedback.id,
        content: contentOf(feedback.content),
        extra: { daylight: { isError: !feedback.ok } }
      }
      if (action.extra.status === "pending") action.extra.status = feedback.ok ? "ok" : "error"
    }
  }
}

/** Only a recording knows it: a log does not. */
const responseIdOf = (answer: RecordedAnswer | undefined): Pick<StepExtra, "responseId"> => {
  const start = answer?.parts.findLast((part) => part._tag === "Start")
  return start?.responseId === undefined ? {} : { responseId: start.responseId }
}

const newAction = (id: string, name: string, input: Schema.Json): Action => ({
  id,
  name,
  input,
  extra: { status: "pending" },
  calls: new Map(),
  result: undefined
})

const toolCall = ({ calls, extra, id, input, name }: Action): ToolCall => {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input)
  const own: CallExtra = {
    ...extra,
    ...(!isObject &&
      { rawArguments: typeof input === "string" ? input : JSON.stringify(input), status: "unparsed" as const }),
    ...(calls.size > 0 && { calls: [...calls.values()] })
  }
  return {
    tool_call_id: id,
    function_name: name,
    arguments: isObject ? input as Readonly<Record<string, Schema.Json>> : {},
    extra: extraOf(own)
  }
}

const resultOf = ({ calls, result }: Action, children: ReadonlyArray<Trajectory>): ReadonlyArray<ObservationResult> => {
  if (result === undefined) return []
  const served = [...new Set([...calls.values()].map(({ child }) => child))]
    .filter((child) => children.some(({ trajectory_id }) => trajectory_id === child))
    .map((child) => ({ trajectory_id: child!, session_id: child! }))
  return [served.length === 0 ? result : { ...result, subagent_trajectory_ref: served }]
}

const statusOf = ({ problem }: CellReport): CallExtra["status"] => {
  if (problem === undefined) return "ok"
  if (problem.stage === "timeout") return "timeout"
  return problem.stage === "interrupted" ? "cancelled" : "error"
}

type AssistantPart = Of<"ModelAnswered">["message"]["content"][number]

/** Thoughts, one text, actions: what the fields of a step say by themselves. */
const isUsual = (content: ReadonlyArray<AssistantPart>): boolean => {
  const order = content.map((part) => part._tag === "Reasoning" ? 0 : part._tag === "Text" ? 1 : 2)
  const once = (kind: number) => order.filter((other) => other === kind).length <= 1
  const opaque = content.some((part) => part._tag === "Reasoning" && part.opaque !== undefined)
  return once(0) && once(1) && !opaque && order.every((kind, index) => index === 0 || order[index - 1]! <= kind)
}

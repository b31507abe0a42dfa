/** Folds the events of one session into the steps of a trajectory. */
import type { Event, Message, OutcomeRecord, Recorded } from "@daylight/core"
import type * as Schema from "effect/Schema"
import type { Cassette, RecordedAnswer } from "../cassette/Cassette.ts"
import { plain } from "../internal/Canonical.ts"
import { AgentStep } from "./AgentStep.ts"
import { contentOf } from "./Contents.ts"
import { daylightVersion, extraOf, type RootExtra } from "./Daylight.ts"
import { atifVersion, type Step, type Trajectory } from "./Trajectory.ts"

export interface SessionStepsOptions {
  readonly cassette: Cassette | undefined
  /** What each model call got. */
  readonly answers: ReadonlyMap<Recorded, RecordedAnswer>
  readonly agent: ReadonlyArray<string> | undefined
  readonly above: ReadonlyArray<string>
  readonly version: string | undefined
}

type Opened = Extract<Event, { readonly _tag: "SessionOpened" }>
type Draft = { -readonly [K in keyof Step]: Step[K] }
type Run = { readonly run: number; outcome?: OutcomeRecord }

/** How an outcome counts when runs are compared: what the agent did, or what happened to it. */
const statuses: Readonly<Record<OutcomeRecord["reason"], RootExtra["status"]>> = {
  completed: "completed",
  refused: "failed",
  invalid_answer: "failed",
  stuck: "failed",
  limit: "limit",
  cancelled: "cancelled",
  waiting: "running",
  model_error: "infra_error",
  runtime_error: "infra_error",
  internal_error: "infra_error"
}

export class SessionSteps {
  /** The path of names from the root. */
  agent: ReadonlyArray<string>
  readonly #options: SessionStepsOptions
  readonly #steps: Array<Draft> = []
  readonly #runs: Array<Run> = []
  readonly #agentSteps: Array<AgentStep> = []
  #session = ""
  #opened: Opened | undefined
  /** The step that is being made. */
  #current: AgentStep | undefined
  #tools: Schema.Json | undefined
  #told = false

  constructor(options: SessionStepsOptions) {
    this.#options = options
    this.agent = options.agent ?? options.above
  }

  add(recorded: Recorded): void {
    const { event, session, time } = recorded
    this.#session = session
    switch (event._tag) {
      case "SessionOpened":
        this.#opened = event
        this.agent = this.#options.agent ?? [...this.#options.above, event.agent]
        break
      case "RunStarted":
        this.#current = undefined
        this.#runs.push({ run: event.run })
        this.#user(event.prompt, time, {
          run: event.run,
          ...(event.added !== undefined && { added: event.added })
        })
        break
      case "Nudged":
        this.#user(event.message, time, { run: event.run, step: event.step, nudge: event.why })
        break
      case "ModelCalled":
        this.#called(event, time, this.#options.answers.get(recorded))
        break
      case "RunEnded":
        this.#ended(event)
        break
      case "Compacted":
        this.#system(event.summary ?? `The history was shortened (${event.tier}).`, time, {
          events: [plain(event)]
        })
        break
      default:
        if (this.#current?.add(event, time) !== true) this.#aside(event)
    }
  }

  trajectory(children: ReadonlyArray<Trajectory>): Trajectory {
    for (const step of this.#agentSteps) step.finish(children)
    const steps: ReadonlyArray<Step> = this.#steps.map((step, index) => ({ ...step, step_id: index + 1 }))
    const last = this.#runs.at(-1)?.outcome
    const opened = this.#opened
    const root: RootExtra = {
      v: daylightVersion,
      session: this.#session,
      agent: this.agent,
      definition: opened?.definition ?? "",
      ...(opened !== undefined && Object.keys(opened.labels).length > 0 && { labels: opened.labels }),
      status: last === undefined ? "running" : statuses[last.reason],
      runs: this.#runs,
      ...(opened?.parent !== undefined && { parent: opened.parent })
    }
    const model = this.#agentSteps[0]?.model
    return {
      schema_version: atifVersion,
      session_id: this.#session,
      trajectory_id: this.#session,
      agent: {
        name: this.agent.at(-1) ?? "agent",
        version: this.#options.version ?? "0",
        ...(model !== undefined && { model_name: model }),
        ...(Array.isArray(this.#tools) && this.#tools.length > 0 && { tool_definitions: this.#tools })
      },
      steps,
      ...(children.length > 0 && { subagent_trajectories: children }),
      final_metrics: totals(steps),
      extra: extraOf(root)
    }
  }

  #user(message: typeof Message.cases.User.Type, time: number, extra: object): void {
    this.#push({ source: "user", message: contentOf(message.content) }, time, extra)
  }

  #system(message: string, time: number, extra: object): void {
    this.#push({ source: "system", message }, time, extra)
  }

  #push(step: Pick<Step, "source" | "message">, time: number, extra: object): void {
    this.#steps.push({
      step_id: 0,
      timestamp: new Date(time).toISOString(),
      ...step,
      ...(Object.keys(extra).length > 0 && { extra: extraOf(extra) })
    })
  }

  #called(
    event: Extract<Event, { readonly _tag: "ModelCalled" }>,
    time: number,
    answer: RecordedAnswer | undefined
  ): void {
    if (event.attempt > 1 && this.#current?.retried(event, answer) === true) return
    this.#prompt(answer, time)
    const step = new AgentStep(event, time, answer)
    this.#current = step
    this.#agentSteps.push(step)
    this.#steps.push(step.draft)
  }

  /** The system prompt is in the recording only. It comes first, and is the same for the life of a session. */
  #prompt(answer: RecordedAnswer | undefined, time: number): void {
    const { cassette } = this.#options
    if (this.#told || answer === undefined || cassette === undefined) return
    this.#told = true
    const { actions, system } = answer.request
    const text = system === undefined ? undefined : cassette.contents.get(system)
    this.#tools = actions === undefined ? undefined : cassette.contents.get(actions)
    if (typeof text !== "string" || text === "") return
    const timestamp = this.#steps[0]?.timestamp ?? new Date(time).toISOString()
    this.#steps.unshift({ step_id: 0, timestamp, source: "system", message: text })
  }

  #ended({ outcome: ended, run }: Extract<Event, { readonly _tag: "RunEnded" }>): void {
    this.#current?.ended()
    const outcome = plain(ended) as unknown as OutcomeRecord
    const known = this.#runs.find((known) => known.run === run)
    if (known === undefined) this.#runs.push({ run, outcome })
    else known.outcome = outcome
  }

  /** What belongs to no call of a model is kept with the step before it. */
  #aside(event: Recorded["event"]): void {
    const step = this.#steps.at(-1)
    if (step === undefined) return
    const extra = (step.extra?.["daylight"] ?? {}) as { readonly events?: ReadonlyArray<Schema.Json> }
    const small = event._tag === "NamespaceSaved" ? { _tag: event._tag, cell: event.cell, clean: event.clean } : event
    step.extra = { ...step.extra, ...extraOf({ ...extra, events: [...(extra.events ?? []), plain(small)] }) }
  }
}

const totals = (steps: ReadonlyArray<Step>): NonNullable<Trajectory["final_metrics"]> => {
  const sum = (pick: (step: Step) => number | undefined) => steps.reduce((total, step) => total + (pick(step) ?? 0), 0)
  const priced = steps.filter((step) => step.metrics?.cost_usd !== undefined)
  return {
    total_prompt_tokens: sum((step) => step.metrics?.prompt_tokens),
    total_completion_tokens: sum((step) => step.metrics?.completion_tokens),
    total_cached_tokens: sum((step) => step.metrics?.cached_tokens),
    ...(priced.length > 0 && { total_cost_usd: sum((step) => step.metrics?.cost_usd) }),
    total_steps: steps.length
  }
}

/**
 * A trajectory in the making: what importers say of a conversation, whatever format it comes from. What has no place is
 * noted, so that nothing is dropped in silence.
 */
import type * as Schema from "effect/Schema"
import { sorted } from "../../internal/Canonical.ts"
import {
  atifVersion,
  type Content,
  type Metrics,
  type ObservationResult,
  type Step,
  type ToolCall,
  type Trajectory
} from "../Trajectory.ts"

/** An importer's view of foreign JSON: nothing is known of it. */
export type Raw = any

export interface DraftCall {
  readonly id?: string | undefined
  readonly name: string
  /** An object, JSON text, or anything else. */
  readonly input: unknown
  readonly providerExecuted?: boolean | undefined
}

export interface DraftAnswer {
  readonly text?: Content | undefined
  readonly reasoning?: string | undefined
  readonly calls?: ReadonlyArray<DraftCall> | undefined
  readonly model?: string | undefined
  readonly metrics?: Metrics | undefined
  readonly finishReason?: string | undefined
  readonly timestamp?: string | undefined
  /** 0 where no model was asked. Default 1. */
  readonly llmCalls?: number | undefined
}

export interface DraftResult {
  /** Absent: of the call before that has no result yet. */
  readonly id?: string | undefined
  /** Where the format names the tool: a result without its call then stands in a step of its own. */
  readonly name?: string | undefined
  readonly content: Content
  readonly isError?: boolean | undefined
  readonly errorType?: string | undefined
}

interface OpenStep {
  readonly step: { -readonly [K in keyof Step]: Step[K] }
  readonly results: Array<ObservationResult>
  readonly failed: Set<string>
}

export class Draft {
  readonly #format: string
  readonly #steps: Array<OpenStep> = []
  readonly #lost = new Map<string, number>()
  #tools: ReadonlyArray<Readonly<Record<string, Schema.Json>>> = []
  #model: string | undefined
  #calls = 0

  constructor(format: string) {
    this.#format = format
  }

  /** Something that the trajectory has no place for, as in `logprobs`. */
  lose(what: string): void {
    this.#lost.set(what, (this.#lost.get(what) ?? 0) + 1)
  }

  /** Names those members of a record that are not among the known ones. */
  loseAllBut(record: Raw, known: ReadonlyArray<string>, where = ""): void {
    for (const [key, value] of Object.entries(record ?? {})) {
      const empty = value === null || value === undefined || value === "" ||
        (Array.isArray(value) && value.length === 0)
      if (!empty && !known.includes(key)) this.lose(where === "" ? key : `${where}.${key}`)
    }
  }

  tools(definitions: unknown): void {
    if (!Array.isArray(definitions)) return
    this.#tools = definitions.filter((tool) => typeof tool === "object" && tool !== null && !Array.isArray(tool)).map((
      tool
    ) => sorted(tool) as Readonly<Record<string, Schema.Json>>)
  }

  system(message: Content, timestamp?: string): void {
    this.#push({ step_id: 0, source: "system", message, ...time(timestamp) })
  }

  user(message: Content, timestamp?: string): void {
    this.#push({ step_id: 0, source: "user", message, ...time(timestamp) })
  }

  agent(answer: DraftAnswer): void {
    const { calls = [], finishReason, llmCalls = 1, metrics, model, reasoning, text = "", timestamp } = answer
    this.#model ??= model
    const deterministic = llmCalls === 0
    this.#push({
      step_id: 0,
      source: "agent",
      message: text,
      llm_call_count: llmCalls,
      ...time(timestamp),
      ...(model !== undefined && { model_name: model }),
      ...(reasoning !== undefined && reasoning !== "" && !deterministic && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: this.#distinct(calls.map((call) => this.#call(call))) }),
      ...(metrics !== undefined && !deterministic && { metrics }),
      ...(finishReason !== undefined && { extra: { daylight: { finishReason } } })
    })
  }

  result({ content, errorType, id, isError, name }: DraftResult): void {
    let found = id === undefined ? this.#waiting() : this.#callOf(id)
    if (found === undefined && id !== undefined && name !== undefined) {
      this.lose("calls of which only the result is there")
      this.agent({ llmCalls: 0, calls: [{ id, name, input: {} }] })
      found = this.#callOf(id)
    }
    if (found === undefined) {
      this.lose(id === undefined ? "a result of no call" : "a result whose call is not in the conversation")
      return
    }
    const { call, open } = found
    if (isError === true) open.failed.add(call.tool_call_id)
    open.results.push({
      source_call_id: call.tool_call_id,
      content,
      ...(isError === true && { extra: { daylight: { isError, ...(errorType !== undefined && { errorType }) } } })
    })
  }

  trajectory(
    about: {
      readonly name?: string | undefined
      readonly session?: string | undefined
      readonly version?: string | undefined
      readonly extra?: object | undefined
    } = {}
  ): Trajectory {
    const steps = this.#steps.map(({ failed, results, step }, index): Step => ({
      ...step,
      step_id: index + 1,
      ...(step.tool_calls !== undefined && {
        tool_calls: step.tool_calls.map((call) => withStatus(call, failed, results))
      }),
      ...(results.length > 0 && { observation: { results } })
    }))
    const lost = [...this.#lost].map(([what, times]) => times === 1 ? what : `${what} (${times} times)`)
    return {
      schema_version: atifVersion,
      ...(about.session !== undefined && { session_id: about.session, trajectory_id: about.session }),
      agent: {
        name: about.name ?? "agent",
        version: about.version ?? "unknown",
        ...(this.#model !== undefined && { model_name: this.#model }),
        ...(this.#tools.length > 0 && { tool_definitions: this.#tools })
      },
      steps,
      extra: { daylight: sorted({ v: 1, import: { format: this.#format, lost }, ...about.extra }) }
    }
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  #push(step: Step): void {
    this.#steps.push({ step, results: [], failed: new Set() })
  }

  #call({ id, input, name, providerExecuted }: DraftCall): ToolCall {
    const parsed = argumentsOf(input)
    const daylight = {
      ...(parsed.raw !== undefined && { rawArguments: parsed.raw, status: "unparsed" }),
      ...(providerExecuted === true && { providerExecuted })
    }
    return {
      tool_call_id: id ?? `call-${++this.#calls}`,
      function_name: name,
      arguments: parsed.value,
      ...(Object.keys(daylight).length > 0 && { extra: { daylight } })
    }
  }

  /** An id that is there twice in one step names two calls: the later ones get a number. */
  #distinct(calls: ReadonlyArray<ToolCall>): ReadonlyArray<ToolCall> {
    const seen = new Map<string, number>()
    return calls.map((call) => {
      const times = seen.get(call.tool_call_id) ?? 0
      seen.set(call.tool_call_id, times + 1)
      if (times === 0) return call
      this.lose("an id of a call that another one has as well")
      return { ...call, tool_call_id: `${call.tool_call_id}#${times + 1}` }
    })
  }

  /** The latest call of that id that has no result yet, else the latest of that id. */
  #callOf(id: string) {
    let any: { readonly open: OpenStep; readonly call: ToolCall } | undefined
    for (const open of this.#steps.toReversed()) {
      const call = open.step.tool_calls?.find((call) => call.tool_call_id === id)
      if (call === undefined) continue
      if (!open.results.some((result) => result.source_call_id === id)) return { open, call }
      any ??= { open, call }
    }
    return any
  }

  #waiting() {
    for (const open of this.#steps.toReversed()) {
      const call = open.step.tool_calls?.find(({ tool_call_id: id }) =>
        !open.results.some((result) => result.source_call_id === id)
      )
      if (call !== undefined) return { open, call }
    }
    return undefined
  }
}

const withStatus = (
  call: ToolCall,
  failed: ReadonlySet<string>,
  results: ReadonlyArray<ObservationResult>
): ToolCall => {
  const daylight = (call.extra?.["daylight"] ?? {}) as { readonly status?: string }
  const told = results.some((result) => result.source_call_id === call.tool_call_id)
  const status = daylight.status ?? (failed.has(call.tool_call_id) ? "error" : told ? "ok" : "pending")
  return { ...call, extra: { ...call.extra, daylight: { ...daylight, status } } }
}

/** Arguments are an object in ATIF: nothing is an empty one, and what cannot be read is kept as text. */
const argumentsOf = (
  input: unknown
): { readonly value: Readonly<Record<string, Schema.Json>>; readonly raw?: string } => {
  if (input === undefined || input === null || input === "") return { value: {} }
  if (typeof input === "object" && !Array.isArray(input)) {
    return { value: sorted(input) as Readonly<Record<string, Schema.Json>> }
  }
  if (typeof input !== "string") return { value: {}, raw: JSON.stringify(input) }
  try {
    const parsed: unknown = JSON.parse(input)
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return argumentsOf(parsed)
  } catch {
    return { value: {}, raw: input } // kept as the model wrote it
  }
  return { value: {}, raw: input }
}

/** Only a time that is one. */
const time = (timestamp: string | undefined): { readonly timestamp?: string } => {
  const at = timestamp === undefined ? NaN : Date.parse(timestamp)
  return Number.isNaN(at) ? {} : { timestamp: new Date(at).toISOString() }
}

/** Numbers of a usage record under their various names; `undefined` where there are none. */
export const metricsOf = (
  prompt: Raw,
  completion: Raw,
  cached: Raw = undefined,
  usd: Raw = undefined
): Metrics | undefined => {
  const whole = (value: Raw) => typeof value === "number" && Number.isFinite(value) ? Math.round(value) : undefined
  const found = {
    ...(whole(prompt) !== undefined && { prompt_tokens: whole(prompt)! }),
    ...(whole(completion) !== undefined && { completion_tokens: whole(completion)! }),
    ...(whole(cached) !== undefined && { cached_tokens: whole(cached)! }),
    ...(typeof usd === "number" && { cost_usd: usd })
  }
  return Object.keys(found).length === 0 ? undefined : found
}

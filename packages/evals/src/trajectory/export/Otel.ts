/**
 * A trajectory as spans of OpenTelemetry, by its conventions for generative AI, in OTLP JSON: one `invoke_agent` for
 * each run, `chat` for each model call, `execute_tool` for each call. Ids are hashes, so that the same trajectory gives
 * the same spans.
 */
import { canonical, sha256 } from "../../internal/Canonical.ts"
import { finishReason } from "../../telemetry/Messages.ts"
import { textOf } from "../Contents.ts"
import { type CallExtra, daylightOf, type HostCallExtra, type RootExtra, type StepExtra } from "../Daylight.ts"
import type { Step, ToolCall, Trajectory } from "../Trajectory.ts"

export interface OtelOptions {
  /** Also prompts, answers, arguments and results. Default `false`: they may hold what is nobody's business. */
  readonly content?: boolean | undefined
  /** Default `daylight`. */
  readonly serviceName?: string | undefined
}

type Value = { readonly stringValue: string } | { readonly intValue: string } | { readonly doubleValue: number } | {
  readonly arrayValue: { readonly values: ReadonlyArray<Value> }
}

export interface OtelSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1 internal, 3 client. */
  readonly kind: 1 | 3
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Value }>
  readonly status: { readonly code?: 2; readonly message?: string }
}

export interface OtlpTraces {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: OtelSpan["attributes"] }
    readonly scopeSpans: ReadonlyArray<
      { readonly scope: { readonly name: string }; readonly spans: ReadonlyArray<OtelSpan> }
    >
  }>
}

export const toOtel = (trajectory: Trajectory, options: OtelOptions = {}): OtlpTraces => {
  const spans: Array<OtelSpan> = []
  const id = trajectory.trajectory_id ?? sha256(canonical(trajectory))
  new Spans(trajectory, sha256(id).slice(0, 32), options.content ?? false, spans).add(undefined, 0)
  return {
    resourceSpans: [{
      resource: { attributes: attributes({ "service.name": options.serviceName ?? "daylight" }) },
      scopeSpans: [{ scope: { name: "@daylight/evals" }, spans }]
    }]
  }
}

class Spans {
  readonly #trajectory: Trajectory
  readonly #trace: string
  readonly #content: boolean
  readonly #spans: Array<OtelSpan>
  readonly #id: string

  constructor(trajectory: Trajectory, trace: string, content: boolean, spans: Array<OtelSpan>) {
    this.#trajectory = trajectory
    this.#trace = trace
    this.#content = content
    this.#spans = spans
    this.#id = trajectory.trajectory_id ?? trace
  }

  /** Gives the end, in milliseconds. `from` stands in for a time that is not known. */
  add(parent: string | undefined, from: number): number {
    const { agent, final_metrics: totals, session_id: session, steps } = this.#trajectory
    const spanId = this.#spanId("agent")
    const start = startOf(steps[0], from)
    const at = this.#spans.length
    let end = start
    for (const step of steps) {
      end = Math.max(end, startOf(step, end))
      if (step.source === "agent") end = Math.max(end, this.#step(step, spanId, startOf(step, end)))
    }
    const { runs = [], status } = daylightOf<RootExtra>(this.#trajectory)
    const error = status === "failed" || status === "infra_error" ? runs.at(-1)?.outcome?.reason ?? status : undefined
    this.#spans.splice(
      at,
      0,
      this.#span(`invoke_agent ${agent.name}`, spanId, parent, start, end, 1, {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent.name,
        "gen_ai.agent.version": agent.version,
        "gen_ai.conversation.id": session,
        "gen_ai.request.model": agent.model_name,
        "gen_ai.usage.input_tokens": totals?.total_prompt_tokens,
        "gen_ai.usage.output_tokens": totals?.total_completion_tokens,
        ...(this.#content && agent.tool_definitions !== undefined &&
          { "gen_ai.tool.definitions": canonical(agent.tool_definitions) })
      }, error)
    )
    return end
  }

  #step(step: Step, parent: string, start: number): number {
    const extra = daylightOf<StepExtra>(step)
    const answered = start + (extra.durationMs ?? 0)
    if (step.llm_call_count !== 0) this.#chat(step, extra, parent, start, answered)
    let end = answered
    for (const [index, call] of (step.tool_calls ?? []).entries()) {
      end = Math.max(end, this.#call(step, call, index, parent, end))
    }
    return end
  }

  #chat(step: Step, extra: Partial<StepExtra>, parent: string, start: number, end: number): void {
    const { metrics, model_name: model = "unknown" } = step
    const usage = (extra.usage ?? {}) as { readonly cacheWrite?: number; readonly reasoning?: number }
    const failure = (extra.error as { readonly _tag?: string } | undefined)?._tag
    const before = this.#trajectory.steps.slice(0, step.step_id - 1)
    this.#spans.push(this.#span(`chat ${model}`, this.#spanId(`chat ${step.step_id}`), parent, start, end, 3, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": extra.provider,
      "gen_ai.request.model": model,
      "gen_ai.response.model": model,
      "gen_ai.response.id": extra.responseId,
      "gen_ai.response.finish_reasons": extra.finishReason === undefined
        ? undefined
        : [finishReason(extra.finishReason)],
      "gen_ai.usage.input_tokens": metrics?.prompt_tokens,
      "gen_ai.usage.output_tokens": metrics?.completion_tokens,
      "gen_ai.usage.cache_read.input_tokens": metrics?.cached_tokens,
      "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite,
      "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
      ...(this.#content && {
        "gen_ai.system_instructions": canonical(
          before.filter(({ source }) => source === "system").map(({ message }) => ({
            type: "text",
            content: textOf(message)
          }))
        ),
        "gen_ai.input.messages": canonical(
          before.filter(({ source }) => source !== "system").slice(-1).flatMap(inputOf)
        ),
        "gen_ai.output.messages": canonical([outputOf(step, extra)])
      })
    }, failure))
  }

  #call(step: Step, call: ToolCall, index: number, parent: string, from: number): number {
    const extra = daylightOf<CallExtra>(call)
    const start = extra.startMs ?? from
    const result = step.observation?.results.find(({ source_call_id: id }) => id === call.tool_call_id)
    const spanId = this.#spanId(`call ${step.step_id} ${index}`)
    const error = extra.status === "ok" || extra.status === "pending" || extra.status === undefined
      ? undefined
      : extra.report?.problem?.name ?? extra.status
    const at = this.#spans.length
    let end = start + (extra.durationMs ?? 0)
    for (const host of extra.calls ?? []) {
      end = Math.max(end, this.#hostCall(step, host, index, spanId, host.startMs ?? start))
    }
    this.#spans.splice(
      at,
      0,
      this.#span(`execute_tool ${call.function_name}`, spanId, parent, start, end, 1, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.function_name,
        "gen_ai.tool.call.id": call.tool_call_id,
        "gen_ai.tool.type": "function",
        ...(this.#content && {
          "gen_ai.tool.call.arguments": extra.rawArguments ?? canonical(call.arguments),
          "gen_ai.tool.call.result": result === undefined ? undefined : textOf(result.content)
        })
      }, error)
    )
    return end
  }

  /** A call of a cell into the application; one that was a run of a sub-agent holds the spans of that. */
  #hostCall(step: Step, host: HostCallExtra, index: number, parent: string, start: number): number {
    const spanId = this.#spanId(`host ${step.step_id} ${index} ${host.ordinal}`)
    const child = this.#trajectory.subagent_trajectories?.find(({ trajectory_id: id }) =>
      id !== undefined && id === host.child
    )
    const error = host.status === "completed"
      ? undefined
      : (host.error as { readonly name?: string; readonly _tag?: string } | undefined)?.name ?? host.status
    const at = this.#spans.length
    const inner = child === undefined
      ? start
      : new Spans(child, this.#trace, this.#content, this.#spans).add(spanId, start)
    const end = Math.max(inner, start + (host.durationMs ?? 0))
    this.#spans.splice(
      at,
      0,
      this.#span(`execute_tool ${host.path}`, spanId, parent, start, end, 1, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": host.path,
        "gen_ai.tool.type": "function",
        ...(this.#content && {
          "gen_ai.tool.call.arguments": canonical(host.args),
          "gen_ai.tool.call.result": host.value === undefined ? undefined : canonical(host.value)
        })
      }, error)
    )
    return end
  }

  #spanId(what: string): string {
    return sha256(`${this.#id}\n${what}`).slice(0, 16)
  }

  #span(
    name: string,
    spanId: string,
    parent: string | undefined,
    start: number,
    end: number,
    kind: OtelSpan["kind"],
    values: Readonly<Record<string, unknown>>,
    error: string | undefined
  ): OtelSpan {
    return {
      traceId: this.#trace,
      spanId,
      ...(parent !== undefined && { parentSpanId: parent }),
      name,
      kind,
      startTimeUnixNano: nanos(start),
      endTimeUnixNano: nanos(Math.max(start, end)),
      attributes: attributes({ ...values, ...(error !== undefined && { "error.type": error }) }),
      status: error === undefined ? {} : { code: 2, message: error }
    }
  }
}

const startOf = (step: Step | undefined, otherwise: number): number => {
  const at = daylightOf<StepExtra>(step).startMs ?? Date.parse(step?.timestamp ?? "")
  return Number.isNaN(at) ? otherwise : at
}

const nanos = (ms: number): string => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`

const inputOf = (step: Step): ReadonlyArray<object> => {
  if (step.source === "user") return [{ role: "user", parts: [{ type: "text", content: textOf(step.message) }] }]
  const results = step.observation?.results ?? []
  return results.length === 0 ? [] : [{
    role: "tool",
    parts: results.map((result) => ({
      type: "tool_call_response",
      id: result.source_call_id,
      response: textOf(result.content)
    }))
  }]
}

const outputOf = (step: Step, { finishReason: reason }: Partial<StepExtra>): object => ({
  role: "assistant",
  parts: [
    ...(step.reasoning_content === undefined ? [] : [{ type: "reasoning", content: step.reasoning_content }]),
    ...(textOf(step.message) === "" ? [] : [{ type: "text", content: textOf(step.message) }]),
    ...(step.tool_calls ?? []).map((call) => ({
      type: "tool_call",
      id: call.tool_call_id,
      name: call.function_name,
      arguments: call.arguments
    }))
  ],
  finish_reason: finishReason(reason ?? "stop")
})

const attributes = (values: Readonly<Record<string, unknown>>): OtelSpan["attributes"] =>
  Object.entries(values).flatMap(([key, value]) => value === undefined ? [] : [{ key, value: valueOf(value) }])

const valueOf = (value: unknown): Value => {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } }
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { stringValue: String(value) }
}

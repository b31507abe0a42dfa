/** Opens and closes spans as the events of sessions come. */
import type { Event, Message, Origin, Recorded, SessionId, Usage } from "@daylight/core"
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import { finishReason, inputMessage, outputMessage } from "./Messages.ts"

type Attributes = Readonly<Record<string, unknown>>

/** What is open of one session. */
interface Open {
  run: Tracer.Span
  chat: Tracer.Span | undefined
  /** What the model was told since its last answer. */
  input: Array<Message>
  readonly cells: Map<number, Tracer.Span>
  readonly calls: Map<string, { readonly span: Tracer.Span; readonly child: SessionId | undefined }>
}

export class LiveSpans {
  readonly #tracer: Tracer.Tracer
  readonly #content: boolean
  readonly #open = new Map<SessionId, Open>()

  constructor(tracer: Tracer.Tracer, content: boolean) {
    this.#tracer = tracer
    this.#content = content
  }

  take(origin: Origin, { event, time }: Recorded): void {
    if (event._tag === "RunStarted") return this.#runStarted(origin, event, time)
    const open = this.#open.get(origin.session)
    if (open === undefined) return
    switch (event._tag) {
      case "ModelCalled":
        return this.#modelCalled(open, event, time)
      case "ModelFailed":
        return this.#modelFailed(open, event, time)
      case "ModelAnswered":
        return this.#modelAnswered(open, event, time)
      case "CellStarted":
        return void open.cells.set(
          event.cell,
          this.#start("execute_tool run", "internal", open.run, time, {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "run",
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": event.action,
            ...this.#told({ "gen_ai.tool.call.arguments": { code: event.code } })
          })
        )
      case "ActionsAnswered":
      case "Nudged":
        return void open.input.push(event.message)
      case "CellEnded":
        return this.#cellEnded(open, event, time)
      case "CallStarted":
        return this.#callStarted(open, event, time)
      case "CallEnded":
        return this.#callEnded(open, event, time)
      case "CallRefused": {
        const span = this.#start(
          `execute_tool ${event.path}`,
          "internal",
          open.cells.get(event.cell) ?? open.run,
          time,
          callOf(event.path)
        )
        return end(span, time, event.reason._tag)
      }
      case "RunEnded":
        return this.#runEnded(origin, open, event, time)
    }
  }

  /** A run of a sub-agent is inside of the call that it serves. */
  #runStarted({ agent, lineage, session }: Origin, event: Of<"RunStarted">, time: number): void {
    const name = agent.at(-1) ?? "agent"
    const above = this.#open.get(lineage.at(-2) ?? session)
    const call = above && [...above.calls.values()].find(({ child }) => child === session)?.span
    const run = this.#start(`invoke_agent ${name}`, "internal", call ?? above?.run, time, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": name,
      "gen_ai.conversation.id": session,
      ...this.#told({ "gen_ai.input.messages": [inputMessage(event.prompt)] })
    })
    this.#open.set(session, { run, chat: undefined, input: [event.prompt], cells: new Map(), calls: new Map() })
  }

  #modelCalled(open: Open, { attempt, model, provider, purpose }: Of<"ModelCalled">, time: number): void {
    if (attempt > 1 && open.chat !== undefined) {
      return open.chat.event("retry", nanos(time), { attempt, model, provider })
    }
    open.chat = this.#start(`chat ${model}`, "client", open.run, time, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model,
      "gen_ai.response.model": model,
      "daylight.purpose": purpose,
      ...this.#told({ "gen_ai.input.messages": open.input.map(inputMessage) })
    })
    open.input = []
  }

  #modelFailed(open: Open, { reason, retryInMs }: Of<"ModelFailed">, time: number): void {
    const { chat } = open
    if (retryInMs !== undefined) return chat?.event("failure", nanos(time), { "error.type": reason._tag, retryInMs })
    if (chat !== undefined) end(chat, time, reason._tag)
    open.chat = undefined
  }

  #modelAnswered(open: Open, { finish, message, usage, usd }: Of<"ModelAnswered">, time: number): void {
    const { chat } = open
    if (chat === undefined) return
    setAll(chat, {
      "gen_ai.response.finish_reasons": [finishReason(finish)],
      ...usageOf(usage),
      ...(usd !== undefined && { "daylight.cost_usd": usd }),
      ...this.#told({ "gen_ai.output.messages": [outputMessage(message, finish)] })
    })
    end(chat, time)
    open.chat = undefined
  }

  #cellEnded(open: Open, { cell, report }: Of<"CellEnded">, time: number): void {
    const span = open.cells.get(cell)
    if (span === undefined) return
    setAll(span, this.#told({ "gen_ai.tool.call.result": report.preview }))
    end(span, time, report.problem?.name)
    open.cells.delete(cell)
  }

  #callStarted(open: Open, event: Of<"CallStarted">, time: number): void {
    const span = this.#start(`execute_tool ${event.path}`, "internal", open.cells.get(event.cell) ?? open.run, time, {
      ...callOf(event.path),
      "daylight.effect": event.effect,
      ...this.#told({ "gen_ai.tool.call.arguments": event.args })
    })
    open.calls.set(`${event.cell}:${event.ordinal}`, { span, child: event.child })
  }

  #callEnded(open: Open, { cell, error, ordinal, status, value }: Of<"CallEnded">, time: number): void {
    const call = open.calls.get(`${cell}:${ordinal}`)
    if (call === undefined) return
    setAll(call.span, this.#told({ "gen_ai.tool.call.result": value }))
    end(call.span, time, status === "completed" ? undefined : error?.name ?? status)
    open.calls.delete(`${cell}:${ordinal}`)
  }

  /** What a stop has left open ends with the run. */
  #runEnded({ session }: Origin, open: Open, { outcome }: Of<"RunEnded">, time: number): void {
    const left = [
      ...[...open.calls.values()].map(({ span }) => span),
      ...open.cells.values(),
      ...(open.chat ? [open.chat] : [])
    ]
    for (const span of left) end(span, time, outcome.reason)
    setAll(open.run, {
      "daylight.outcome": outcome.reason,
      ...usageOf(outcome.usage),
      ...this.#told({
        "gen_ai.output.messages": [
          outputMessage({ _tag: "Assistant", content: [{ _tag: "Text", text: outcome.text }] }, "stop")
        ]
      })
    })
    end(open.run, time, outcome.reason === "completed" ? undefined : outcome.reason)
    this.#open.delete(session)
  }

  #start(
    name: string,
    kind: Tracer.SpanKind,
    parent: Tracer.Span | undefined,
    time: number,
    attributes: Attributes
  ): Tracer.Span {
    const span = this.#tracer.span({
      name,
      kind,
      parent: Option.fromUndefinedOr(parent),
      annotations: Context.empty(),
      links: [],
      startTime: nanos(time),
      root: parent === undefined,
      sampled: true
    })
    setAll(span, attributes)
    return span
  }

  /** Content, where it was asked for, as JSON. */
  #told(values: Attributes): Attributes {
    if (!this.#content) return {}
    return Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, typeof value === "string" ? value : JSON.stringify(value)]]
      )
    )
  }
}

type Of<Tag extends Event["_tag"]> = Extract<Event, { readonly _tag: Tag }>

const callOf = (path: string): Attributes => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": path,
  "gen_ai.tool.type": "function"
})

const usageOf = ({ cacheRead, cacheWrite, input, output, reasoning }: Usage): Attributes => ({
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
  "gen_ai.usage.cache_read.input_tokens": cacheRead,
  "gen_ai.usage.cache_creation.input_tokens": cacheWrite,
  "gen_ai.usage.reasoning.output_tokens": reasoning
})

const setAll = (span: Tracer.Span, attributes: Attributes): void => {
  for (const [key, value] of Object.entries(attributes)) span.attribute(key, value)
}

const end = (span: Tracer.Span, time: number, error?: string): void => {
  if (error === undefined) return span.end(nanos(time), Exit.void)
  span.attribute("error.type", error)
  span.end(nanos(time), Exit.fail(error))
}

const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1_000)) * 1_000n

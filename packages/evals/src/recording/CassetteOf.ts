/** Makes a cassette of what was overheard: logs of sessions, and what models and servers said. */
import { type ModelInfo, type Recorded, spokenPrompt } from "@daylight/core"
import type { Cassette, RecordedCall, RecordedExchange } from "../cassette/Cassette.ts"
import type { Matching } from "../cassette/Matching.ts"
import type { Recorded as Tape } from "../cassette/ModelTape.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"
import { answersOfLogs } from "./AnswersOfLogs.ts"
import { cellsOf } from "./CellsOf.ts"
import { decisionsOf } from "./DecisionsOf.ts"

export interface Overheard {
  readonly matching: Matching
  readonly logs: ReadonlyArray<SessionLog>
  readonly root: string | undefined
  /** Absent where only logs are known. */
  readonly tape: Tape | undefined
  /** Models whose numbers are known, where a log has their names only. */
  readonly known?: ReadonlyArray<ModelInfo> | undefined
  readonly exchanges: ReadonlyArray<RecordedExchange>
  readonly calls: boolean
}

export const cassetteOf = ({ calls, exchanges, known, logs, matching, root, tape }: Overheard): Cassette => {
  const main = logs.find(({ events }) => events[0]?.session === root) ?? logs[0]
  return {
    matching,
    models: modelsOf(logs, tape?.models ?? known),
    runs: main === undefined ? [] : runsOf(main.events),
    ...(tape === undefined
      ? answersOfLogs(logs)
      : { contents: tape.contents, messages: tape.messages, answers: tape.answers }),
    exchanges,
    calls: calls ? logs.flatMap(callsOf) : [],
    cells: calls ? logs.flatMap(cellsOf) : [],
    decisions: logs.flatMap(decisionsOf)
  }
}

const runsOf = (events: ReadonlyArray<Recorded>): Cassette["runs"] => {
  const runs = new Map<number, { -readonly [K in keyof Cassette["runs"][number]]: Cassette["runs"][number][K] }>()
  for (const { event } of events) {
    if (event._tag === "RunStarted") {
      const { answer } = event
      runs.set(event.run, { type: "run", prompt: spokenPrompt(event), ...(answer && { answer }) })
    }
    const run = event._tag === "RunEnded" ? runs.get(event.run) : undefined
    // How long it took is no part of what happened.
    if (run !== undefined && event._tag === "RunEnded") run.outcome = { ...event.outcome, durationMs: 0 }
  }
  return [...runs.values()]
}

/** Which agent had which model. A log knows its name only. */
const modelsOf = (logs: ReadonlyArray<SessionLog>, infos: ReadonlyArray<ModelInfo> | undefined): Cassette["models"] => {
  const known = new Map<string, Cassette["models"][number]>()
  for (const { agent, events } of logs) {
    for (const { event } of events) {
      if (event._tag !== "ModelCalled" || known.has(JSON.stringify(agent))) continue
      const { model, provider } = event
      const info = infos?.find((info) => info.provider === provider && info.model === model)
      known.set(JSON.stringify(agent), { agent, info: info === undefined ? assumed(provider, model) : plainInfo(info) })
    }
  }
  if (known.size > 0) return [...known.values()]
  return (infos ?? []).map((info) => ({ agent: undefined, info: plainInfo(info) }))
}

const plainInfo = ({ price, ...info }: ModelInfo): Cassette["models"][number]["info"] =>
  price === undefined ? info : { ...info, price }

const assumed = (provider: string, model: string) => ({
  provider,
  model,
  contextWindow: 1_000_000,
  maxOutputTokens: 1_000_000,
  toolCalling: true,
  strictAlternation: false
})

const callsOf = ({ agent = [], events }: SessionLog): ReadonlyArray<RecordedCall> => {
  const calls = new Map<string, { -readonly [K in keyof RecordedCall]: RecordedCall[K] }>()
  for (const { event } of events) {
    switch (event._tag) {
      case "CallStarted":
      case "CallRefused": {
        const { args, cell, ordinal, path } = event
        const started = event._tag === "CallStarted"
        calls.set(`${cell}:${ordinal}`, {
          type: "call",
          agent,
          cell,
          ordinal,
          path,
          operation: started ? event.operation : "call",
          args,
          status: started ? "unknown" : "refused",
          ...(!started && { refusal: event.reason })
        })
        break
      }
      case "CallEnded": {
        const call = calls.get(`${event.cell}:${event.ordinal}`)
        if (call === undefined) break
        call.status = event.status
        if (event.value !== undefined) call.value = event.value
        if (event.error !== undefined) call.error = event.error
        break
      }
    }
  }
  return [...calls.values()].sort((a, b) => a.cell - b.cell || a.ordinal - b.ordinal)
}

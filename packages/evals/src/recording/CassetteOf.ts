/** Makes a cassette of what was overheard: logs of sessions, and what models and servers said. */
import type { ModelInfo } from "@daylight/core"
import type { Cassette, RecordedExchange } from "../cassette/Cassette.ts"
import type { Matching } from "../cassette/Matching.ts"
import type { Recorded as Tape } from "../cassette/ModelTape.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"
import { answersOfLogs } from "./AnswersOfLogs.ts"
import { cellsOf } from "./CellsOf.ts"
import { decisionsOf } from "./DecisionsOf.ts"
import { placeOf, runsOf, sessionsOf } from "./SessionsOf.ts"

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
  const said = tape === undefined
    ? answersOfLogs(logs)
    : { contents: tape.contents, messages: tape.messages, answers: tape.answers }
  return {
    matching,
    models: modelsOf(logs, tape?.models ?? known),
    runs: main === undefined ? [] : runsOf(main.events),
    ...said,
    exchanges,
    ...(calls && main !== undefined && atWork(logs, String(main.events[0]?.session), said.answers)),
    decisions: logs.flatMap(decisionsOf)
  }
}

/** Each agent on its own: a session of what it was asked and told, and its cells. */
const atWork = (logs: ReadonlyArray<SessionLog>, root: string, answers: Cassette["answers"]) => ({
  sessions: sessionsOf(logs, root, answers),
  cells: logs.flatMap(({ events }) => {
    const session = placeOf(String(events[0]?.session), root)
    return session === undefined ? [] : cellsOf(session, events)
  })
})

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

/** What a recording holds, counted. */
import { type Cassette, cassetteVersion, type Entry } from "./Cassette.ts"
import type { Matching } from "./Matching.ts"

export interface CassetteStats {
  /** Of the format. */
  readonly version: number
  /** Entries by their kind; kinds without an entry are left out. */
  readonly entries: Readonly<Partial<Record<Entry["type"], number>>>
  /** By the number of their answers. */
  readonly models: ReadonlyArray<ModelStats>
  /** Exchanges with servers, by provider. */
  readonly exchanges: Readonly<Record<string, number>>
  /** Calls of cells, by path. Absent where the recording was made without calls. */
  readonly calls: Readonly<Record<string, number>> | undefined
  /** What does not count when a request is looked up. */
  readonly matching: Matching
}

export interface ModelStats {
  readonly provider: string
  readonly model: string
  readonly answers: number
}

export const cassetteStats = (cassette: Cassette): CassetteStats => {
  const { answers, cells = [], contents, decisions = [], exchanges, matching, messages, models, runs } = cassette
  const sessions = cassette.sessions ?? []
  const lists = {
    model: models,
    run: runs,
    content: [...contents],
    message: [...messages],
    answer: answers,
    http: exchanges,
    session: sessions,
    cell: cells,
    decision: decisions
  } satisfies Record<Entry["type"], ReadonlyArray<unknown>>
  const entries = Object.entries(lists).flatMap(([kind, { length }]) => length === 0 ? [] : [[kind, length] as const])
  const calls = cells.flatMap(({ events }) =>
    events.flatMap((event) => event._tag === "CallStarted" ? [event.path] : [])
  )
  return {
    version: cassetteVersion,
    entries: Object.fromEntries(entries),
    models: modelsOf(cassette),
    exchanges: counts(exchanges.map(({ provider }) => provider)),
    calls: sessions.length === 0 ? undefined : counts(calls),
    matching
  }
}

/** Also those that were never asked, or that agents were given without an answer of them in the file. */
const modelsOf = ({ answers, models }: Cassette): ReadonlyArray<ModelStats> => {
  const named = new Map<string, ModelStats>()
  const count = (provider = "", model = "", more: number) => {
    const name = JSON.stringify([provider, model])
    named.set(name, { provider, model, answers: (named.get(name)?.answers ?? 0) + more })
  }
  for (const { info } of models) count(info.provider, info.model, 0)
  // What is ignored when requests are looked up is not in them.
  for (const { parts, request: { model, provider } } of answers) {
    const start = parts.find((part) => part._tag === "Start")
    count(provider ?? start?.provider, model ?? start?.model, 1)
  }
  return [...named.values()].sort((a, b) => b.answers - a.answers)
}

/** Most of them first. */
const counts = (names: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counted = new Map<string, number>()
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1)
  return Object.fromEntries([...counted].sort(([, a], [, b]) => b - a))
}

/**
 * A page of 100 from a list of 100,000 sessions in a SQLite file, by what is common, by what is rare and by what is
 * nowhere.
 */
import { Event, SessionId, type SessionQuery, type SessionStore, type StoredEvent } from "@daylight/core"
import { SqliteStore } from "@daylight/store"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Line } from "../support/Figure.ts"
import { summaryOfNumbers } from "../support/Samples.ts"
import { temporaryFile } from "./TemporaryFile.ts"

const sessions = 100_000
const rare = 10_007

const queries: ReadonlyArray<readonly [string, SessionQuery]> = [
  ["all", {}],
  ["by a common agent", { agent: "agent-3" }],
  ["by a rare agent", { agent: "rare" }],
  ["by an agent that is not there", { agent: "nobody" }],
  ["by a status that is not there", { status: "waiting" }],
  ["by a common label", { labels: { team: "team-1" } }],
  ["by a rare label", { labels: { rare: "yes" } }],
  ["by a common text", { text: "quarterly" }],
  ["by a rare text", { text: "number 77777" }],
  ["by two letters", { text: "zz" }],
  ["by cost, nowhere", { minUsd: 1_000 }],
  ["by agent, label and text", { agent: "agent-3", labels: { team: "team-1" }, text: "quarterly" }]
]

export const measure = (): Promise<ReadonlyArray<Line>> =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const store = yield* SqliteStore.make({ filename: temporaryFile() })
    for (let n = 0; n < sessions; n++) {
      yield* store.restore(SessionId.make(`session-${n}`), Stream.fromIterable(logOf(n)))
    }
    const lines: Array<Line> = []
    for (const [what, query] of queries) {
      lines.push({ what: `a page of 100,000 sessions, ${what}`, unit: "ms", bar: 20, ...(yield* pages(store, query)) })
    }
    const deep = yield* reach(store, sessions / 2)
    lines.push({
      what: "a page of 100,000 sessions, half-way down",
      unit: "ms",
      bar: 20,
      ...(yield* pages(store, { cursor: deep }))
    })
    return lines
  })))

const pages = (store: SessionStore["Service"], query: SessionQuery) =>
  Effect.gen(function*() {
    const samples: Array<number> = []
    for (let round = 0; round < 12; round++) {
      const started = performance.now()
      yield* store.list(query)
      samples.push(performance.now() - started)
    }
    return summaryOfNumbers(samples)
  })

/** The cursor after this many rows. */
const reach = (store: SessionStore["Service"], rows: number) =>
  Effect.gen(function*() {
    let cursor: string | undefined
    for (let seen = 0; seen < rows; seen += 1_000) cursor = (yield* store.list({ limit: 1_000, cursor })).next
    return cursor
  })

const logOf = (n: number): ReadonlyArray<StoredEvent> => {
  const opened = Event.cases.SessionOpened.make({
    agent: n % rare === 0 ? "rare" : `agent-${n % 10}`,
    definition: "d",
    workItem: `w${n}`,
    labels: { team: `team-${n % 5}`, ...(n % rare === 1 && { rare: "yes" }) }
  })
  const text = `Draw the quarterly figures of customer number ${n} as a chart`
  const started = Event.cases.RunStarted.make({ run: 1, prompt: { _tag: "User", content: [{ _tag: "Text", text }] } })
  return [opened, started].map((event, index) => ({
    seq: index + 1,
    time: 1_700_000_000_000 + n * 1_000,
    v: 1,
    json: JSON.stringify(event)
  }))
}

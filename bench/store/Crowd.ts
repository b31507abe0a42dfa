/** 200 sessions that append at the same time on one Postgres server. */
import { Event, SessionId } from "@daylight/core"
import { PostgresStore } from "@daylight/store/postgres"
import * as Effect from "effect/Effect"
import process from "node:process"
import type { Line } from "../support/Figure.ts"
import { summaryOfNumbers } from "../support/Samples.ts"

const sessions = 200
const rounds = 10

const opened = Event.cases.SessionOpened.make({ agent: "a", definition: "d", workItem: "w", labels: {} })
const warned = (used: number) => Event.cases.LimitWarned.make({ unit: "steps", used, limit: 2 })

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const url = process.env["DAYLIGHT_POSTGRES_URL"]
  if (url === undefined) {
    return [{
      row: 7,
      what: "200 sessions append at once on Postgres",
      unavailable: "DAYLIGHT_POSTGRES_URL names no server"
    }]
  }
  return Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const store = yield* PostgresStore.make({ url, schema: "daylight_bench" })
    const names = Array.from({ length: sessions }, (_, n) => SessionId.make(`crowd-${process.pid}-${n}`))
    const journals = yield* Effect.forEach(names, (name) => store.create(name, opened), { concurrency: "unbounded" })
    const alone: Array<number> = []
    for (let n = 0; n < 50; n++) {
      const started = performance.now()
      yield* journals[0]!.append([warned(n)])
      alone.push((performance.now() - started) * 1_000)
    }
    const together: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      yield* Effect.forEach(journals, (journal) => journal.append([warned(round)]), { concurrency: "unbounded" })
      together.push(((performance.now() - started) * 1_000) / sessions)
    }
    const rows = (yield* store.list({ agent: "a", limit: sessions })).items
    const lost = rows.slice(0, sessions).filter(({ seq }) => seq < 1 + rounds).length
    if (lost > 0) throw new Error(`${lost} sessions lost an update`)
    return [
      { what: "an append on Postgres, alone", unit: "us", ...summaryOfNumbers(alone) },
      { what: "an append of 200 at once on Postgres", unit: "us", ...summaryOfNumbers(together) }
    ] satisfies ReadonlyArray<Line>
  })))
}

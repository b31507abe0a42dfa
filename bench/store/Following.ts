/** How long until a reader on another connection, as in another process, has an event, and what a log costs to read. */
import { Event, SessionId, type SessionStore } from "@daylight/core"
import { SqliteStore } from "@daylight/store"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { Line } from "../support/Figure.ts"
import { summaryOfNumbers } from "../support/Samples.ts"
import { temporaryFile } from "./TemporaryFile.ts"

const events = 60
const logged = 10_000

const session = SessionId.make("s")
const opened = Event.cases.SessionOpened.make({ agent: "a", definition: "d", workItem: "w", labels: {} })
const warned = Event.cases.LimitWarned.make({ unit: "steps", used: 1, limit: 2 })

export const measure = (): Promise<ReadonlyArray<Line>> =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const filename = temporaryFile()
    const writer = yield* SqliteStore.make({ filename })
    const reader = yield* SqliteStore.make({ filename })
    const journal = yield* writer.create(session, opened)
    const delays: Array<number> = []
    const sent: Array<number> = []
    const following = yield* Effect.forkChild(
      reader.read(session, { after: 1, follow: true }).pipe(
        Stream.take(events),
        Stream.runForEach(({ seq }) => Effect.sync(() => void delays.push(performance.now() - sent[seq]!)))
      ),
      { startImmediately: true }
    )
    for (let n = 0; n < events; n++) {
      yield* Effect.sleep(20 + (n * 7) % 23)
      sent[n + 2] = performance.now()
      yield* journal.append([warned])
    }
    yield* Fiber.join(following)
    for (let n = 0; n < logged / 100; n++) yield* journal.append(Array.from({ length: 100 }, () => warned))
    return [
      { what: "another process has an event after", unit: "ms", bar: 100, ...summaryOfNumbers(delays) },
      { what: "an event read back, of 10,000", unit: "us", ...(yield* readings(reader)) }
    ] satisfies ReadonlyArray<Line>
  })))

const readings = (store: SessionStore["Service"]) =>
  Effect.gen(function*() {
    const samples: Array<number> = []
    for (let round = 0; round < 8; round++) {
      const started = performance.now()
      yield* Stream.runDrain(store.read(session))
      samples.push(((performance.now() - started) * 1_000) / logged)
    }
    return summaryOfNumbers(samples)
  })

/** `daylight sessions interrupt`: stops the run of a session that another process runs. */
import type { OutcomeRecord, SessionSummary } from "@daylight/core"
import { userInfo } from "node:os"
import { answer } from "../Answer.ts"
import * as ExitCode from "../ExitCode.ts"
import { Problem } from "../Problem.ts"
import { span } from "../renderer/Paint.ts"
import { type OpenStore, type StorePlace, withStore } from "../StoreAccess.ts"
import { chosenSummary } from "./SessionChoice.ts"

export interface InterruptInput {
  readonly place: StorePlace
  readonly id: string
  readonly by: string | undefined
  readonly json: boolean
}

/** How long it is waited for the run to end. */
const patienceMs = 10_000

export const interrupt = ({ by = userInfo().username, id, json, place }: InterruptInput): Promise<number> =>
  answer((print) =>
    withStore(place, async (opened) => {
      const summary = await chosenSummary(opened, id)
      checkRuns(summary)
      await opened.Effect.runPromise(opened.store.send(summary.session, { _tag: "Interrupt", by }))
      const outcome = await endOfRun(opened, summary)
      if (json) return print.json({ session: summary.session, by, told: summary.owner?.holder, outcome })
      print.row(
        outcome === undefined
          ? [span("Told", "good"), span(` ${summary.owner?.holder}, which has not stopped it yet.`)]
          : [span("Stopped", "good"), span(` ${summary.session}: ${outcome.reason}.`)]
      )
    })
  )

/** What is sent to a session that nobody holds would stop the next run of it. */
const checkRuns = ({ owner, session, status }: SessionSummary): void => {
  const idle = owner === undefined ? "nobody holds it now" : "its last run has ended"
  if (owner !== undefined && (status === "running" || status === "waiting")) return
  throw new Problem(
    `session ${session}`,
    `it does not run: ${idle}`,
    "`daylight sessions list --status running` shows those that do.",
    ExitCode.usage
  )
}

const endOfRun = (
  { Effect, Stream, store }: OpenStore,
  { seq, session }: SessionSummary
): Promise<OutcomeRecord | undefined> =>
  store.read(session, { after: seq, follow: true }).pipe(
    Stream.flatMap(({ event }) =>
      Stream.fromIterable(event._tag === "RunEnded" ? [event.outcome as OutcomeRecord] : [])
    ),
    Stream.take(1),
    Stream.runCollect,
    Effect.timeoutOrElse({ duration: patienceMs, orElse: () => Effect.succeed<ReadonlyArray<OutcomeRecord>>([]) }),
    Effect.map(([outcome]) => outcome),
    Effect.runPromise
  )

/** The sessions of a recording, one for each agent: what each was asked, what it was given, and what its model said. */
import { type Recorded, spokenPrompt } from "@daylight/core"
import type { RecordedAnswer, RecordedRun, RecordedSession } from "../cassette/Cassette.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"
import { answersOfCalls } from "./AnswersOfCalls.ts"

/**
 * The root has the place "", a child the names under which agents are bound on the way to it, joined by "/". Sessions
 * that do not descend from the root have none, and are left out.
 */
export const placeOf = (session: string, root: string): string | undefined => {
  if (session === root) return ""
  return session.startsWith(`${root}/`) ? session.slice(root.length + 1) : undefined
}

export const sessionsOf = (
  logs: ReadonlyArray<SessionLog>,
  root: string,
  answers: ReadonlyArray<RecordedAnswer>
): ReadonlyArray<RecordedSession> => {
  const answered = answersOfCalls(logs, answers)
  return logs.flatMap(({ agent = [], events }) => {
    const session = placeOf(String(events[0]?.session), root)
    if (session === undefined) return []
    const own = events.flatMap((event) => {
      const answer = answered.get(event)
      return answer === undefined ? [] : [{ key: answer.key, ordinal: answer.ordinal }]
    })
    const runs = session === "" ? undefined : { runs: runsOf(events) }
    const told = events.flatMap(({ event }) => event._tag === "RunStarted" ? [variablesIn(event.prompt)] : [])
    return [{ type: "session", session, agent, ...runs, told, answers: own }]
  })
}

const variablesIn = ({ content }: { readonly content: ReadonlyArray<{ readonly _tag: string }> }): string => {
  const last = content.at(-1)
  const text = last !== undefined && "text" in last ? String(last.text) : ""
  return /<variables>\n([^]*)\n<\/variables>/.exec(text)?.[1] ?? ""
}

type Writable<A> = { -readonly [K in keyof A]: A[K] }

export const runsOf = (events: ReadonlyArray<Recorded>): ReadonlyArray<RecordedRun> => {
  const runs = new Map<number, Writable<RecordedRun>>()
  let variables: Array<
    { readonly name: string; readonly value: NonNullable<RecordedRun["variables"]>[number]["value"] }
  > = []
  let current: number | undefined
  for (const { event } of events) {
    switch (event._tag) {
      case "VariableSet":
        if (current === undefined) variables.push({ name: event.name, value: event.value })
        break
      case "RunStarted": {
        const { answer } = event
        current = event.run
        runs.set(event.run, {
          type: "run",
          prompt: spokenPrompt(event),
          ...(answer && { answer }),
          ...(variables.length > 0 && { variables })
        })
        variables = []
        break
      }
      case "RunEnded": {
        const run = runs.get(event.run)
        // How long it took is no part of what happened.
        if (run !== undefined) run.outcome = { ...event.outcome, durationMs: 0 }
        current = undefined
      }
    }
  }
  return [...runs.values()]
}

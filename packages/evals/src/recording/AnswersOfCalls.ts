/** Which recorded answer each model call of a log got: what joins a trajectory with its cassette. */
import type { Recorded } from "@daylight/core"
import type { RecordedAnswer } from "../cassette/Cassette.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"

/** Calls that no recording has are left out. Equal requests are told apart by when they were made. */
export const answersOfCalls = (
  logs: ReadonlyArray<SessionLog>,
  answers: ReadonlyArray<RecordedAnswer>
): ReadonlyMap<Recorded, RecordedAnswer> => {
  const waiting = new Map<string, Array<RecordedAnswer>>()
  for (const answer of answers) {
    const name = answer.digest ?? answer.key
    const queue = waiting.get(name)
    if (queue === undefined) waiting.set(name, [answer])
    else queue.push(answer)
  }
  const found = new Map<Recorded, RecordedAnswer>()
  for (const call of callsOf(logs)) {
    const answer = call.event._tag === "ModelCalled" ? waiting.get(call.event.digest)?.shift() : undefined
    if (answer !== undefined) found.set(call, answer)
  }
  return found
}

const callsOf = (logs: ReadonlyArray<SessionLog>): ReadonlyArray<Recorded> =>
  logs.flatMap(({ events }) => events.filter(({ event }) => event._tag === "ModelCalled"))
    .sort((a, b) => a.time - b.time)

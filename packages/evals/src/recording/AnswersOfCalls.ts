/** Which recorded answer each model call of a log got: what joins a trajectory with its cassette. */
import type { Recorded } from "@daylight/core"
import type { RecordedAnswer } from "../cassette/Cassette.ts"
import { canonical } from "../internal/Canonical.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"

/**
 * Calls that no recording has are left out. Equal requests are told apart by what was answered, and where that is equal
 * as well by when they were made.
 */
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
  for (const { call, digest, message } of callsOf(logs)) {
    const queue = waiting.get(digest) ?? []
    const own = queue.length > 1 && message !== undefined ? queue.findIndex(({ parts }) => isOf(message, parts)) : 0
    const [answer] = queue.splice(Math.max(0, own), 1)
    if (answer !== undefined) found.set(call, answer)
  }
  return found
}

type Answered = Extract<Recorded["event"], { readonly _tag: "ModelAnswered" }>["message"]

interface Call {
  readonly call: Recorded
  readonly digest: string
  /** What came of it, if it did not fail. */
  message?: Answered
}

const callsOf = (logs: ReadonlyArray<SessionLog>): ReadonlyArray<Call> =>
  logs.flatMap(({ events }) => {
    const calls: Array<Call> = []
    for (const call of events) {
      if (call.event._tag === "ModelCalled") calls.push({ call, digest: call.event.digest })
      const last = calls.at(-1)
      if (call.event._tag === "ModelAnswered" && last !== undefined) last.message = call.event.message
    }
    return calls
  }).sort((a, b) => a.call.time - b.call.time)

const isOf = ({ content }: Answered, parts: RecordedAnswer["parts"]): boolean =>
  content.map((part) => part._tag === "Text" ? part.text : "").join("") ===
    parts.map((part) => part._tag === "TextDelta" ? part.text : "").join("") &&
  content.every((part) =>
    part._tag !== "Action" || canonical(part.input) === canonical(parsed(
        parts.map((delta) => delta._tag === "ActionDelta" && delta.id === part.id ? delta.json : "").join("")
      ))
  )

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return json // what could not be read is as it was written
  }
}

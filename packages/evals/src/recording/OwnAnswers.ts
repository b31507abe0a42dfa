/** A tape hears every session; what others were told is no part of the recording of one. */
import type { RecordedAnswer } from "../cassette/Cassette.ts"
import type { Recorded as Tape } from "../cassette/ModelTape.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"
import { answersOfCalls } from "./AnswersOfCalls.ts"

export const ownAnswers = (tape: Tape, own: ReadonlyArray<SessionLog>, all: ReadonlyArray<SessionLog>): Tape => {
  if (own.length === all.length) return tape
  const sessions = new Set(own.map(({ events }) => events[0]?.session))
  const foreign = new Set<RecordedAnswer>()
  for (const [call, answer] of answersOfCalls(all, tape.answers)) {
    if (!sessions.has(call.session)) foreign.add(answer)
  }
  const ordinals = new Map<string, number>()
  const answers = tape.answers.filter((answer) => !foreign.has(answer)).map((answer) => {
    const ordinal = ordinals.get(answer.key) ?? 0
    ordinals.set(answer.key, ordinal + 1)
    return { ...answer, ordinal }
  })
  return { ...tape, answers }
}

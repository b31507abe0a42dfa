/**
 * What was played against what the recording holds: every difference in words.
 */
import type * as Effect from "effect/Effect"
import type { answer } from "../support/Requests.ts"
import type { Recording } from "./Corpus.ts"
import type { Reading } from "./Reading.ts"

type Played = Effect.Success<ReturnType<typeof answer>>

export const compare = ({ name }: Recording, reading: Reading | "failed", played: Played): ReadonlyArray<string> => {
  const problems: Array<string> = played.problems.map((problem) => `${name}: ${problem}`)
  const differ = (what: string, is: unknown, due: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(due)) {
      problems.push(`${name}: ${what} is ${show(is)}, recorded is ${show(due)}`)
    }
  }
  if (reading === "failed") {
    if (played.error === undefined) {
      problems.push(`${name}: no error, but the recording holds one; finish ${played.finish?.reason}`)
    } else if (played.error.reason._tag === "Unknown") {
      problems.push(`${name}: an error that nobody knows: ${played.error.message}`)
    }
    return problems
  }
  if (played.error !== undefined) return [...problems, `${name}: ${played.error.message}`]
  differ("text", played.text, reading.text)
  differ("reasoning", played.reasoning.map((thought) => thought.text).join(""), reading.reasoning)
  differ(
    "calls",
    played.actions.map(({ json, name }) => ({ name, json: json === "{}" ? "" : json })),
    reading.calls.map(({ json, name }) => ({ name, json: json === "{}" ? "" : json }))
  )
  differ("usage", played.usage && (({ estimated: _, ...counts }) => counts)(played.usage), reading.usage)
  differ("finish", played.finish?.reason, reading.finish)
  differ("raw finish", played.finish?.raw, reading.raw)
  return problems
}

const show = (value: unknown) => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text
}

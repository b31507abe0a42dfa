/**
 * Every recorded answer of a provider, byte for byte, through the SDK and our adapter: nothing may crash, lose text,
 * invent an action or end without a typed outcome.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import process from "node:process"
import { type Language, readCorpus, type Recording } from "./Corpus.ts"
import { read, type Reading } from "./Reading.ts"
import { everyByte, makePlayer } from "./Replay.ts"

const folder = process.env["DAYLIGHT_RECORDINGS"]
const languages: ReadonlyArray<Language> = ["chat", "responses", "messages"]

describe.skipIf(folder === undefined)("recordings (DAYLIGHT_RECORDINGS says where they lie)", () => {
  const corpus = folder === undefined ? { recordings: [], outOfScope: new Map<string, number>() } : readCorpus(folder)
  const ours = corpus.recordings.filter((recording) => languages.includes(recording.language))

  it.live("all of them, as they were sent", () =>
    Effect.gen(function*() {
      const play = yield* makePlayer
      const problems: Array<string> = []
      for (const recording of ours) problems.push(...compare(recording, read(recording), yield* play(recording)))
      assert.deepStrictEqual(problems, [])
      console.log(`${ours.length} recordings replayed: ${tally(ours)}`)
      console.log(`out of scope:\n${
        [...corpus.outOfScope].sort(([, a], [, b]) => b - a).map(([kind, n]) =>
          `  ${n} ${kind}`
        ).join("\n")
      }`)
    }), 600_000)

  it.live("a sample of streams, cut at every byte", () =>
    Effect.gen(function*() {
      const play = yield* makePlayer
      const problems: Array<string> = []
      for (const language of languages) {
        const streams = ours.filter((recording) =>
          recording.language === language && recording.headers["content-type"]?.includes("event-stream") &&
          recording.body.length < 20_000
        )
        for (const recording of streams.filter((_, n) => n % 5 === 0)) {
          problems.push(...compare(recording, read(recording), yield* play(recording, everyByte)))
        }
      }
      assert.deepStrictEqual(problems, [])
    }), 600_000)
})

type Played = Effect.Success<ReturnType<Effect.Success<typeof makePlayer>>>

const compare = ({ name }: Recording, reading: Reading | "failed", played: Played): ReadonlyArray<string> => {
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

const tally = (recordings: ReadonlyArray<Recording>) =>
  languages.map((language) => `${recordings.filter((recording) => recording.language === language).length} ${language}`)
    .join(", ")

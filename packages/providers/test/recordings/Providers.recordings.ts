/**
 * Every recorded answer of a provider, byte for byte, through the SDK and our adapter: nothing may crash, lose text,
 * invent an action or end without a typed outcome.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import process from "node:process"
import { type Language, readCorpus, type Recording } from "./Corpus.ts"
import { compare } from "./Compare.ts"
import { read } from "./Reading.ts"
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

const tally = (recordings: ReadonlyArray<Recording>) =>
  languages.map((language) => `${recordings.filter((recording) => recording.language === language).length} ${language}`)
    .join(", ")

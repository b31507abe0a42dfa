/**
 * Every recorded answer of Google, Vertex, Bedrock and Cohere, through the provider's AI SDK package and our adapter.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import process from "node:process"
import { makeAiSdkPlayer, type Streamed, streamed } from "./AiSdkPlayer.ts"
import { readStreamed } from "./AiSdkReading.ts"
import { compare } from "./Compare.ts"
import { readCorpus } from "./Corpus.ts"
import { everyByte } from "./Replay.ts"

const folder = process.env["DAYLIGHT_RECORDINGS"]

describe.skipIf(folder === undefined)("recordings (DAYLIGHT_RECORDINGS says where they lie)", () => {
  const corpus = folder === undefined ? { recordings: [] } : readCorpus(folder)
  const theirs = corpus.recordings.filter((recording) => streamed.includes(recording.language as Streamed))

  it.live("all of them, as they were sent", () =>
    Effect.gen(function*() {
      const play = yield* makeAiSdkPlayer
      const problems: Array<string> = []
      for (const recording of theirs) {
        problems.push(...compare(recording, readStreamed(recording), yield* play(recording)))
      }
      assert.deepStrictEqual(problems, [])
      console.log(`${theirs.length} recordings replayed: ${
        streamed.map((language) =>
          `${theirs.filter((recording) => recording.language === language).length} ${language}`
        ).join(", ")
      }`)
    }), 600_000)

  it.live("a sample of each, cut at every byte", () =>
    Effect.gen(function*() {
      const play = yield* makeAiSdkPlayer
      const problems: Array<string> = []
      for (const language of streamed) {
        const short = theirs.filter((recording) => recording.language === language && recording.body.length < 20_000)
        for (const recording of short.filter((_, n) => n % 5 === 0)) {
          problems.push(...compare(recording, readStreamed(recording), yield* play(recording, everyByte)))
        }
      }
      assert.deepStrictEqual(problems, [])
    }), 600_000)
})

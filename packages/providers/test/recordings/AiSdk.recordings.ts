/**
 * Every recorded answer of Google, Vertex, Bedrock and Cohere, through the provider's AI SDK package and our adapter.
 * Needs those packages; what is not installed is skipped by name.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import process from "node:process"
import { makeAiSdkPlayer, missingPackages, type Streamed, streamed } from "./AiSdkPlayer.ts"
import { readStreamed } from "./AiSdkReading.ts"
import { compare } from "./Compare.ts"
import { readCorpus } from "./Corpus.ts"

const folder = process.env["DAYLIGHT_RECORDINGS"]
const missing = await Effect.runPromise(missingPackages)

describe.skipIf(folder === undefined)("recordings (DAYLIGHT_RECORDINGS says where they lie)", () => {
  const corpus = folder === undefined ? { recordings: [] } : readCorpus(folder)
  const theirs = corpus.recordings.filter((recording) => streamed.includes(recording.language as Streamed))

  it.live("all of them, as they were sent", () =>
    Effect.gen(function*() {
      const play = yield* makeAiSdkPlayer
      const problems: Array<string> = []
      let played = 0
      for (const recording of theirs) {
        const got = yield* play(recording)
        if (got === undefined) continue
        played++
        problems.push(...compare(recording, readStreamed(recording), got))
      }
      assert.deepStrictEqual(problems, [])
      console.log(`${played} recordings replayed through AI SDK packages`)
    }), 600_000)

  it.skipIf(missing.length === 0)(`skipped for want of packages: ${missing.join(", ") || "none"}`, () => {
    assert.isNotEmpty(missing)
  })
})

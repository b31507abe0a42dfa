/**
 * Serves recorded bodies from 127.0.0.1, whole or cut into pieces, to an adapter that goes through its real SDK.
 */
import type { Model } from "@daylight/core"
import { Anthropic } from "@daylight/providers/anthropic"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"
import type { ServerResponse } from "node:http"
import { loopback } from "../support/Loopback.ts"
import { answer } from "../support/Requests.ts"
import type { Language, Recording } from "./Corpus.ts"

/** How a body is cut into pieces on its way: by default not at all. */
export type Cut = (body: Buffer) => ReadonlyArray<Buffer>

export const everyByte: Cut = (body) => Array.from(body, (_, at) => body.subarray(at, at + 1))

/** One server and one model for each language; a recording is played by putting it on. */
export const makePlayer = Effect.gen(function*() {
  let playing: { readonly recording: Recording; readonly cut: Cut } | undefined
  const server = yield* loopback((_, response) => {
    if (playing === undefined) throw new Error("nothing to play")
    return send(response, playing.recording, playing.cut)
  })
  const models: Partial<Record<Language, Model["Service"]>> = {
    chat: yield* OpenAi.make({
      model: "recorded",
      provider: "openai",
      baseUrl: server.url,
      apiKey: "none",
      thinkTags: false
    }),
    responses: yield* OpenAi.make({ model: "recorded", api: "responses", baseUrl: server.url, apiKey: "none" }),
    messages: yield* Anthropic.make({ model: "recorded", baseUrl: server.url, apiKey: "none" })
  }
  return (recording: Recording, cut: Cut = (body) => [body]) => {
    playing = { recording, cut }
    return answer(models[recording.language]!)
  }
})

export const send = async (response: ServerResponse, { body, headers, status }: Recording, cut: Cut) => {
  response.writeHead(status, headers)
  for (const piece of cut(body)) {
    // One packet for each piece: the next one leaves when the loop has turned.
    if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

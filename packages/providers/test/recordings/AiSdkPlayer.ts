/**
 * Serves recorded answers of Google, Vertex, Bedrock and Cohere to our AI SDK adapter, through the providers' own
 * packages. Those stream only; a document in one piece goes as the one event, or the few events, that a stream would
 * have had.
 */
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock"
import { createCohere } from "@ai-sdk/cohere"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { createVertex } from "@ai-sdk/google-vertex"
import type { LanguageModelV4 } from "@ai-sdk/provider"
import { AiSdk } from "@daylight/providers/ai-sdk"
import * as Effect from "effect/Effect"
import { binaryEvents } from "../support/BinaryEvents.ts"
import { loopback } from "../support/Loopback.ts"
import { answer } from "../support/Requests.ts"
import type { Language, Recording } from "./Corpus.ts"
import { dataOf } from "./Reading.ts"
import { type Cut, send } from "./Replay.ts"

export const streamed = ["gemini", "vertex", "bedrock", "cohere"] as const satisfies ReadonlyArray<Language>
export type Streamed = (typeof streamed)[number]

export const makeAiSdkPlayer = Effect.gen(function*() {
  let playing: { readonly answer: Recording; readonly cut: Cut } | undefined
  const server = yield* loopback((_, response) => {
    if (playing === undefined) throw new Error("nothing to play")
    return send(response, playing.answer, playing.cut)
  })
  const options = { apiKey: "none", baseURL: server.url }
  const models: Readonly<Record<Streamed, LanguageModelV4>> = {
    gemini: createGoogleGenerativeAI(options)("gemini-recorded"),
    vertex: createVertex(options)("gemini-recorded"),
    bedrock: createAmazonBedrock({ ...options, region: "us-east-1" })("recorded"),
    cohere: createCohere(options)("command-recorded")
  }
  return (recording: Recording, cut: Cut = (body) => [body]) =>
    Effect.gen(function*() {
      playing = { answer: { ...recording, ...streamOf(recording) }, cut }
      return yield* answer(yield* AiSdk.make(models[recording.language as Streamed]))
    })
})

/** Type and bytes of what a server would have streamed. An error stays the document it was. */
const streamOf = (recording: Recording): Pick<Recording, "headers" | "body"> => {
  if (recording.status !== 200) return { headers: { "content-type": "application/json" }, body: recording.body }
  return recording.language === "bedrock"
    ? {
      headers: { "content-type": "application/vnd.amazon.eventstream" },
      body: binaryEvents(bedrockEvents(recording))
    }
    : { headers: { "content-type": "text/event-stream" }, body: asEvents(recording) }
}

const asEvents = ({ body }: Recording) =>
  /^\s*[{[]/.test(body.toString()) ? Buffer.from(`data: ${JSON.stringify(JSON.parse(body.toString()))}\n\n`) : body

type Raw = any // JSON as it was recorded

/** The events of a Bedrock stream: as recorded, or those a document in one piece stands for. */
export const bedrockEvents = ({ body }: Recording): ReadonlyArray<object> => {
  const text = body.toString()
  if (!/^\s*[{[]/.test(text)) return dataOf(text)
  const { output, stopReason, usage }: Raw = JSON.parse(text)
  const blocks: ReadonlyArray<Raw> = output.message.content
  return [
    { messageStart: { role: "assistant" } },
    ...blocks.flatMap((block, contentBlockIndex) => {
      const { reasoningContent, toolUse } = block
      const start = toolUse === undefined
        ? []
        : [{
          contentBlockStart: {
            contentBlockIndex,
            start: { toolUse: { toolUseId: toolUse.toolUseId, name: toolUse.name } }
          }
        }]
      const deltas: ReadonlyArray<object> = toolUse !== undefined ?
        [{ toolUse: { input: JSON.stringify(toolUse.input) } }]
        : reasoningContent !== undefined ?
        [{ reasoningContent: { text: reasoningContent.reasoningText?.text ?? "" } }, {
          reasoningContent: { signature: reasoningContent.reasoningText?.signature ?? "" }
        }]
        : [{ text: block.text ?? "" }]
      return [...start, ...deltas.map((delta) => ({ contentBlockDelta: { contentBlockIndex, delta } })), {
        contentBlockStop: { contentBlockIndex }
      }]
    }),
    { messageStop: { stopReason } },
    { metadata: { usage, metrics: { latencyMs: 1 } } }
  ]
}

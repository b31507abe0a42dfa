/**
 * Serves recorded answers of Google, Vertex, Bedrock and Cohere to our AI SDK adapter, through the providers' own
 * packages. Those stream only; a document in one piece goes as the one event, or the few events, that a stream would
 * have had.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider"
import { AiSdk } from "@daylight/providers/ai-sdk"
import * as Effect from "effect/Effect"
import { loopback } from "../support/Loopback.ts"
import { answer } from "../support/Requests.ts"
import type { Language, Recording } from "./Corpus.ts"
import { dataOf } from "./Reading.ts"

export const streamed = ["gemini", "vertex", "bedrock", "cohere"] as const satisfies ReadonlyArray<Language>
export type Streamed = (typeof streamed)[number]

/** The packages, by language. A language whose package is not installed is missing. */
const packages: Readonly<Record<Streamed, string>> = {
  gemini: "@ai-sdk/google",
  vertex: "@ai-sdk/google-vertex",
  bedrock: "@ai-sdk/amazon-bedrock",
  cohere: "@ai-sdk/cohere"
}

/** Names of packages that would have to be installed to play everything. */
export const missingPackages = Effect.promise(async () => {
  const missing: Array<string> = []
  for (const name of Object.values(packages)) if (await load(name) === undefined) missing.push(name)
  return missing
})

type Loaded = any // a module that is only there where somebody installed it

const load = (name: string): Promise<Loaded> => import(name).catch(() => undefined)

export const makeAiSdkPlayer = Effect.gen(function*() {
  let playing: { readonly status: number; readonly type: string; readonly body: Uint8Array } | undefined
  const server = yield* loopback((_, response) => {
    if (playing === undefined) throw new Error("nothing to play")
    response.writeHead(playing.status, { "content-type": playing.type })
    response.end(playing.body)
  })
  const modules = yield* Effect.promise(async () => ({
    gemini: await load(packages.gemini),
    vertex: await load(packages.vertex),
    bedrock: await load(packages.bedrock),
    cohere: await load(packages.cohere),
    codec: await load("@smithy/eventstream-codec"),
    utf8: await load("@smithy/util-utf8")
  }))
  const options = { apiKey: "none", baseURL: server.url }
  const models: Readonly<Record<Streamed, LanguageModelV4 | undefined>> = {
    gemini: modules.gemini?.createGoogleGenerativeAI(options)("gemini-recorded"),
    vertex: modules.vertex?.createVertex(options)("gemini-recorded"),
    bedrock: modules.bedrock?.createAmazonBedrock({ ...options, region: "us-east-1" })("recorded"),
    cohere: modules.cohere?.createCohere(options)("command-recorded")
  }
  const binary = (events: ReadonlyArray<object>) => {
    const codec = new modules.codec.EventStreamCodec(modules.utf8.toUtf8, modules.utf8.fromUtf8)
    return Buffer.concat(
      events.flatMap((event) => Object.entries(event)).map(([type, payload]) =>
        codec.encode({
          headers: {
            ":event-type": { type: "string", value: type },
            ":message-type": { type: "string", value: "event" },
            ":content-type": { type: "string", value: "application/json" }
          },
          body: Buffer.from(JSON.stringify(payload))
        })
      )
    )
  }
  return (recording: Recording) =>
    Effect.gen(function*() {
      const language = recording.language as Streamed
      const model = models[language]
      if (model === undefined) return undefined
      if (recording.status !== 200) {
        playing = { status: recording.status, type: "application/json", body: recording.body }
      } else if (language === "bedrock") {
        playing = { status: 200, type: "application/vnd.amazon.eventstream", body: binary(bedrockEvents(recording)) }
      } else playing = { status: 200, type: "text/event-stream", body: asEvents(recording) }
      return yield* answer(yield* AiSdk.make(model))
    })
})

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

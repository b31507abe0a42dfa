/**
 * What an adapter costs over the SDK it goes through: per streamed delta, and when it is imported. The stream comes
 * from memory, one piece for each delta, so that no network is measured; the SDK's own iteration is the yardstick.
 */
import AnthropicSdk from "@anthropic-ai/sdk"
import { Model, type ModelError, type ModelPart, type ModelRequest } from "@daylight/core"
import { Anthropic } from "@daylight/providers/anthropic"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import OpenAI from "openai"
import { importTimes } from "./start/Fresh.ts"
import { importsOf } from "./start/Imports.ts"
import type { Line } from "./support/Figure.ts"
import { inRounds } from "./support/Rounds.ts"
import { type Samples, summaryOf, summaryOfNumbers } from "./support/Samples.ts"
import { printTable } from "./support/Table.ts"

const deltas = 2_000

const sse = (type: string, data: object) =>
  new TextEncoder().encode(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
const chunk = (delta: object, finish_reason: string | null = null) =>
  sse("message", {
    id: "c",
    object: "chat.completion.chunk",
    model: "m",
    choices: [{ index: 0, delta, finish_reason }]
  })

const pieces = {
  chat: [
    ...Array.from({ length: deltas }, () => chunk({ content: "word " })),
    chunk({}, "stop"),
    new TextEncoder().encode("data: [DONE]\n\n")
  ],
  responses: [
    sse("response.created", {
      type: "response.created",
      response: { id: "r", model: "m", status: "in_progress", output: [] }
    }),
    ...Array.from(
      { length: deltas },
      (_, n) =>
        sse("response.output_text.delta", {
          type: "response.output_text.delta",
          output_index: 0,
          sequence_number: n,
          delta: "word "
        })
    ),
    sse("response.completed", {
      type: "response.completed",
      response: { id: "r", model: "m", status: "completed", output: [] }
    })
  ],
  messages: [
    sse("message_start", {
      type: "message_start",
      message: { id: "m", model: "m", content: [], usage: { input_tokens: 1, output_tokens: 1 } }
    }),
    sse("content_block_start", { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...Array.from(
      { length: deltas },
      () =>
        sse("content_block_delta", {
          type: "content_block_delta",
          index: 0,
          delta: { type: "text_delta", text: "word " }
        })
    ),
    sse("message_delta", { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } }),
    sse("message_stop", { type: "message_stop" })
  ]
}

const fetching = (body: ReadonlyArray<Uint8Array>) => () =>
  Promise.resolve(new Response(ReadableStream.from(body), { headers: { "content-type": "text/event-stream" } }))

const request: ModelRequest = {
  purpose: "answer",
  system: "",
  messages: [{ _tag: "User", content: [{ _tag: "Text", text: "go" }] }],
  actions: [],
  choice: "none",
  maxOutputTokens: 100,
  media: () => Effect.die(new Error("there is no media"))
}

const settings = { apiKey: "none", maxRetries: 0, logLevel: "off" as const }
const sdk = {
  chat: async () => {
    const client = new OpenAI({ ...settings, fetch: fetching(pieces.chat) })
    let count = 0
    for await (const event of await client.chat.completions.create({ model: "m", messages: [], stream: true })) {
      if (event.choices[0]?.delta.content) count++
    }
    return count
  },
  responses: async () => {
    const client = new OpenAI({ ...settings, fetch: fetching(pieces.responses) })
    let count = 0
    for await (const event of await client.responses.create({ model: "m", input: "go", stream: true })) {
      if (event.type === "response.output_text.delta") count++
    }
    return count
  },
  messages: async () => {
    const client = new AnthropicSdk({ ...settings, fetch: fetching(pieces.messages) })
    let count = 0
    for await (const event of await client.messages.create({ model: "m", max_tokens: 9, messages: [], stream: true })) {
      if (event.type === "content_block_delta") count++
    }
    return count
  }
}

const counted = (stream: Stream.Stream<ModelPart, ModelError>) => {
  let count = 0
  return Effect.as(
    Stream.runForEachArray(stream, (parts) => {
      for (const part of parts) if (part._tag === "TextDelta") count++
      return Effect.void
    }),
    () => count
  ).pipe(Effect.map((count) => count()))
}

const adapters = {
  chat: OpenAi.make({ model: "m", api: "chat", apiKey: "none", fetch: fetching(pieces.chat) }),
  responses: OpenAi.make({ model: "m", api: "responses", apiKey: "none", fetch: fetching(pieces.responses) }),
  messages: Anthropic.make({ model: "m", apiKey: "none", fetch: fetching(pieces.messages) })
}

type Language = keyof typeof pieces

const adapter = (language: Language, wrap: (model: Model["Service"]) => Model["Service"]) => () =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(adapters[language], (model) => counted(wrap(model).stream(request)))))

const checked = (run: () => Promise<number>) => ({
  units: deltas,
  run: async () => {
    const count = await run()
    if (count !== deltas) throw new Error(`${count} deltas of ${deltas} arrived`)
  }
})

/** What `a` takes more than `b`, in the same rounds. */
const more = (a: Samples, b: Samples) => summaryOfNumbers(a.rounds.map((sample, round) => sample - b.rounds[round]!))

const overhead = async (language: Language): Promise<ReadonlyArray<Line>> => {
  const samples = await inRounds({
    sdk: checked(sdk[language]),
    plain: checked(adapter(language, (model) => model)),
    resilient: checked(adapter(language, Model.resilient))
  }, { rounds: 15, warmUp: 5 })
  return [
    { what: `${language}: delta through the SDK alone`, unit: "us", ...summaryOf(samples.sdk) },
    { what: "  more through the adapter", unit: "us", bar: 20, ...more(samples.plain, samples.sdk) },
    { what: "  watched, repeated and continued as well", unit: "us", ...more(samples.resilient, samples.sdk) }
  ]
}

const imports = (): ReadonlyArray<Line> =>
  (["openai", "anthropic", "ai-sdk", "effect-ai"] as const).map((name) => {
    const modules = [...importsOf(new URL(import.meta.resolve(`@daylight/providers/${name}`)))]
    const before = [
      "@daylight/core",
      ...modules.filter((module) => !module.startsWith("@daylight/") && !module.startsWith("node:"))
    ]
    const times = Array.from({ length: 9 }, () => importTimes(before, [`@daylight/providers/${name}`])[1])
    return {
      what: `import of @daylight/providers/${name} beyond core and its SDK`,
      unit: "ms",
      bar: 50,
      ...summaryOfNumbers(times)
    }
  })

await printTable("Providers", async () => [
  ...await overhead("chat"),
  ...await overhead("responses"),
  ...await overhead("messages"),
  ...imports()
])

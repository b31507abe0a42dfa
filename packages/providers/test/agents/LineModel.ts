/** A language model of `effect/ai` over real sockets: it posts the prompt, and reads a part from each line. */
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export const lineModel = (url: string): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: () => Effect.die(new Error("only streams are asked for")),
      streamText: ({ prompt, tools }) =>
        Stream.unwrap(Effect.map(
          post(url, { prompt: prompt.content, tools: tools.map((tool) => ({ name: tool.name })) }),
          (body) =>
            Stream.fromAsyncIterable(body, network).pipe(
              Stream.decodeText,
              Stream.splitLines,
              Stream.map((line) => JSON.parse(line) as Response.StreamPartEncoded)
            )
        ))
    })
  )

const post = (url: string, body: object) =>
  Effect.tryPromise({
    try: (signal) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal
      }),
    catch: network
  }).pipe(
    Effect.flatMap((response) =>
      response.ok && response.body !== null
        ? Effect.succeed(response.body)
        : Effect.fail(failed(new AiError.InternalProviderError({ description: `status ${response.status}` })))
    )
  )

const network = (cause: unknown) => failed(new AiError.InternalProviderError({ description: String(cause) }))

const failed = (reason: AiError.AiErrorReason) => AiError.make({ module: "Line", method: "streamText", reason })

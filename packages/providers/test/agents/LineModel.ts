/** A language model of `effect/ai` over real sockets: it posts the prompt, and reads a part from each line. */
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export const lineModel = (url: string): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.flatMap(HttpClient.HttpClient, (client) =>
      LanguageModel.make({
        generateText: () => Effect.die(new Error("only streams are asked for")),
        streamText: ({ prompt, tools }) =>
          HttpClientResponse.stream(
            HttpClient.filterStatusOk(client).execute(
              HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(url), {
                prompt: prompt.content,
                tools: tools.map((tool) => ({ name: tool.name }))
              })
            )
          ).pipe(
            Stream.decodeText,
            Stream.splitLines,
            Stream.map((line) => JSON.parse(line) as Response.StreamPartEncoded),
            Stream.mapError((error) =>
              AiError.make({
                module: "Line",
                method: "streamText",
                reason: new AiError.InternalProviderError({ description: error.message })
              })
            )
          )
      }))
  ).pipe(Layer.provide(FetchHttpClient.layer))

/**
 * Models of OpenAI and of every server that speaks its language (vLLM, llama.cpp, Ollama, LM Studio, OpenRouter, …),
 * through the `openai` package. One call is one attempt: the SDK's own retries are off, since ours hold for all
 * providers.
 */
import { type InvalidInput, Model, type ModelRequest, type Price } from "@daylight/core"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import OpenAI from "openai"
import { namesOf } from "../internal/ActionNames.ts"
import { type ApiKey, apiKey } from "../internal/ApiKey.ts"
import { withMedia } from "../internal/Media.ts"
import { infoOf } from "../internal/Numbers.ts"
import { sdkCall, sdkStream } from "../internal/SdkStream.ts"
import { type Fetch, fetchOf } from "../internal/Sockets.ts"
import { watching } from "../internal/Wire.ts"
import { chatDecoder } from "./ChatDecoder.ts"
import { chatRequests } from "./ChatRequest.ts"
import { adapt, type Dialect } from "./Dialect.ts"
import { responsesDecoder } from "./ResponsesDecoder.ts"
import { responsesRequests } from "./ResponsesRequest.ts"

export interface OpenAiOptions {
  readonly model: string
  /** Default: `responses` at OpenAI itself, `chat` where a `baseUrl` leads elsewhere. */
  readonly api?: "responses" | "chat" | undefined
  /** Default: `OPENAI_BASE_URL`, else OpenAI. */
  readonly baseUrl?: string | undefined
  /**
   * Default: the environment variable of `apiKeyVariable`. Only OpenAI itself, and a variable that is named, insist on
   * one.
   */
  readonly apiKey?: ApiKey | undefined
  /** Default `OPENAI_API_KEY`. */
  readonly apiKeyVariable?: string | undefined
  /** Names the provider in events, errors, prices and `providerOptions`. Default `openai`. */
  readonly provider?: string | undefined
  /** Tokens. Default: from the catalogue, else 128,000 at OpenAI and 32,768 elsewhere. */
  readonly contextWindow?: number | undefined
  /** Tokens. Default: from the catalogue, else 16,384 at OpenAI and 4,096 elsewhere. */
  readonly maxOutputTokens?: number | undefined
  /** Default: from the catalogue. */
  readonly price?: Price | undefined
  /** Default true. */
  readonly toolCalling?: boolean | undefined
  /** Joins turns of one role, for chat templates that refuse two user turns in a row. Default false. */
  readonly strictAlternation?: boolean | undefined
  /**
   * Takes inline `<think>` … `</think>` at the head of an answer for reasoning; `implied` where the template already
   * opened it. Default: true where a `baseUrl` leads away from OpenAI.
   */
  readonly thinkTags?: boolean | "implied" | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: the platform's, with sockets of its own that close with the layer. */
  readonly fetch?: Fetch | undefined
}

/**
 * A model. Fails with `InvalidInput` where a key is missing, naming its variable. Closing the scope closes its sockets.
 *
 * **Example** (A local server)
 *
 * ```ts
 * const local = OpenAi.layer({ model: "qwen3-coder", baseUrl: "http://127.0.0.1:8080/v1" })
 * ```
 */
export const layer = (options: OpenAiOptions): Layer.Layer<Model, InvalidInput> => Layer.effect(Model, make(options))

/** The service behind `layer`, for who composes models by hand. */
export const make = Effect.fnUntraced(
  function*(options: OpenAiOptions): Effect.fn.Return<Model["Service"], InvalidInput, Scope.Scope> {
    const baseUrl = options.baseUrl ??
      Option.getOrUndefined(yield* Effect.orElseSucceed(Config.option(Config.String("OPENAI_BASE_URL")), Option.none))
    const own = baseUrl === undefined || /^https:\/\/[^/]*(?:\.openai\.com|\.azure\.com)(?:[:/]|$)/.test(baseUrl)
    const key = yield* apiKey({
      subject: `OpenAi.layer({ model: ${JSON.stringify(options.model)} })`,
      given: options.apiKey,
      variable: options.apiKeyVariable ?? "OPENAI_API_KEY",
      optional: !own && options.apiKeyVariable === undefined
    })
    const secret = key === undefined ? undefined : Redacted.value(key)
    const fetch = watching(yield* fetchOf(options.fetch))
    const client = new OpenAI({
      apiKey: secret ?? "none",
      baseURL: baseUrl ?? "https://api.openai.com/v1",
      maxRetries: 0,
      logLevel: "off",
      // The idle watchdog and the run's own limits decide how long is too long.
      timeout: 3_600_000,
      fetch,
      ...(options.headers === undefined ? undefined : { defaultHeaders: options.headers })
    })
    const info = infoOf(options.provider ?? "openai", options, own ? hosted : local)
    const secrets = secret === undefined ? [] : [secret]
    const api = options.api ?? (own ? "responses" : "chat")
    const dialect: Dialect = {
      provider: info.provider,
      model: info.model,
      strictAlternation: info.strictAlternation,
      maxTokensField: own ? "max_completion_tokens" : "max_tokens",
      refused: new Set()
    }
    const stream = api === "chat"
      ? viaChat(client, dialect, secrets, options.thinkTags ?? !own)
      : viaResponses(client, dialect, secrets)
    return { info, stream }
  }
)

const hosted = { contextWindow: 128_000, maxOutputTokens: 16_384 }
const local = { contextWindow: 32_768, maxOutputTokens: 4_096 }

const viaChat = (client: OpenAI, dialect: Dialect, secrets: ReadonlyArray<string>, thinkTags: boolean | "implied") => {
  const build = chatRequests(dialect)
  return (request: ModelRequest) =>
    sdkStream(Effect.gen(function*() {
      const clock = yield* Clock.Clock
      const now = () => clock.currentTimeMillisUnsafe()
      const body = yield* withMedia((media) => build(request, media), request)
      return sdkCall(dialect, secrets, {
        send: (signal) =>
          adapt(dialect, body, (body) => client.chat.completions.create(body, { signal }).withResponse()),
        decoder: (wire) =>
          chatDecoder({
            provider: dialect.provider,
            model: dialect.model,
            actionName: namesOf(request.actions).fromWire,
            thinkTags,
            complete: () => wire()?.complete() ?? false,
            now
          })
      })
    }))
}

const viaResponses = (client: OpenAI, dialect: Dialect, secrets: ReadonlyArray<string>) => {
  const build = responsesRequests(dialect)
  return (request: ModelRequest) =>
    sdkStream(Effect.gen(function*() {
      const clock = yield* Clock.Clock
      const now = () => clock.currentTimeMillisUnsafe()
      const body = yield* withMedia((media) => build(request, media), request)
      return sdkCall(dialect, secrets, {
        send: (signal) => adapt(dialect, body, (body) => client.responses.create(body, { signal }).withResponse()),
        decoder: () =>
          responsesDecoder({
            provider: dialect.provider,
            model: dialect.model,
            actionName: namesOf(request.actions).fromWire,
            now
          })
      })
    }))
}

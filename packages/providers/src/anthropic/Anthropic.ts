/**
 * Models of Anthropic, and of servers that speak the Messages API, through the `@anthropic-ai/sdk` package. One call is
 * one attempt: the SDK's own retries are off, since ours hold for all providers.
 */
import AnthropicSdk from "@anthropic-ai/sdk"
import { type InvalidInput, Model, type Price } from "@daylight/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { namesOf } from "../internal/ActionNames.ts"
import { type ApiKey, apiKey } from "../internal/ApiKey.ts"
import { withMedia } from "../internal/Media.ts"
import { infoOf } from "../internal/Numbers.ts"
import { sdkCall, sdkStream } from "../internal/SdkStream.ts"
import { type Fetch, fetchOf } from "../internal/Sockets.ts"
import { watching } from "../internal/Wire.ts"
import { messagesDecoder, type MessagesEvent } from "./MessagesDecoder.ts"
import { messagesRequests } from "./MessagesRequest.ts"

export interface AnthropicOptions {
  readonly model: string
  /**
   * Default: the environment variable of `apiKeyVariable`. Only Anthropic itself, and a variable that is named, insist
   * on one.
   */
  readonly apiKey?: ApiKey | undefined
  /** Default `ANTHROPIC_API_KEY`. */
  readonly apiKeyVariable?: string | undefined
  /** Default: Anthropic. */
  readonly baseUrl?: string | undefined
  /** Names the provider in events, errors, prices and `providerOptions`. Default `anthropic`. */
  readonly provider?: string | undefined
  /** Tokens. Default: from the catalogue, else 200,000. */
  readonly contextWindow?: number | undefined
  /** Tokens. Default: from the catalogue, else 32,000. */
  readonly maxOutputTokens?: number | undefined
  /** Default: from the catalogue. */
  readonly price?: Price | undefined
  /** Marks the stable part of the prompt for the provider's cache. Default true. */
  readonly promptCache?: boolean | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: the platform's, with sockets of its own that close with the layer. */
  readonly fetch?: Fetch | undefined
}

/**
 * A model. Fails with `InvalidInput` where a key is missing, naming its variable. Closing the scope closes its sockets.
 *
 * **Example** (A key from the environment)
 *
 * ```ts
 * const claude = Anthropic.layer({ model: "claude-sonnet-5" })
 * ```
 */
export const layer = (options: AnthropicOptions): Layer.Layer<Model, InvalidInput> => Layer.effect(Model, make(options))

/** The service behind `layer`, for who composes models by hand. */
export const make = Effect.fnUntraced(
  function*(options: AnthropicOptions): Effect.fn.Return<Model["Service"], InvalidInput, Scope.Scope> {
    const own = options.baseUrl === undefined || /^https:\/\/[^/]*\.anthropic\.com(?:[:/]|$)/.test(options.baseUrl)
    const key = yield* apiKey({
      subject: `Anthropic.layer({ model: ${JSON.stringify(options.model)} })`,
      given: options.apiKey,
      variable: options.apiKeyVariable ?? "ANTHROPIC_API_KEY",
      optional: !own && options.apiKeyVariable === undefined
    })
    const secret = key === undefined ? undefined : Redacted.value(key)
    const client = new AnthropicSdk({
      apiKey: secret ?? "none",
      authToken: null,
      baseURL: options.baseUrl ?? "https://api.anthropic.com",
      maxRetries: 0,
      logLevel: "off",
      // The idle watchdog and the run's own limits decide how long is too long.
      timeout: 3_600_000,
      fetch: watching(yield* fetchOf(options.fetch)),
      ...(options.headers === undefined ? undefined : { defaultHeaders: options.headers })
    })
    const info = infoOf(options.provider ?? "anthropic", options, { contextWindow: 200_000, maxOutputTokens: 32_000 })
    const secrets = secret === undefined ? [] : [secret]
    const build = messagesRequests({ provider: info.provider, model: info.model, cache: options.promptCache ?? true })
    return {
      info,
      stream: (request) =>
        sdkStream(Effect.gen(function*() {
          const clock = yield* Clock.Clock
          const body = yield* withMedia((media) => build(request, media), request)
          return sdkCall<MessagesEvent>(info, secrets, {
            send: (signal) => client.messages.create(body, { signal }).withResponse(),
            decoder: () =>
              messagesDecoder({
                provider: info.provider,
                model: info.model,
                actionName: namesOf(request.actions).fromWire,
                now: () => clock.currentTimeMillisUnsafe()
              })
          })
        }))
    }
  }
)

/**
 * Models by a name of the form `provider:model`, as a command line gives it. The adapter and its SDK are loaded when
 * the model is built, so knowing the names loads nothing.
 */
import { InvalidInput, type Model } from "@daylight/core"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ApiKey } from "./internal/ApiKey.ts"
import { cloudLayer, isCloud } from "./internal/Cloud.ts"
import { load } from "./internal/LoadPackage.ts"
import { type NamedProvider, providers } from "./NamedProvider.ts"

export { type NamedProvider, providers }

export interface NamedOptions {
  /** In place of the provider's own address. */
  readonly baseUrl?: string | undefined
  /**
   * Default: the provider's environment variable. It must be there at the provider's own address; elsewhere the key is
   * sent if there is one, and never the key of another provider.
   */
  readonly apiKey?: ApiKey | undefined
  /** Tokens. Default: from the catalogue, else assumed. */
  readonly contextWindow?: number | undefined
  /** Tokens. Default: from the catalogue, else assumed. */
  readonly maxOutputTokens?: number | undefined
}

/**
 * The model of this name. Without a provider in it, `baseUrl` says where: `layer("qwen3", { baseUrl })`. Fails with
 * `InvalidInput` for a provider that nobody knows, a missing key, and an SDK that is not installed.
 */
export const layer = (name: string, options: NamedOptions = {}): Layer.Layer<Model, InvalidInput> =>
  Layer.unwrap(Effect.gen(function*() {
    const { model, provider } = yield* read(name, options)
    if (isCloud(provider.name)) return yield* cloudLayer(provider.name, provider, model, options)
    const settings = {
      model,
      provider: provider.name,
      baseUrl: options.baseUrl ?? provider.baseUrl,
      apiKey: yield* keyOf(provider, options),
      apiKeyVariable: options.baseUrl === undefined ? provider.variable : undefined,
      contextWindow: options.contextWindow,
      maxOutputTokens: options.maxOutputTokens
    }
    if (provider.name === "anthropic") {
      const { Anthropic } = yield* load("@anthropic-ai/sdk", () => import("./anthropic.ts"))
      return Anthropic.layer(settings)
    }
    const { OpenAi } = yield* load("openai", () => import("./openai.ts"))
    return OpenAi.layer(settings)
  }))

const read = (name: string, { baseUrl }: NamedOptions) => {
  const subject = `model ${JSON.stringify(name)}`
  const at = name.indexOf(":")
  const known = providers.find((provider) => provider.name === name.slice(0, Math.max(0, at)))
  if (known !== undefined && name.length > at + 1) return Effect.succeed({ provider: known, model: name.slice(at + 1) })
  // Names of local models have colons too (`qwen3:8b`), so with an address the whole name counts.
  if (baseUrl !== undefined && name !== "") {
    return Effect.succeed({ provider: providers[0]!, model: name })
  }
  return Effect.fail(
    new InvalidInput({
      subject,
      problem: known === undefined ? "its provider is not known" : "it names no model",
      remedy: `Write provider:model with one of ${
        providers.map((provider) => provider.name).join(", ")
      }, or give a base URL`
    })
  )
}

/** Undefined leaves it to the adapter, which knows when the key of its own provider is needed. */
const keyOf = (
  { baseUrl: address, variable }: NamedProvider,
  { apiKey, baseUrl }: NamedOptions
): Effect.Effect<ApiKey | undefined> => {
  if (apiKey !== undefined || address === undefined) return Effect.succeed(apiKey)
  if (variable === undefined) return Effect.succeed(false)
  if (baseUrl === undefined) return Effect.succeed(apiKey)
  return Config.option(Config.Redacted(variable)).pipe(
    Effect.map(Option.getOrElse(() => false as const)),
    Effect.orElseSucceed(() => false as const)
  )
}

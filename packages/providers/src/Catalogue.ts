/**
 * Context windows, output limits and prices of widespread models, by provider. A dated table: what is not in it works
 * with numbers of one's own, given to the model's layer.
 */
import type { Price } from "@daylight/core"

export interface CatalogueEntry {
  readonly provider: string
  readonly model: string
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number
  /** Tokens of one answer. */
  readonly maxOutputTokens: number
  readonly price: Price
}

/**
 * The entry of a model: by its exact name, else without the date or version at its end (`gpt-5.1-2025-11-13`,
 * `claude-opus-4-5-20251101`, `…-latest`). Names of Bedrock and Vertex are read as those of the maker.
 */
export const find = (provider: string, model: string): CatalogueEntry | undefined => {
  const { maker, name } = readName(provider, model)
  const at = (name: string) => byName.get(`${maker} ${name}`)
  return at(name) ?? at(name.replace(/[-@](?:\d{4}-?\d{2}-?\d{2}|\d{2}-\d{4}|latest|preview)$/, ""))
}

/** All entries, those of one provider if given. */
export const list = (provider?: string): ReadonlyArray<CatalogueEntry> =>
  provider === undefined ? entries : entries.filter((entry) => entry.provider === provider)

const readName = (provider: string, model: string) => {
  const name = model.toLowerCase()
  const bedrock = /^(?:[a-z]+\.)?(anthropic)\.(.+?)(?:-v\d+(?::\d+)?)?$/.exec(name)
  if (bedrock !== null) return { maker: bedrock[1]!, name: bedrock[2]! }
  if (provider === "azure") return { maker: "openai", name }
  if (/^(?:google|vertex)/.test(provider)) return { maker: name.startsWith("claude") ? "anthropic" : "google", name }
  return { maker: provider, name }
}

/** Model, context window, output limit; then dollars per million tokens: input, output, cache read, cache write. */
type Row = readonly [string, number, number, number, number, number, number]

/**
 * Prices are those of standard calls: what a provider adds for very long prompts is not in them, of prices that change
 * by the hour the highest is. `cache write` is the input price where writing costs nothing extra.
 */
const date = "2026-11-30"
const source = "@pydantic/genai-prices 0.1.8; output limits: llm-zoo 1.37.0"

const table: Readonly<Record<string, ReadonlyArray<Row>>> = {
  openai: [
    ["chatgpt-4o-latest", 128_000, 16_384, 5, 15, 5, 5],
    ["gpt-3.5-turbo", 16_385, 4_096, 0.5, 1.5, 0.5, 0.5],
    ["gpt-4", 8_192, 4_096, 30, 60, 30, 30],
    ["gpt-4-turbo", 128_000, 4_096, 10, 30, 10, 10],
    ["gpt-4.1", 1_000_000, 32_768, 2, 8, 0.5, 2],
    ["gpt-4.1-mini", 1_000_000, 32_768, 0.4, 1.6, 0.1, 0.4],
    ["gpt-4.1-nano", 1_000_000, 32_768, 0.1, 0.4, 0.025, 0.1],
    ["gpt-4o", 128_000, 16_384, 2.5, 10, 1.25, 2.5],
    ["gpt-4o-mini", 128_000, 16_384, 0.15, 0.6, 0.075, 0.15],
    ["gpt-5", 400_000, 128_000, 1.25, 10, 0.125, 1.25],
    ["gpt-5-mini", 400_000, 128_000, 0.25, 2, 0.025, 0.25],
    ["gpt-5-nano", 400_000, 128_000, 0.05, 0.4, 0.005, 0.05],
    ["gpt-5-pro", 400_000, 272_000, 15, 120, 15, 15],
    ["gpt-5.1", 400_000, 128_000, 1.25, 10, 0.125, 1.25],
    ["gpt-5.2", 400_000, 128_000, 1.75, 14, 0.175, 1.75],
    ["gpt-5.2-pro", 400_000, 128_000, 21, 168, 21, 21],
    ["gpt-5.3", 128_000, 128_000, 1.75, 14, 0.175, 1.75],
    ["gpt-5.3-codex", 400_000, 128_000, 1.75, 14, 0.175, 1.75],
    ["gpt-5.4", 1_050_000, 128_000, 2.5, 15, 0.25, 2.5],
    ["gpt-5.4-mini", 400_000, 128_000, 0.75, 4.5, 0.075, 0.75],
    ["gpt-5.4-nano", 400_000, 128_000, 0.2, 1.25, 0.02, 0.2],
    ["gpt-5.4-pro", 1_050_000, 128_000, 30, 180, 30, 30],
    ["gpt-5.5", 1_000_000, 128_000, 5, 30, 0.5, 5],
    ["gpt-5.5-pro", 1_000_000, 128_000, 30, 180, 30, 30],
    ["gpt-5.6-luna", 1_050_000, 128_000, 0.2, 1.2, 0.02, 0.25],
    ["gpt-5.6-sol", 1_050_000, 128_000, 4, 20, 0.4, 5],
    ["gpt-5.6-terra", 1_050_000, 128_000, 2, 12, 0.2, 2.5],
    ["gpt-6-astra", 1_050_000, 128_000, 10, 50, 1, 12.5],
    ["gpt-6-luna", 1_050_000, 128_000, 0.1, 0.5, 0.01, 0.125],
    ["gpt-6-sol", 1_050_000, 128_000, 2, 10, 0.2, 2.5],
    ["o1", 200_000, 100_000, 15, 60, 7.5, 15],
    ["o1-mini", 128_000, 65_536, 1.1, 4.4, 0.55, 1.1],
    ["o1-pro", 200_000, 100_000, 150, 600, 150, 150],
    ["o3", 200_000, 100_000, 2, 8, 0.5, 2],
    ["o3-mini", 200_000, 100_000, 1.1, 4.4, 0.55, 1.1],
    ["o3-pro", 200_000, 100_000, 20, 80, 20, 20],
    ["o4-mini", 200_000, 100_000, 1.1, 4.4, 0.275, 1.1]
  ],
  anthropic: [
    ["claude-3-5-haiku", 200_000, 8_192, 0.8, 4, 0.08, 1],
    ["claude-3-5-sonnet", 200_000, 8_192, 3, 15, 0.3, 3.75],
    ["claude-3-7-sonnet", 200_000, 64_000, 3, 15, 0.3, 3.75],
    ["claude-3-haiku", 200_000, 8_192, 0.25, 1.25, 0.03, 0.3],
    ["claude-3-opus", 200_000, 4_096, 15, 75, 1.5, 18.75],
    ["claude-3-sonnet", 200_000, 8_192, 3, 15, 0.3, 3.75],
    ["claude-fable-5", 1_000_000, 128_000, 10, 50, 1, 12.5],
    ["claude-fable-5-1", 1_000_000, 128_000, 10, 50, 0.25, 12.5],
    ["claude-haiku-4-5", 200_000, 64_000, 1, 5, 0.1, 1.25],
    ["claude-opus-4-0", 200_000, 8_192, 15, 75, 1.5, 18.75],
    ["claude-opus-4-1", 200_000, 32_000, 15, 75, 1.5, 18.75],
    ["claude-opus-4-5", 200_000, 64_000, 5, 25, 0.5, 6.25],
    ["claude-opus-4-6", 1_000_000, 128_000, 5, 25, 0.5, 6.25],
    ["claude-opus-4-7", 1_000_000, 128_000, 5, 25, 0.5, 6.25],
    ["claude-opus-4-8", 1_000_000, 128_000, 5, 25, 0.5, 6.25],
    ["claude-opus-5", 1_000_000, 128_000, 5, 25, 0.5, 6.25],
    ["claude-opus-5-5", 1_000_000, 128_000, 4, 20, 0.2, 5],
    ["claude-sonnet-4-0", 200_000, 8_192, 3, 15, 0.3, 3.75],
    ["claude-sonnet-4-5", 200_000, 64_000, 3, 15, 0.3, 3.75],
    ["claude-sonnet-4-6", 1_000_000, 64_000, 3, 15, 0.3, 3.75],
    ["claude-sonnet-5", 1_000_000, 128_000, 2, 10, 0.2, 2.5]
  ],
  google: [
    ["gemini-2.0-flash", 1_000_000, 8_192, 0.1, 0.4, 0.025, 0.1],
    ["gemini-2.0-flash-lite", 1_000_000, 8_192, 0.075, 0.3, 0.075, 0.075],
    ["gemini-2.5-flash", 1_048_576, 65_536, 0.3, 2.5, 0.03, 0.3],
    ["gemini-2.5-flash-lite", 1_000_000, 65_536, 0.1, 0.4, 0.01, 0.1],
    ["gemini-2.5-pro", 1_048_576, 65_536, 1.25, 10, 0.125, 1.25],
    ["gemini-3-flash-preview", 1_000_000, 65_536, 0.5, 3, 0.05, 0.5],
    ["gemini-3-pro-preview", 1_048_576, 65_536, 2, 12, 0.2, 2],
    ["gemini-3.1-flash-lite", 1_000_000, 65_536, 0.25, 1.5, 0.025, 0.25],
    ["gemini-3.1-pro-preview", 1_048_576, 65_536, 2, 12, 0.2, 2],
    ["gemini-3.5-flash", 1_000_000, 65_536, 1.5, 9, 0.15, 1.5],
    ["gemini-3.5-flash-lite", 1_000_000, 65_536, 0.3, 2.5, 0.03, 0.3],
    ["gemini-3.6-flash", 1_000_000, 65_536, 1.5, 7.5, 0.15, 1.5],
    ["gemini-3.7-flash", 1_000_000, 65_536, 1.5, 7.5, 0.15, 1.5],
    ["gemini-3.8-flash", 1_000_000, 65_536, 1.5, 7.5, 0.15, 1.5]
  ],
  xai: [
    ["grok-3", 131_072, 32_768, 3, 15, 0.75, 3],
    ["grok-3-fast", 131_072, 32_768, 5, 25, 1.25, 5],
    ["grok-3-mini", 131_072, 32_768, 0.3, 0.5, 0.075, 0.3],
    ["grok-3-mini-fast", 131_072, 32_768, 0.6, 4, 0.15, 0.6],
    ["grok-4-1-fast-non-reasoning", 2_000_000, 32_768, 0.2, 0.5, 0.05, 0.2],
    ["grok-4-1-fast-reasoning", 2_000_000, 32_768, 0.2, 0.5, 0.05, 0.2],
    ["grok-4-0709", 256_000, 128_000, 3, 15, 0.75, 3],
    ["grok-4-fast-non-reasoning", 2_000_000, 32_768, 0.2, 0.5, 0.05, 0.2],
    ["grok-4-fast-reasoning", 2_000_000, 32_768, 0.2, 0.5, 0.05, 0.2],
    ["grok-4.3", 1_000_000, 128_000, 1.25, 2.5, 0.2, 1.25],
    ["grok-4.5", 500_000, 128_000, 2, 6, 0.3, 2],
    ["grok-4.6", 500_000, 128_000, 2, 6, 0.5, 2],
    ["grok-4.20", 1_000_000, 32_768, 1.25, 2.5, 0.2, 1.25],
    ["grok-4.20-multi-agent", 1_000_000, 32_768, 2, 6, 0.2, 2],
    ["grok-build-0.1", 256_000, 32_768, 1, 2, 0.2, 1],
    ["grok-code-fast-1", 256_000, 32_768, 0.2, 1.5, 0.02, 0.2]
  ],
  deepseek: [
    ["deepseek-chat", 64_000, 8_192, 0.27, 1.1, 0.07, 0.27],
    ["deepseek-reasoner", 64_000, 64_000, 0.55, 2.19, 0.14, 0.55],
    ["deepseek-v3.1-terminus", 128_000, 8_192, 0.27, 0.95, 0.13, 0.27],
    ["deepseek-v3.2", 128_000, 8_192, 0.2288, 0.3432, 0.2288, 0.2288],
    ["deepseek-v4-flash", 1_000_000, 393_216, 0.22, 0.66, 0.007, 0.22],
    ["deepseek-v4-pro", 1_000_000, 393_216, 0.66, 1.98, 0.022, 0.66]
  ],
  mistral: [
    ["codestral", 256_000, 16_384, 0.3, 0.9, 0.3, 0.3],
    ["devstral-2512", 262_144, 16_384, 0.4, 2, 0.04, 0.4],
    ["ministral-3b-2512", 131_072, 16_384, 0.1, 0.1, 0.01, 0.1],
    ["ministral-8b-2512", 262_144, 16_384, 0.15, 0.15, 0.015, 0.15],
    ["ministral-14b-2512", 262_144, 16_384, 0.2, 0.2, 0.02, 0.2],
    ["mistral-large-2512", 262_144, 16_384, 0.5, 1.5, 0.05, 0.5],
    ["mistral-medium-3-5", 262_144, 16_384, 1.5, 7.5, 0.15, 1.5],
    ["mistral-small-2603", 262_144, 16_384, 0.15, 0.6, 0.015, 0.15]
  ],
  groq: [
    ["meta-llama/llama-4-maverick-17b-128e-instruct", 131_072, 16_384, 0.2, 0.6, 0.2, 0.2],
    ["moonshotai/kimi-k2-instruct", 131_072, 16_384, 1, 3, 0.5, 1],
    ["openai/gpt-oss-20b", 131_072, 16_384, 0.075, 0.3, 0.0375, 0.075],
    ["openai/gpt-oss-120b", 131_072, 16_384, 0.15, 0.6, 0.075, 0.15],
    ["qwen/qwen3-32b", 131_072, 16_384, 0.29, 0.59, 0.29, 0.29]
  ],
  moonshotai: [
    ["kimi-k2.5", 262_144, 64_000, 0.6, 3, 0.1, 0.6],
    ["kimi-k2.6", 262_144, 64_000, 0.95, 4, 0.16, 0.95],
    ["kimi-k2.7-code", 262_144, 64_000, 0.95, 4, 0.19, 0.95],
    ["kimi-k2.7-code-highspeed", 262_144, 16_384, 1.9, 8, 0.38, 1.9],
    ["kimi-k3", 1_048_576, 1_048_576, 3, 15, 0.3, 3],
    ["moonshot-v1-8k", 8_192, 8_192, 0.2, 2, 0.2, 0.2],
    ["moonshot-v1-32k", 32_768, 16_384, 1, 3, 1, 1],
    ["moonshot-v1-128k", 131_072, 64_000, 2, 5, 2, 2]
  ],
  zai: [
    ["glm-5.2", 1_000_000, 131_072, 1.4, 4.4, 0.26, 1.4],
    ["glm-5.3", 1_000_000, 131_072, 1.4, 4.4, 0.26, 1.4],
    ["glm-5.3-flash", 1_000_000, 131_072, 0.075, 0.25, 0.015, 0.075]
  ]
}

const entries: ReadonlyArray<CatalogueEntry> = Object.entries(table).flatMap(([provider, rows]) =>
  rows.map(([model, contextWindow, maxOutputTokens, input, output, cacheRead, cacheWrite]) => ({
    provider,
    model,
    contextWindow,
    maxOutputTokens,
    price: { input, output, cacheRead, cacheWrite, date, source }
  }))
)

const byName: ReadonlyMap<string, CatalogueEntry> = new Map(
  entries.map((entry) => [`${entry.provider} ${entry.model}`, entry])
)

/**
 * Context windows, output limits and prices of models, by provider.
 */
import type { Price } from "@daylight/core"

export interface CatalogueEntry {
  readonly provider: string
  readonly model: string
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number
  /** Tokens of one answer. */
  readonly maxOutputTokens: number
  readonly toolCalling: boolean
  readonly price?: Price | undefined
}

const entries: ReadonlyArray<CatalogueEntry> = []

/** By exact name, else without the date at its end (`gpt-5.1-2025-11-13`, `claude-opus-4-5-20251101`, `…-latest`). */
export const find = (provider: string, model: string): CatalogueEntry | undefined => {
  const at = (name: string) => entries.find((entry) => entry.provider === provider && entry.model === name)
  return at(model) ?? at(model.replace(/-(?:\d{4}-?\d{2}-?\d{2}|latest)$/, ""))
}

/** All entries, those of one provider if given. */
export const list = (provider?: string): ReadonlyArray<CatalogueEntry> =>
  provider === undefined ? entries : entries.filter((entry) => entry.provider === provider)

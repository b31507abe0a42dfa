/**
 * What is known of a model before it is called: told by the application, else by the catalogue, else assumed.
 */
import type { ModelInfo, Price } from "@daylight/core"
import * as Catalogue from "../Catalogue.ts"

export interface Told {
  readonly model: string
  readonly contextWindow?: number | undefined
  readonly maxOutputTokens?: number | undefined
  readonly price?: Price | undefined
  readonly toolCalling?: boolean | undefined
  readonly strictAlternation?: boolean | undefined
}

export const infoOf = (
  provider: string,
  told: Told,
  assumed: { readonly contextWindow: number; readonly maxOutputTokens: number }
): ModelInfo => {
  const entry = Catalogue.find(provider, told.model)
  const price = told.price ?? entry?.price
  return {
    provider,
    model: told.model,
    contextWindow: told.contextWindow ?? entry?.contextWindow ?? assumed.contextWindow,
    maxOutputTokens: told.maxOutputTokens ?? entry?.maxOutputTokens ?? assumed.maxOutputTokens,
    toolCalling: told.toolCalling ?? true,
    strictAlternation: told.strictAlternation ?? false,
    ...(price === undefined ? undefined : { price })
  }
}

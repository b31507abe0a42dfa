/** What a model's tokens cost: US dollars per million tokens, as of `date`. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** ISO date on which `source` said so. */
  readonly date: string
  readonly source: string
}

/** Finds the price of a model; `undefined` for one that nobody priced. */
export interface PriceTable {
  readonly find: (provider: string, model: string) => Price | undefined
}

/** What many measurements of one thing say together. */

export interface Summary {
  readonly median: number
  /** The least disturbed one: on a busy machine what comes closest to the truth. */
  readonly min: number
}

export const summaryOf = (samples: ReadonlyArray<number>): Summary => ({
  median: medianOf(samples),
  min: Math.min(...samples)
})

export const medianOf = (samples: ReadonlyArray<number>): number => {
  if (samples.length === 0) throw new Error("There is no median of nothing: no round was measured.")
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * How much `a` is of `b`, measured in the same rounds: the median of the rounds' own ratios, which a disturbance that
 * lasts longer than a round does not move, and the ratio of the two fastest rounds.
 */
export const ratioOf = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): Summary => ({
  median: medianOf(a.map((sample, round) => sample / b[round]!)),
  min: Math.min(...a) / Math.min(...b)
})

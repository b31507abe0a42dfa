/** What many measurements of one thing say together. */

/** What was measured of one contestant, in microseconds. */
export interface Samples {
  /** Per unit, one number a round: everything counts, collecting garbage as well. */
  readonly rounds: ReadonlyArray<number>
  /** Between two marks inside the rounds; empty for a contestant that makes none. */
  readonly intervals: ReadonlyArray<number>
}

export interface Summary {
  readonly median: number
  /** The least disturbed round: on a busy machine what comes closest to the truth. */
  readonly min: number
  /** The median interval: hardly moved by other programs, but blind for what comes seldom. */
  readonly typical?: number | undefined
}

export const summaryOf = ({ intervals, rounds }: Samples): Summary => ({
  ...summaryOfNumbers(rounds),
  typical: intervals.length === 0 ? undefined : medianOf(intervals)
})

export const summaryOfNumbers = (samples: ReadonlyArray<number>): Summary => ({
  median: medianOf(samples),
  min: Math.min(...samples)
})

/**
 * How much `a` is of `b`, measured in the same rounds: the median of the rounds' own ratios, which a disturbance that
 * lasts longer than a round does not move, and the ratios of the two fastest rounds and of the typical intervals.
 */
export const ratioOf = (a: Samples, b: Samples): Summary => {
  const [one, other] = [summaryOf(a), summaryOf(b)]
  return {
    median: medianOf(a.rounds.map((sample, round) => sample / b.rounds[round]!)),
    min: one.min / other.min,
    typical: one.typical === undefined || other.typical === undefined ? undefined : one.typical / other.typical
  }
}

export const medianOf = (samples: ReadonlyArray<number>): number => {
  if (samples.length === 0) throw new Error("There is no median of nothing: no round was measured.")
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Contestants measured in turns, so that what disturbs the machine disturbs them all. Who begins changes from round to
 * round. Nothing is collected on demand in between: a forced collection throws away optimised code.
 */

export interface Contestant {
  /** What one call of `run` is divided by: steps, cells, calls. */
  readonly units: number
  /** Throws if what came out is wrong: a figure of a broken run is worth nothing. */
  readonly run: () => Promise<unknown> | unknown
}

export interface RoundOptions {
  /** Default 21. */
  readonly rounds?: number | undefined
  /** Rounds before the first that counts. Default 6. */
  readonly warmUp?: number | undefined
}

/** Microseconds per unit of each contestant, one number a round. */
export const inRounds = async <Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  { rounds = 21, warmUp = 6 }: RoundOptions = {}
): Promise<Record<Name, ReadonlyArray<number>>> => {
  const names = Object.keys(contestants) as Array<Name>
  const samples = Object.fromEntries(names.map((name) => [name, [] as Array<number>])) as Record<Name, Array<number>>
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length]!
      const { run, units } = contestants[name]
      const started = performance.now()
      await run()
      const elapsed = performance.now() - started
      if (round >= warmUp) samples[name].push((elapsed * 1_000) / units)
      await quiet()
    }
  }
  return samples
}

/** What a contestant left for later is not charged to the next one. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Contestants measured in turns, so that what disturbs the machine disturbs them all. Who begins changes from round to
 * round. Nothing is collected on demand in between: a forced collection throws away optimised code.
 */
import type { Samples } from "./Samples.ts"

export interface Contestant {
  /** What one call of `run` is divided by: steps, cells, calls. */
  readonly units: number
  /**
   * Throws if what came out is wrong: a figure of a broken run is worth nothing. May call `mark` at the same point of
   * each unit, so that the units are timed one by one as well.
   */
  readonly run: (mark: () => void) => Promise<unknown> | unknown
}

export interface RoundOptions {
  /** Default 25. */
  readonly rounds?: number | undefined
  /** Rounds before the first that counts. Default 10. */
  readonly warmUp?: number | undefined
}

/** What each contestant took, in the rounds that count. */
export const inRounds = async <Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  { rounds = 25, warmUp = 10 }: RoundOptions = {}
): Promise<Record<Name, Samples>> => {
  const names = Object.keys(contestants) as Array<Name>
  const samples = Object.fromEntries(names.map((name) => [name, { rounds: [], intervals: [] }])) as unknown as Record<
    Name,
    { readonly rounds: Array<number>; readonly intervals: Array<number> }
  >
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length]!
      const { perUnit, intervals } = await timed(contestants[name])
      if (round < warmUp) continue
      samples[name].rounds.push(perUnit)
      samples[name].intervals.push(...intervals)
    }
  }
  return samples
}

const timed = async ({ run, units }: Contestant) => {
  const marks: Array<number> = []
  const mark = () => void marks.push(performance.now())
  const started = performance.now()
  await run(mark)
  const elapsed = performance.now() - started
  // What a contestant left for later is not charged to the next one.
  await new Promise((resolve) => setImmediate(resolve))
  return { perUnit: (elapsed * 1_000) / units, intervals: marks.slice(1).map((time, i) => (time - marks[i]!) * 1_000) }
}

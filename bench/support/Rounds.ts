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

/** A contestant that does the same several times in each round, for rounds long enough to run at full speed. */
export const several = (times: number, { run, units }: Contestant): Contestant => ({
  units: times * units,
  run: async (mark) => {
    for (let i = 0; i < times; i++) await run(mark)
  }
})

/** One round of one contestant, in microseconds. */
export interface Round {
  readonly perUnit: number
  readonly intervals: ReadonlyArray<number>
}

export interface RoundOptions {
  /** Default 25. */
  readonly rounds?: number | undefined
  /** Rounds before the first that counts. Default 10. */
  readonly warmUp?: number | undefined
}

/** What each contestant took in the rounds that count, all in this process: see `apart` for rivals. */
export const inRounds = <Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  options?: RoundOptions
): Promise<Record<Name, Samples>> =>
  inTurns(Object.keys(contestants) as Array<Name>, (name) => timed(contestants[name]), options)

/** The same, wherever a round is run. */
export const inTurns = async <Name extends string>(
  names: ReadonlyArray<Name>,
  round: (name: Name) => Promise<Round>,
  { rounds = 25, warmUp = 10 }: RoundOptions = {}
): Promise<Record<Name, Samples>> => {
  const samples = Object.fromEntries(names.map((name) => [name, { rounds: [], intervals: [] }])) as unknown as Record<
    Name,
    { readonly rounds: Array<number>; readonly intervals: Array<number> }
  >
  for (let count = 0; count < warmUp + rounds; count++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + count) % names.length]!
      const { perUnit, intervals } = await round(name)
      if (count < warmUp) continue
      samples[name].rounds.push(perUnit)
      samples[name].intervals.push(...intervals)
    }
  }
  return samples
}

/** One round. What it leaves for later is not charged to the next one. */
export const timed = async ({ run, units }: Contestant): Promise<Round> => {
  const marks: Array<number> = []
  const mark = () => void marks.push(performance.now())
  const started = performance.now()
  await run(mark)
  const elapsed = performance.now() - started
  await new Promise((resolve) => setImmediate(resolve))
  return { perUnit: (elapsed * 1_000) / units, intervals: marks.slice(1).map((time, i) => (time - marks[i]!) * 1_000) }
}

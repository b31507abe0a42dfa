/**
 * How fast this machine is right now: a fixed piece of work like the engine's own (small objects, maps, JSON, short
 * closures), warmed before it is timed. Printed beside the figures, so that those of two days can be compared.
 */
import { type Summary, summaryOfNumbers } from "./Samples.ts"

const rounds = 40
const passes = 50

/** Microseconds of one pass. */
export const calibrate = (): Summary => {
  for (let i = 0; i < 40 * passes; i++) pass(i)
  const samples: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    for (let i = 0; i < passes; i++) pass(i)
    samples.push(((performance.now() - started) * 1_000) / passes)
  }
  return summaryOfNumbers(samples)
}

const pass = (seed: number): number => {
  const totals = new Map<string, number>()
  const rows = Array.from(
    { length: 60 },
    (_, i) => ({ region: `r${(i * 7 + seed) % 9}`, amount: i * seed, tags: [i, i + 1] })
  )
  for (const { amount, region } of JSON.parse(JSON.stringify(rows)) as typeof rows) {
    totals.set(region, (totals.get(region) ?? 0) + amount)
  }
  return [...totals].map(([, total]) => total).toSorted((a, b) => a - b).reduce((sum, total) => sum + total, 0)
}

/**
 * Row 4: what a step costs in a run of 1,000 steps, as a multiple of what it costs in one of 100. In each round ten
 * short sessions stand against one long one, so both do the same work.
 */
import type { Line } from "../support/Figure.ts"
import { inRounds } from "../support/Rounds.ts"
import { ratioOf, summaryOf } from "../support/Samples.ts"
import { daylight, functionCall } from "./Agents.ts"

const short = 100
const long = 1_000
let made = 0

const cell = () => ({ code: `const row = await lookup(${++made})\nconst total = row.amount * 2 + row.id\ntotal` })

const run = async (action: "functions" | "tool", steps: number, mark: () => void) => {
  await using agent = daylight(action, steps, action === "tool" ? cell : functionCall, mark)
  const outcome = await agent.run("go")
  if (outcome.text !== "done" || outcome.steps !== steps + 1) {
    throw new Error(`wrong outcome: ${JSON.stringify(outcome)}`)
  }
}

const many = async (action: "functions" | "tool", mark: () => void) => {
  for (let i = 0; i < long / short; i++) await run(action, short, mark)
}

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const samples = await inRounds({
    shortCells: { units: long, run: (mark) => many("tool", mark) },
    longCells: { units: long, run: (mark) => run("tool", long, mark) },
    shortCalls: { units: long, run: (mark) => many("functions", mark) },
    longCalls: { units: long, run: (mark) => run("functions", long, mark) }
  }, { rounds: 15, warmUp: 3 })
  return [
    { what: "cell step, run of 100", unit: "us", ...summaryOf(samples.shortCells) },
    { what: "cell step, run of 1,000", unit: "us", ...summaryOf(samples.longCells) },
    { row: 4, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(samples.longCells, samples.shortCells) },
    { what: "function step, run of 100", unit: "us", ...summaryOf(samples.shortCalls) },
    { what: "function step, run of 1,000", unit: "us", ...summaryOf(samples.longCalls) },
    { row: 4, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(samples.longCalls, samples.shortCalls) }
  ]
}

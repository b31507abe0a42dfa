/**
 * Row 4: what a step costs in a run of 1,000 steps, as a multiple of what it costs in one of 100. In each round ten
 * short sessions stand against one long one, so both do the same work. Once more with cells that leave new variables
 * behind, since what a cell changed is looked for among all of them.
 */
import type { Reply } from "@daylight/core/testing"
import type { Line } from "../support/Figure.ts"
import { apart } from "../support/Isolated.ts"
import { type Contestant, several } from "../support/Rounds.ts"
import { ratioOf, type Samples, summaryOf } from "../support/Samples.ts"
import { daylight, functionCall } from "./Agents.ts"

const short = 100
const long = 1_000
let made = 0

/** Names return from cell to cell, as they do in a notebook. */
const sameNames = (): Reply => ({
  code: `const row = await lookup(${++made})\nconst total = row.amount * 2 + row.id\ntotal`
})

/** Each cell leaves two new variables: a run of 1,000 ends with two thousand. */
const newNames = (): Reply => {
  const n = ++made
  return { code: `const row${n} = await lookup(${n})\nconst total${n} = row${n}.amount * 2 + row${n}.id\ntotal${n}` }
}

const run = async (act: (step: number) => Reply, steps: number, mark: () => void) => {
  await using agent = daylight(act === functionCall ? "functions" : "tool", steps, act, mark)
  const outcome = await agent.run("go")
  if (outcome.text !== "done" || outcome.steps !== steps + 1) {
    throw new Error(`wrong outcome: ${JSON.stringify(outcome)}`)
  }
}

const shortRuns = (act: (step: number) => Reply): Contestant =>
  several(long / short, { units: short, run: (mark) => run(act, short, mark) })

const longRun = (act: (step: number) => Reply): Contestant => ({ units: long, run: (mark) => run(act, long, mark) })

export const contestants = {
  shortCells: shortRuns(sameNames),
  longCells: longRun(sameNames),
  shortNew: shortRuns(newNames),
  longNew: longRun(newNames),
  shortCalls: shortRuns(functionCall),
  longCalls: longRun(functionCall)
}

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const samples = await apart(import.meta.url, { contestants }, { rounds: 9, warmUp: 2 })
  const growth = (what: string, brief: Samples, lengthy: Samples): ReadonlyArray<Line> => [
    { what: `${what}, run of 100`, unit: "us", ...summaryOf(brief) },
    { what: `${what}, run of 1,000`, unit: "us", ...summaryOf(lengthy) },
    { row: 4, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(lengthy, brief) }
  ]
  return [
    ...growth("cell step", samples.shortCells, samples.longCells),
    ...growth("cell step, two new variables", samples.shortNew, samples.longNew),
    ...growth("function step", samples.shortCalls, samples.longCalls)
  ]
}

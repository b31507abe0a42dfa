/**
 * Row 9: an object is put into a session and taken out again, small and large. It is the same object each time, so its
 * size must not show. Once more with cells in between that change it, which adds the look at what a cell has changed.
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import type { Line } from "../support/Figure.ts"
import { type Contestant, inRounds } from "../support/Rounds.ts"
import { ratioOf, summaryOf } from "../support/Samples.ts"

/** In each round. */
const times = 20

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, region: `region ${i % 11}`, amount: i * 1.5 }))

const objects = {
  smallBytes: new Uint8Array(1_000),
  largeBytes: new Uint8Array(100_000_000),
  smallRows: rows(100),
  /** About 100 MB on the heap. */
  largeRows: rows(1_200_000)
}

let made = 0

/** Each cell puts another row into the array `rows`. */
const newAgent = (mark: () => void) =>
  createAgent({
    name: "holder",
    runtime: VmRuntime.layer,
    limits: { steps: times + 1 },
    model: ScriptedModel.layer((_, step) => {
      mark()
      return step < times ? { code: `rows[${step}] = { ...rows[${step}], amount: ${++made} }\nrows.length` } : "done"
    })
  })

const inAndOut = (object: object): Contestant => ({
  units: times,
  run: async (mark) => {
    await using agent = newAgent(() => {})
    await agent.session
    for (let i = 0; i < times; i++) {
      mark()
      await agent.inject([Binding.variable(`object${i}`, object)])
      if (await agent.retrieve(`object${i}`) !== object) throw new Error("another object came out")
    }
  }
})

const withCells = (rows: ReadonlyArray<unknown>): Contestant => ({
  units: times,
  run: async (mark) => {
    await using agent = newAgent(mark)
    await agent.inject([Binding.variable("rows", rows)])
    const { cells, text } = await agent.run("go")
    if (text !== "done" || cells !== times) throw new Error(`wrong outcome: ${text} after ${cells} cells`)
    if (await agent.retrieve("rows") !== rows) throw new Error("another object came out")
  }
})

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const handed = await inRounds({
    smallBytes: inAndOut(objects.smallBytes),
    largeBytes: inAndOut(objects.largeBytes),
    smallRows: inAndOut(objects.smallRows),
    largeRows: inAndOut(objects.largeRows)
  })
  const used = await inRounds({ smallRows: withCells(objects.smallRows), largeRows: withCells(objects.largeRows) }, {
    rounds: 15
  })
  return [
    { what: "inject and retrieve, 1 KB of bytes", unit: "us", ...summaryOf(handed.smallBytes) },
    { what: "inject and retrieve, 100 MB of bytes", unit: "us", ...summaryOf(handed.largeBytes) },
    { row: 9, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(handed.largeBytes, handed.smallBytes) },
    { what: "inject and retrieve, 100 rows", unit: "us", ...summaryOf(handed.smallRows) },
    { what: "inject and retrieve, 1,200,000 rows (100 MB)", unit: "us", ...summaryOf(handed.largeRows) },
    { row: 9, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(handed.largeRows, handed.smallRows) },
    { what: "step with a cell that changes an array of 100 rows", unit: "us", ...summaryOf(used.smallRows) },
    { what: "step with a cell that changes an array of 1,200,000 rows", unit: "us", ...summaryOf(used.largeRows) },
    { row: 9, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(used.largeRows, used.smallRows) }
  ]
}

/**
 * Row 9: an object is put into a session and taken out again, small and large. It is the same object each time, so its
 * size must not show. Once more with a cell in between that changes it, which adds the look at what a cell has changed.
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import type { Line } from "../support/Figure.ts"
import { type Contestant, inRounds } from "../support/Rounds.ts"
import { ratioOf, summaryOf } from "../support/Samples.ts"

const names = Array.from({ length: 20 }, (_, i) => `object${i}`)

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, region: `region ${i % 11}`, amount: i * 1.5 }))

const objects = {
  smallBytes: new Uint8Array(1_000),
  largeBytes: new Uint8Array(100_000_000),
  smallRows: rows(100),
  /** About 100 MB on the heap. */
  largeRows: rows(1_200_000)
}

const newAgent = () =>
  createAgent({
    name: "holder",
    runtime: VmRuntime.layer,
    limits: { steps: names.length + 1 },
    model: ScriptedModel.layer((_, step) =>
      step < names.length ? { code: `${names[step]}[${step}] = ${names[step]}[${step + 1}]` } : "done"
    )
  })

const inAndOut = (object: object): Contestant => ({
  units: names.length,
  run: async () => {
    await using agent = newAgent()
    await agent.session
    for (const name of names) {
      await agent.inject([Binding.variable(name, object)])
      if (await agent.retrieve(name) !== object) throw new Error(`${name} is another object`)
    }
  }
})

const withCell = (object: object): Contestant => ({
  units: names.length,
  run: async () => {
    await using agent = newAgent()
    await agent.inject(names.map((name) => Binding.variable(name, object)))
    const { cells, text } = await agent.run("go")
    if (text !== "done" || cells !== names.length) throw new Error(`wrong outcome: ${text} after ${cells} cells`)
    if (await agent.retrieve(names[0]!) !== object) throw new Error("another object came out")
  }
})

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const handed = await inRounds({
    smallBytes: inAndOut(objects.smallBytes),
    largeBytes: inAndOut(objects.largeBytes),
    smallRows: inAndOut(objects.smallRows),
    largeRows: inAndOut(objects.largeRows)
  })
  const used = await inRounds({ smallRows: withCell(objects.smallRows), largeRows: withCell(objects.largeRows) }, {
    rounds: 15
  })
  return [
    { what: "inject and retrieve, 1 KB of bytes", unit: "us", ...summaryOf(handed.smallBytes) },
    { what: "inject and retrieve, 100 MB of bytes", unit: "us", ...summaryOf(handed.largeBytes) },
    { row: 9, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(handed.largeBytes, handed.smallBytes) },
    { what: "inject and retrieve, 100 rows", unit: "us", ...summaryOf(handed.smallRows) },
    { what: "inject and retrieve, 1,200,000 rows (100 MB)", unit: "us", ...summaryOf(handed.largeRows) },
    { row: 9, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(handed.largeRows, handed.smallRows) },
    { what: "cell that changes one of 20 arrays of 100 rows", unit: "us", ...summaryOf(used.smallRows) },
    { what: "cell that changes one of 20 arrays of 1,200,000 rows", unit: "us", ...summaryOf(used.largeRows) },
    { row: 9, what: "  growth", unit: "x", bar: 1.2, ...ratioOf(used.largeRows, used.smallRows) }
  ]
}

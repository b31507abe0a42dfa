/** What a recorder adds to a step while it runs, and with the recording made at the end. */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { Recorder, ScriptedModel } from "@daylight/evals"
import { VmRuntime } from "@daylight/runtime-vm"
import { z } from "zod"
import { lookup } from "../loop/Agents.ts"
import type { Line } from "../support/Figure.ts"
import { apart } from "../support/Isolated.ts"
import { several } from "../support/Rounds.ts"
import { ratioOf, summaryOf } from "../support/Samples.ts"

const steps = 100
let made = 0

const run = async (recorder: Recorder | undefined, mark: () => void) => {
  await using agent = createAgent({
    name: "worker",
    model: ScriptedModel.layer((_, step) => {
      mark()
      const n = ++made
      return step < steps ? { code: `row = await lookup(${n})\ntotal = row.amount * 2 + row.id\ntotal` } : "done"
    }),
    runtime: VmRuntime.layer,
    limits: { steps: steps + 1 },
    bindings: [Binding.func(lookup, { description: "Looks a row up.", input: z.tuple([z.number()]) })],
    services: recorder?.services
  })
  const { cells, text } = await agent.run("go")
  if (text !== "done" || cells !== steps) throw new Error(`wrong outcome: ${text}, ${cells} cells`)
}

export const contestants = {
  plain: several(5, { units: steps, run: (mark) => run(undefined, mark) }),
  recorded: several(5, { units: steps, run: (mark) => run(Recorder.make(), mark) }),
  finished: several(5, {
    units: steps,
    run: async (mark) => {
      const recorder = Recorder.make()
      await run(recorder, mark)
      if (recorder.recording().cassette.answers.length !== steps + 1) throw new Error("not all of it was recorded")
    }
  })
}

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const samples = await apart(import.meta.url, { contestants }, { rounds: 15, warmUp: 4 })
  return [
    { what: "cell step with one host call", unit: "us", ...summaryOf(samples.plain) },
    { what: "  recorded", unit: "x", bar: 1.05, ...ratioOf(samples.recorded, samples.plain) },
    { what: "  with the recording made", unit: "x", ...ratioOf(samples.finished, samples.plain) }
  ]
}

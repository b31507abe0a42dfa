/**
 * A recorded run of 20 steps, each with a cell and a host call: the cells run for real, the model answers from a file.
 */
import { Binding } from "@daylight/core"
import { type AgentOptions, createAgent } from "@daylight/core/promise"
import { Recorder, Replay, ScriptedModel } from "@daylight/evals"
import { type Cassette, parseCassette, printCassette } from "@daylight/evals/cassette"
import { VmRuntime } from "@daylight/runtime-vm"
import { z } from "zod"
import { lookup } from "../loop/Agents.ts"
import type { Line } from "../support/Figure.ts"
import { apart } from "../support/Isolated.ts"
import { ratioOf, summaryOf } from "../support/Samples.ts"

const steps = 20

const agent: AgentOptions = {
  name: "worker",
  model: ScriptedModel.layer((_, step) =>
    step < steps ? { code: `row = await lookup(${step})\ntotal = row.amount * 2 + row.id\ntotal` } : "done"
  ),
  runtime: VmRuntime.layer,
  limits: { steps: steps + 1 },
  bindings: [Binding.func(lookup, { description: "Looks a row up.", input: z.tuple([z.number()]) })]
}

const record = async (): Promise<string> => {
  const recorder = Recorder.make()
  await using handle = createAgent({ ...agent, services: recorder.services })
  await handle.run("go")
  return printCassette(recorder.recording().cassette)
}

let recorded: Promise<string> | undefined

const replay = async (cassette: Cassette): Promise<void> => {
  const { divergence } = await Replay.run({ agent, cassette })
  if (divergence !== undefined) throw new Error(divergence.report)
}

/** The same run on its script: what the cells alone cost. */
const script = async (): Promise<void> => {
  await using handle = createAgent(agent)
  const { text } = await handle.run("go")
  if (text !== "done") throw new Error(`wrong outcome: ${text}`)
}

export const contestants = {
  replay: { units: 1, run: async () => replay(parseCassette(await (recorded ??= record()), "bench")) },
  script: { units: 1, run: script }
}

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const samples = await apart(import.meta.url, { contestants }, { rounds: 40, warmUp: 40 })
  const inMs = (name: keyof typeof contestants) => {
    const { median, min } = summaryOf(samples[name])
    return { unit: "ms" as const, median: median / 1_000, min: min / 1_000 }
  }
  return [
    { row: 10, what: "replay of a run of 20 steps, from its text", bar: 10, ...inMs("replay") },
    { what: "  the same run on its script", ...inMs("script") },
    { what: "  replay of script", unit: "x", ...ratioOf(samples.replay, samples.script) }
  ]
}

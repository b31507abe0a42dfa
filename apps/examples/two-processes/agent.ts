/**
 * The process that runs the agent: it sounds the depth of a lake, place after place, for as long as it is let. When
 * somebody stops it, the session goes on: what was measured is still there.
 *
 *     node apps/examples/two-processes/agent.ts sessions.db
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import { SqliteStore } from "@daylight/store"
import { setTimeout } from "node:timers/promises"
import { chooseModel, type ExampleOptions } from "../support/Example.ts"
import { runMain } from "../support/runMain.ts"

export interface AgentProcessOptions extends ExampleOptions {
  /** The file of sessions. */
  readonly store: string
}

/** The depth at a place, in metres. Each takes a while, and is in the log before it begins. */
const sound = Binding.func(async (place: number) => {
  await setTimeout(150)
  return Math.round(40 + 12 * Math.sin(place / 3))
}, { name: "sound", description: "Sounds the depth at a numbered place, in metres.", effect: "idempotent" })

export const main = async (options: AgentProcessOptions) => {
  const model = await chooseModel(options)
  await using agent = createAgent({
    name: "surveyor",
    labels: { lake: "Attersee" },
    model: model.replying(REPLIES),
    runtime: VmRuntime.layer,
    store: SqliteStore.layer({ filename: options.store }),
    bindings: [sound]
  })
  const survey = await agent.run("Sound place after place into `depths`, until I stop you.", { signal: options.signal })
  const report = await agent.run("How far did you get?", { signal: options.signal })
  return { survey, report }
}

const REPLIES = [
  { text: "First a place to keep the depths.", code: "const depths: number[] = []" },
  {
    text: "Now place after place.",
    code: "for (let place = 0; ; place++) depths.push(await sound(place))"
  },
  { text: "Here is what I have.", code: "({ places: depths.length, deepest: Math.max(...depths) })" },
  "I was stopped, and have the depths that I had taken until then."
]

if (import.meta.main) await runMain((options) => main({ ...options, store: process.argv[2] ?? "sessions.db" }))

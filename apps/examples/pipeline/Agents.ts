/**
 * The three agents of the pipeline. The orchestrator's runtime holds the database handle, and the two others as
 * variables.
 */
import { Agent, type AgentOptions, Binding, type RuntimeFactory } from "@daylight/core"
import { VmRuntime } from "@daylight/runtime-vm"
import type * as Layer from "effect/Layer"
import type { DatabaseSync } from "node:sqlite"
import * as z from "zod"
import type { ModelChoice } from "../support/Example.ts"
import { readTranscript } from "../support/Transcript.ts"
import { QualityIssue, type QualityLog } from "./QualityLog.ts"
import { typeBindings } from "./typeBindings.ts"

export const TASK =
  `Three tables of United States aviation data are in \`db\`: wildlife strikes, airports, and flights by route.
Where, when and by which species are airliners really endangered, relative to the traffic of each airport?
Let \`cleaner\` clean the strikes and match their airport names, let \`analyst\` compute, and check what they give you.
Leave a Vega-Lite specification with its data in \`chart\` (a map with \`usStates\`, a ranking, the months, the species), then finish.`

export interface Workplace {
  readonly db: DatabaseSync
  readonly usStates: object
  readonly quality: QualityLog
  readonly model: ModelChoice
  /** Where cells run. Default: in this process. */
  readonly runtime?: Layer.Layer<RuntimeFactory> | undefined
}

/** Steps are generous: a live model may look around more than the script does. */
const limits = { steps: 30 }

/** Cells wait for other agents, and work through ten thousand rows. */
const cells = { time: "15 minutes", cpu: "30 seconds" } as const

export const orchestrator = (workplace: Workplace): AgentOptions => ({
  name: "orchestrator",
  instructions:
    `You lead a small team. Hand real objects to the agents (cleaner.vars.rows = rows), wait for them (await cleaner.ask("...")),
take their results (await cleaner.vars.cleaned), and check them before you build on them. Every number in your answer must come from a variable.`,
  model: workplace.model.replying(script("orchestrator")),
  runtime: workplace.runtime ?? VmRuntime.layer,
  limits,
  cells,
  bindings: [
    Binding.variable("db", workplace.db, {
      description:
        "SQLite, in memory: `birdstrikes` (FAA register), `airports` (directory), `flights` (departures of passenger airlines by route in 2008). " +
        "Every column is text; an empty field is null.",
      declaration: 'declare const db: import("node:sqlite").DatabaseSync'
    }),
    Binding.variable("usStates", workplace.usStates, {
      description: "TopoJSON; its object `states` holds the outlines.",
      declaration: "declare const usStates: object"
    }),
    Binding.agent("cleaner", cleaner(workplace)),
    Binding.agent("analyst", analyst(workplace)),
    ...typeBindings("Strike", "Airport", "Rate", "Season", "Species")
  ]
})

const cleaner = ({ model, quality }: Workplace): Agent =>
  Agent.make({
    name: "cleaner",
    description: "Cleans rows and matches names.",
    instructions:
      `You clean data that was put into your variables. Look before you change anything. Drop nothing but duplicates, never invent a value,
and leave what is unknown null. Record every decision with recordIssue. Leave the results in the variables you were asked for.`,
    model: model.replying(script("cleaner")),
    limits,
    cells,
    bindings: [
      Binding.func((issue: z.input<typeof QualityIssue>) => quality.record(issue), {
        name: "recordIssue",
        description: "Enters one decision about the data into the quality log.",
        parameters: ["issue"],
        input: z.tuple([QualityIssue])
      }),
      ...typeBindings("RawStrike", "Strike", "Airport")
    ]
  })

const analyst = ({ model }: Workplace): Agent =>
  Agent.make({
    name: "analyst",
    description: "Computes rates, seasons and species.",
    instructions:
      `You analyse data that was put into your variables. Compare like with like: the flights are those of passenger airlines in one year.
Distrust every extreme value until you know why it is extreme. Leave the results in the variables you were asked for.`,
    model: model.replying(script("analyst")),
    limits,
    cells,
    bindings: typeBindings("Strike", "Airport", "Rate", "Season", "Species")
  })

/** What the scripted model says in the place of a live one. */
const script = (name: string) => readTranscript(new URL(`transcripts/${name}.md`, import.meta.url))

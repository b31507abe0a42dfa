/**
 * Row 7: the step of row 3 (a cell of three lines and one external host call, so three writes) on a SQLite file, and
 * the same in memory in the same rounds. The figure is the difference.
 */
import { Binding, SessionStore, type StoreError } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { SqliteStore, type SqliteStoreOptions } from "@daylight/store"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Line } from "../support/Figure.ts"
import { inRounds } from "../support/Rounds.ts"
import { type Samples, summaryOf } from "../support/Samples.ts"
import { temporaryFile } from "./TemporaryFile.ts"

const steps = 50
let made = 0

const lookup = (id: number) => ({ id, amount: (id * 37) % 101 })

const run = async (store: Layer.Layer<SessionStore, StoreError>, mark: () => void) => {
  await using agent = createAgent({
    name: "worker",
    model: ScriptedModel.layer((_, step) => {
      mark()
      return step < steps
        ? { code: `const row = await lookup(${++made})\nconst total = row.amount * 2 + row.id\ntotal` }
        : "done"
    }),
    runtime: VmRuntime.layer,
    store,
    limits: { steps: steps + 1 },
    bindings: [Binding.func(lookup)]
  })
  const { cells, text } = await agent.run("go")
  if (text !== "done" || cells !== steps) throw new Error(`wrong outcome: ${text}, ${cells} cells`)
}

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const scope = await Effect.runPromise(Scope.make())
  const process = await opened({ filename: temporaryFile() }, scope)
  const machine = await opened({ filename: temporaryFile(), durability: "machine" }, scope)
  const samples = await inRounds({
    memory: { units: steps, run: (mark) => run(SessionStore.layerMemory, mark) },
    process: { units: steps, run: (mark) => run(process, mark) },
    machine: { units: steps, run: (mark) => run(machine, mark) }
  }, { rounds: 20, warmUp: 10 })
  await Effect.runPromise(Scope.close(scope, Exit.void))
  return [
    { what: "cell step with one host call, in memory", unit: "us", ...summaryOf(samples.memory) },
    {
      row: 7,
      what: "durable step, beyond it",
      unit: "us",
      bar: 250,
      ...summaryOf(beyond(samples.process, samples.memory))
    },
    { what: "  surviving a loss of power", unit: "us", ...summaryOf(beyond(samples.machine, samples.memory)) }
  ]
}

/** Opened once, as in a program: opening and closing a file is no part of a step. */
const opened = (options: SqliteStoreOptions, scope: Scope.Scope) =>
  Effect.runPromise(Effect.map(
    Effect.provideService(SqliteStore.make(options), Scope.Scope, scope),
    (store) => Layer.succeed(SessionStore, store)
  ))

/** Round by round, and typical interval by typical interval. */
const beyond = (a: Samples, b: Samples): Samples => ({
  rounds: a.rounds.map((sample, round) => sample - b.rounds[round]!),
  intervals: [(summaryOf(a).typical ?? 0) - (summaryOf(b).typical ?? 0)]
})

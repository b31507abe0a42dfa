/**
 * A process that runs an agent in a store that others look into. It pays through a host call that an approval may stand
 * before, or waits in its cell until somebody interrupts it.
 *
 *     agent.ts <file> <session> <pay | ask | wait>
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { SqliteStore } from "@daylight/store"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import process from "node:process"

const [filename = "", id, what = "wait"] = process.argv.slice(2)

const tell = (line: string) => void writeSync(1, `${line}\n`)

const pay = Binding.func(async (amount: number) => {
  tell(`paying ${amount}`)
  if (what === "pay") await new Promise((resolve) => setTimeout(resolve, 60_000))
  return "paid"
}, { name: "pay", ...(what === "ask" && { approval: true }) })

const code = what === "wait" ? "await new Promise((resolve) => setTimeout(resolve, 60_000))" : "await pay(5)"

const agent = createAgent({
  name: "cashier",
  id,
  bindings: [pay],
  cells: { time: "2 minutes" },
  // Nobody is here: the answer comes through the store.
  approvals: { ask: () => Effect.never },
  limits: { time: "5 minutes" },
  model: ScriptedModel.layer([{ text: "I am on it.", code }, "All done."]),
  runtime: VmRuntime.layer,
  store: SqliteStore.layer({ filename })
})

const outcome = await agent.run("Pay the bill")
tell(`ended ${outcome.reason} ${outcome.text}`)
await agent[Symbol.asyncDispose]()

/** An agent with a function, a variable and a sub-agent, and what a model says to it. */
import { Agent, type AgentOptions, Binding } from "@daylight/core"
import { type Script, ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"

export const orders = [
  { id: 1, region: "north", total: 30 },
  { id: 2, region: "south", total: 50 },
  { id: 3, region: "north", total: 40 }
]

export const script: Script = [
  {
    reasoning: "I look first.",
    text: "Let me see.",
    code: "const sums = {}\nfor (const o of orders) sums[o.region] = (sums[o.region] ?? 0) + o.total\nsums"
  },
  { code: 'const rate = await exchange("EUR", "USD")\nsums.north * rate' },
  { code: 'await checker.ask("Is 70 right for north?")' },
  { code: "nowhere.at.all" },
  "North grew fastest: 70."
]

export const checkerScript: Script = [{ code: "70 === 70" }, "Yes, 70 is right."]

export interface OrdersOptions extends Partial<AgentOptions> {
  readonly script?: Script | undefined
  readonly chunkSize?: number | undefined
  readonly calls?: Array<string> | undefined
}

export const ordersAgent = (
  { calls = [], chunkSize, script: own = script, ...options }: OrdersOptions = {}
): AgentOptions => ({
  name: "analyst",
  instructions: "Answer questions about the orders.",
  model: ScriptedModel.layer(own, { chunkSize }),
  runtime: VmRuntime.layer,
  bindings: [
    Binding.variable("orders", orders),
    Binding.func((from: string, to: string) => {
      calls.push(`${from}-${to}`)
      return 1.1
    }, { name: "exchange", parameters: ["from", "to"], effect: "external" }),
    Binding.agent("checker", Agent.make({ name: "checker", model: ScriptedModel.layer(checkerScript, { chunkSize }) }))
  ],
  ...options
})

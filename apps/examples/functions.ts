/**
 * Functions of the application with Zod arguments. Every call is checked before it happens: a bad one is a typed error
 * inside the cell, which the code catches and corrects, and no money has moved. The same functions also work as
 * ordinary JSON tools.
 *
 *     node apps/examples/functions.ts
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import * as z from "zod"
import { chooseModel, type ExampleOptions } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

const Account = z.enum(["checking", "rent", "power"])
type Account = z.infer<typeof Account>
const Amount = z.number().positive().multipleOf(0.01)

export class Bank {
  readonly transfers: Array<{ readonly from: Account; readonly to: Account; readonly amount: number }> = []
  readonly #balances = new Map<Account, number>([["checking", 2_000], ["rent", 0], ["power", 0]])

  balance(account: Account): number {
    return this.#balances.get(account)!
  }
  transfer(from: Account, to: Account, amount: number): void {
    if (amount > this.balance(from)) throw new RangeError(`${from} holds ${this.balance(from)}, less than ${amount}`)
    this.#balances.set(from, this.balance(from) - amount)
    this.#balances.set(to, this.balance(to) + amount)
    this.transfers.push({ from, to, amount })
  }
}

export interface FunctionsOptions extends ExampleOptions {
  /** `tool`: the model writes code that calls the functions. `functions`: it calls them one by one, as JSON. */
  readonly action?: "tool" | "functions" | undefined
}

export const main = async (options: FunctionsOptions = {}) => {
  const output = options.output ?? process.stdout
  const action = options.action ?? "tool"
  const model = await chooseModel(options)
  output.write(`${model.notice}\n`)

  const bank = new Bank()
  await using agent = createAgent({
    name: "payments",
    action,
    model: model.replying(action === "tool" ? CELLS : CALLS),
    runtime: VmRuntime.layer,
    bindings: [
      Binding.func((account: Account) => bank.balance(account), {
        name: "balance",
        description: "Euros in an account",
        parameters: ["account"],
        input: z.tuple([Account]),
        output: z.number(),
        effect: "none"
      }),
      Binding.func((from: Account, to: Account, amount: number) => bank.transfer(from, to, amount), {
        name: "transfer",
        description: "Moves euros between accounts",
        parameters: ["from", "to", "amount"],
        input: z.tuple([Account, Account, Amount])
      })
    ]
  })

  const refused: Array<string> = []
  const running = agent.stream('Pay the bills from checking: rent "1,240.50" and power 88.20.', {
    signal: options.signal
  })
  for await (const live of running) {
    if (live._tag !== "Recorded") continue
    const { event } = live.recorded
    if (event._tag === "CallRefused") refused.push(`${event.path}: ${event.reason._tag}`)
  }
  const { reason, text } = await running.outcome

  output.write(`as ${action}: ${reason}. ${text}\n`)
  for (const { amount, from, to } of bank.transfers) output.write(`  ${from} > ${to}: ${amount.toFixed(2)}\n`)
  output.write(`  refused before anything moved: ${refused.join("; ")}\n`)
  return { bank, refused, reason }
}

const CELLS = [
  {
    text:
      "I pay one after the other. If an amount is not accepted as it is written, I read it as a number and try once more.",
    code: `const bills: Array<[account: string, amount: string | number]> = [["rent", "1,240.50"], ["power", 88.2]]
for (const [account, amount] of bills) {
  try {
    await transfer("checking", account, amount)
  } catch (error) {
    if (error.reason?._tag !== "InvalidArguments") throw error
    console.log(error.message)
    await transfer("checking", account, Number(String(amount).replace(",", "")))
  }
}
console.log(\`left in checking: \${balance("checking").toFixed(2)}\`)`
  },
  "Both bills are paid. The rent was written with a comma and had to be read as a number first."
]

const CALLS = [
  { calls: [{ name: "transfer", input: { from: "checking", to: "rent", amount: "1,240.50" } }] },
  { calls: [{ name: "transfer", input: { from: "checking", to: "rent", amount: 1240.5 } }] },
  { calls: [{ name: "transfer", input: { from: "checking", to: "power", amount: 88.2 } }] },
  "Both bills are paid. The rent was written with a comma and had to be sent as a number."
]

if (import.meta.main) {
  await runMain((options) => main({ ...options, action: "tool" }))
  await runMain((options) => main({ ...options, action: "functions" }))
}

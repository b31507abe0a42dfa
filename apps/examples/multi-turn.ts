/**
 * A conversation whose memory is the runtime: later questions use the variables and functions of earlier answers, and
 * the application adds data in between. None of it has to pass through the model's context again.
 *
 *     node apps/examples/multi-turn.ts
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import * as z from "zod"
import { chooseModel, type ExampleOptions } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

const TRIPS = [
  { city: "Lisbon", nights: 3, cost: 612.4 },
  { city: "Oslo", nights: 2, cost: 840 },
  { city: "Lisbon", nights: 5, cost: 905.1 },
  { city: "Vienna", nights: 4, cost: 731.25 }
]

export const main = async (options: ExampleOptions = {}) => {
  const output = options.output ?? process.stdout
  const model = await chooseModel(options)
  output.write(`${model.notice}\n`)

  await using agent = createAgent({
    name: "travel",
    model: model.replying(REPLIES),
    runtime: VmRuntime.layer,
    bindings: [Binding.variable("trips", TRIPS, { description: "Trips of this year; cost in euros" })]
  })
  const ask = async <A>(question: string, answer: z.ZodType<A>): Promise<A> => {
    const value = await agent.ask(question, answer, { signal: options.signal })
    output.write(`\n${question}\n  ${JSON.stringify(value)}\n`)
    return value
  }

  const perNight = await ask("What did a night cost in each city?", z.record(z.string(), z.number()))
  const dearest = await ask("Which of them is the dearest?", z.string())

  agent.vars["budget"] = 900
  const nights = await ask(
    "I have put a budget into `budget`. How many nights does it buy in each city?",
    z.record(z.string(), z.number())
  )

  const names = await agent.names()
  output.write(`\nThe runtime now holds: ${names.join(", ")}\n`)
  return { perNight, dearest, nights, names }
}

const REPLIES = [
  {
    text: "I group the trips by city and keep the function, it may be of use again.",
    code: `const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)
const perNight = Object.fromEntries(
  [...Map.groupBy(trips, (trip) => trip.city)].map(([city, list]) => [city, sum(list.map((trip) => trip.cost)) / sum(list.map((trip) => trip.nights))])
)
finish(perNight)`
  },
  {
    text: "The prices are still in `perNight`.",
    code: `const [dearest] = Object.entries(perNight).toSorted((a, b) => b[1] - a[1])[0]
finish(dearest)`
  },
  {
    text: "The budget is a variable too.",
    code:
      `finish(Object.fromEntries(Object.entries(perNight).map(([city, price]) => [city, Math.floor(budget / price)])))`
  }
]

if (import.meta.main) await runMain(main)

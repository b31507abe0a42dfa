/**
 * A run as it happens: text while the model writes it, then every fact in the order in which it was recorded.
 *
 *     node apps/examples/streaming.ts
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import { chooseModel, type ExampleOptions } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

export const main = async (options: ExampleOptions = {}) => {
  const output = options.output ?? process.stdout
  const model = await chooseModel(options)
  output.write(`${model.notice}\n\n`)

  await using agent = createAgent({
    name: "primes",
    model: model.replying(REPLIES),
    runtime: VmRuntime.layer,
    bindings: [Binding.variable("limit", 1_000)]
  })
  const running = agent.stream("How many primes are there below the limit, and which is the largest?", {
    signal: options.signal
  })
  let text = ""
  const facts: Array<string> = []

  for await (const event of running) {
    if (event._tag === "TextDelta") {
      output.write(event.text)
      text += event.text
    } else if (event._tag === "Recorded") {
      const fact = event.recorded.event
      facts.push(fact._tag)
      if (fact._tag === "CellStarted") output.write(`\n\n${indent(fact.code)}\n`)
      if (fact._tag === "CellEnded") output.write(`${indent(fact.report.stdout + fact.report.preview, "  = ")}\n\n`)
    }
  }
  const outcome = await running.outcome

  output.write(`\n\n${facts.join(" > ")}\n${outcome.reason} after ${outcome.steps} steps and ${outcome.cells} cells\n`)
  return { text, facts, outcome, primes: await agent.retrieve<Array<number>>("primes") }
}

const indent = (text: string, with_ = "  | "): string =>
  text.trimEnd().split("\n").map((line) => with_ + line).join("\n")

const REPLIES = [
  {
    text: "A sieve is quick enough for this, and leaves the primes in a variable.",
    code: `const composite = new Set<number>()
const primes: number[] = []
for (let n = 2; n < limit; n++) {
  if (composite.has(n)) continue
  primes.push(n)
  for (let multiple = n * n; multiple < limit; multiple += n) composite.add(multiple)
}
console.log(\`\${primes.length} primes, the largest is \${primes.at(-1)}\`)`
  },
  "The line above has both: the number of primes and the largest. The whole list is in `primes`."
]

if (import.meta.main) await runMain(main)

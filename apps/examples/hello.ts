/**
 * The smallest agent: one value in its runtime, one question, one typed answer.
 *
 *     node apps/examples/hello.ts
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import * as z from "zod"
import { chooseModel, type ExampleOptions } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

export const main = async (options: ExampleOptions = {}) => {
  const output = options.output ?? process.stdout
  const model = await chooseModel(options)
  output.write(`${model.notice}\n`)

  await using agent = createAgent({
    name: "hello",
    model: model.replying(REPLIES),
    runtime: VmRuntime.layer,
    bindings: [Binding.variable("secret", "swodahs rieht no ton ,stcejbo laer no krow stnegA", { sensitive: true })]
  })
  const answer = await agent.ask("The secret is written backwards. What does it say?", z.string(), {
    signal: options.signal
  })

  output.write(`The secret says: ${answer}\n`)
  return answer
}

const REPLIES = [{
  text: "I reverse the characters and answer with the result itself.",
  code: `const reversed = [...secret].reverse().join("")
finish(reversed)`
}]

if (import.meta.main) await runMain(main)

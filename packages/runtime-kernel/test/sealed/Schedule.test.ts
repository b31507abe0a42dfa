import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import { expect, it } from "vitest"
import { KernelRuntime } from "../../src/index.ts"

it("timers of a cell and variables that the application sets are in the log of its session", async () => {
  const code = `await new Promise((resolve) => setTimeout(resolve, 1))
await new Promise((resolve) => setTimeout(resolve, 1))
limit`
  await using agent = createAgent({
    name: "scheduled",
    model: ScriptedModel.layer([{ code }, "done", { code: "limit" }, "done"]),
    runtime: KernelRuntime.layer()
  })
  const facts: Array<string> = []
  const run = async (prompt: string) => {
    for await (const live of agent.stream(prompt)) {
      if (live._tag === "Recorded") facts.push(live.recorded.event._tag)
    }
  }
  agent.vars["limit"] = 1
  await run("first")
  agent.vars["limit"] = 2
  await run("second")
  expect(facts.filter((tag) => tag === "TimerFired")).toHaveLength(2)
  expect(facts).toContain("VariableSet")
  expect(facts.indexOf("TimerFired")).toBeGreaterThan(facts.indexOf("CellStarted"))
  expect(facts.indexOf("TimerFired")).toBeLessThan(facts.indexOf("CellEnded"))
})

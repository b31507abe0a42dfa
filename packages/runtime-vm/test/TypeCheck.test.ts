import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import { TypeScriptChecker } from "@daylight/core/typescript"
import { VmRuntime } from "@daylight/runtime-vm"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"

describe("a cell whose types are checked first", () => {
  it("is refused whole, and the model is told why", async () => {
    const sent: Array<string> = []
    const send = Binding.func(async (to: string) => sent.push(to), {
      name: "send",
      input: Schema.Tuple([Schema.String]),
      output: Schema.Finite
    })
    await using agent = createAgent({
      name: "sender",
      model: ScriptedModel.layer([
        { code: "await send('first')\nawait send(2)" },
        { code: "const rows = [{ id: 1 }]; await send('again'); rows.length" },
        { code: "rows.fliter(Boolean)" },
        "Done."
      ]),
      runtime: VmRuntime.layer,
      services: TypeScriptChecker.layer,
      bindings: [send]
    })
    const told: Array<string> = []
    const live = agent.stream("Send it")
    for await (const event of live) {
      if (event._tag !== "Recorded" || event.recorded.event._tag !== "CellEnded") continue
      const { problem } = event.recorded.event.report
      told.push(problem === undefined ? "ran" : `${problem.stage} ${problem.line}: ${problem.message}`)
    }
    assert.strictEqual((await live.outcome).reason, "completed")
    assert.deepStrictEqual(sent, ["again"])
    assert.strictEqual(told[0], "types 2: Argument of type 'number' is not assignable to parameter of type 'string'")
    assert.strictEqual(told[1], "ran")
    assert.include(told[2], "Did you mean 'filter'?")
  })
})

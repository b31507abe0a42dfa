import { Agent, Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { type Script, ScriptedModel } from "@daylight/core/testing"
import { KernelRuntime } from "@daylight/runtime-kernel"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "vitest"
import { program } from "./support/session.ts"

const runtime = KernelRuntime.layer({ program, spare: false })

const play = async (script: Script, bindings: ReadonlyArray<Binding>) => {
  await using agent = createAgent({ name: "orchestrator", model: ScriptedModel.layer(script), runtime, bindings })
  const outcome = await agent.run("go")
  return { outcome, result: await agent.retrieve("result") }
}

const child = (name: string, script: Script): Binding =>
  Binding.agent(
    name,
    Agent.make({ name, description: `Does the work of a ${name}.`, model: ScriptedModel.layer(script, { name }) })
  )

describe("the limit of host calls", () => {
  it("is for what has a contract, not for what a cell does with a live object", async () => {
    const live = new (class Live {
      n = 1
      next() {
        return ++this.n
      }
    })()
    await using agent = createAgent({
      name: "reader",
      runtime,
      limits: { hostCalls: 2 },
      bindings: [Binding.variable("live", live), Binding.func(() => "pong", { name: "ping", effect: "none" })],
      model: ScriptedModel.layer([
        {
          code: `for (let i = 0; i < 100; i++) live.n = live.next() + live.n - live.n
            let pings = 0
            let refusal
            try { for (;;) { ping(); pings++ } } catch (error) { refusal = error.reason._tag }
            const result = [live.n, pings, refusal]`
        },
        "done"
      ])
    })
    assert.strictEqual((await agent.run("go")).reason, "completed")
    assert.deepStrictEqual(await agent.retrieve("result"), [101, 2, "OverBudget"])
  })
})

describe("agents in a kernel", () => {
  it("hand objects to a child, ask it, and take the very same objects back", async () => {
    const { outcome, result } = await play(
      [
        {
          code: `cleaner.vars.rows = rows
            const said = await cleaner.ask("Keep what is positive.")
            const kept = await cleaner.vars.clean
            const result = [said, kept.length, kept[0] === rows[0]]`
        },
        "done"
      ],
      [
        Binding.variable("rows", [{ n: 1 }, { n: -1 }]),
        child("cleaner", [{ code: "const clean = rows.filter((row) => row.n > 0)" }, "I kept one."])
      ]
    )
    assert.strictEqual(outcome.reason, "completed")
    assert.deepStrictEqual(result, ["I kept one.", 1, true])
  })

  it("run a child, and hear what it does while it works", async () => {
    const { result } = await play(
      [
        {
          code: `helper.vars.base = 20
            const outcome = await helper.run("Add two.")
            const tags = []
            const running = helper.stream("Say it.")
            for await (const event of running) { tags.push(event.recorded?.event._tag ?? event._tag) }
            const last = await running.outcome
            const known = (await helper.variables()).map(({ name }) => name)
            const result = [outcome.reason, outcome.text, await helper.vars.sum, await helper.retrieve("sum"), last.reason, tags.includes("RunStarted"), tags.includes("RunEnded"), known.includes("sum"), helper.name, typeof await helper.session]`
        },
        "done"
      ],
      [child("helper", [{ code: "const sum = base + 2" }, "It is 22.", "I said it."])]
    )
    assert.deepStrictEqual(result, [
      "completed",
      "It is 22.",
      22,
      22,
      "completed",
      true,
      true,
      true,
      "helper",
      "string"
    ])
  })

  it("run children side by side, and stop one by leaving its events", async () => {
    const { result } = await play(
      [
        {
          code: `const answers = await Promise.all([left.ask("one"), right.ask("two")])
            for await (const event of slow.stream("wait")) break
            const result = answers`
        },
        "done"
      ],
      [
        child("left", ["from the left"]),
        child("right", [{ code: "const r = 1" }, "from the right"]),
        child("slow", [{ code: "await new Promise(() => {})" }, "never"])
      ]
    )
    assert.deepStrictEqual(result, ["from the left", "from the right"])
  })

  it("get the failure of a child as a typed error", async () => {
    const { result } = await play(
      [
        {
          code:
            "let result; try { await broken.ask('go') } catch (error) { result = [error._tag, error.outcome.reason] }"
        },
        "done"
      ],
      [child("broken", [{ fail: { _tag: "Billing", detail: "no money" } }])]
    )
    assert.deepStrictEqual(result, ["OutcomeError", "model_error"])
  })

  it("work on a live database, step after step", async () => {
    const db = new DatabaseSync(":memory:")
    db.exec("create table orders (id integer, total real)")
    const { outcome, result } = await play(
      [
        {
          code:
            "const insert = db.prepare('insert into orders values (?, ?)'); for (let i = 0; i < 3; i++) insert.run(i, i * 1.5)"
        },
        { code: "const result = db.prepare('select sum(total) as sum from orders').get().sum" },
        "done"
      ],
      [Binding.variable("db", db)]
    )
    assert.strictEqual(outcome.reason, "completed")
    assert.strictEqual(result, 4.5)
    assert.strictEqual(db.prepare("select count(*) n from orders").get()!["n"], 3)
  })
})

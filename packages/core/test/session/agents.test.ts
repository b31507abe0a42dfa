import { describe, expect, test } from "vitest"
import { Agent, Binding, type Live } from "@daylight/core"
import { type Script, ScriptedModel } from "@daylight/core/testing"
import { cancelledAt, isRecorded, ofTag, play, scripted, told } from "../support.ts"

const child = (name: string, script: Script, definition = {}) =>
  Binding.agent(
    name,
    Agent.make({
      name,
      description: `Does the work of a ${name}.`,
      model: ScriptedModel.layer(script, { name }),
      ...definition
    })
  )

describe("agents as variables", () => {
  test("a parent's cell hands objects to a child, asks it, and takes the very same objects back", async () => {
    const { agent, requests } = scripted({
      bindings: [
        Binding.variable("rows", [{ n: 1 }, { n: -1 }]),
        child("cleaner", [{ code: "const clean = rows.filter((row) => row.n > 0)" }, "I kept one."])
      ],
      script: [{
        code:
          "cleaner.vars.rows = rows\nconst said = await cleaner.ask('Keep what is positive.')\nconst kept = await cleaner.vars.clean\n;[said, kept.length, kept[0] === rows[0]]"
      }, "done"]
    })
    await using _ = agent
    expect((await agent.run("go")).reason).toBe("completed")
    expect(told(requests[1])).toContain("[ 'I kept one.', 1, true ]")
    expect(requests[0]!.system).toContain("Does the work of a cleaner.")
  })

  test("a child keeps its own namespace, history and state over several asks", async () => {
    const { requests } = await play({
      bindings: [child("counter", [{ code: "let n = 1" }, "one", { code: "n += 1; n" }, "two"])],
      script: [{ code: "await counter.ask('a'); await counter.ask('b'); [await counter.vars.n, typeof n]" }, "ok"]
    })
    expect(told(requests[1])).toContain("[ 2, 'undefined' ]")
  })

  test("a failure of a child is a typed error in the parent's cell, never a success", async () => {
    const { requests } = await play({
      bindings: [child("broken", [{ fail: { _tag: "Billing", detail: "no money" } }])],
      script: [{
        code:
          "try { await broken.ask('go'); 'fine' } catch (error) { console.log(error._tag, error.outcome.reason, error.message) }"
      }, "ok"]
    })
    expect(told(requests[1])).toContain("OutcomeError")
    expect(told(requests[1])).toContain("model_error")
    expect(told(requests[1])).toContain("no money")
  })

  test("limits are enforced on children", async () => {
    const binding = Binding.agent(
      "busy",
      Agent.make({
        name: "busy",
        model: ScriptedModel.layer((request, n) => request.purpose === "wrap-up" ? "so far" : { code: `${n}` })
      }),
      { limits: { steps: 2 } }
    )
    const { requests } = await play({
      bindings: [binding],
      script: [
        { code: "const { reason, limit, steps, text } = await busy.run('go'); [reason, limit, steps, text]" },
        "ok"
      ]
    })
    expect(told(requests[1])).toContain("[ 'limit', 'steps', 2, 'so far' ]")
  })

  test("events of children carry the agent path and are seen in the parent's stream; each session has its own log", async () => {
    const { live } = await play({
      id: "root",
      bindings: [child("helper", ["hi"])],
      script: [{ code: "await helper.ask('go')" }, "ok"]
    })
    const paths = new Set(live.map((event) => event.origin.agent.join("/")))
    expect(paths).toEqual(new Set(["agent", "agent/helper"]))
    const opened = live.find((event) =>
      event._tag === "Recorded" && event.recorded.event._tag === "RunStarted" && event.origin.agent.length === 2
    )!
    expect(opened.origin).toMatchObject({ session: "root/helper", lineage: ["root", "root/helper"] })
  })

  test("children run at the same time under Promise.all", async () => {
    const slow = (name: string) => child(name, [{ text: name, delayMs: 60 }])
    const started = Date.now()
    const { requests } = await play({
      bindings: [slow("a"), slow("b"), slow("c")],
      script: [{ code: "await Promise.all([a.ask('x'), b.ask('x'), c.ask('x')])" }, "ok"]
    })
    expect(told(requests[1])).toContain("[ 'a', 'b', 'c' ]")
    expect(Date.now() - started).toBeLessThan(2_000)
  })

  test("cancelling the parent cancels the child, which can be asked again", async () => {
    const { agent, requests } = scripted({
      bindings: [child("sleeper", [{ code: "await new Promise(() => {})" }, "awake"])],
      script: [{ code: "await sleeper.ask('sleep')" }, { code: "await sleeper.ask('wake')" }, "ok"]
    })
    await using _ = agent
    const childWorks = (live: Live) => isRecorded(live, "CellStarted") && live.origin.agent.length === 2
    expect((await cancelledAt(agent, "one", childWorks)).reason).toBe("cancelled")
    expect((await agent.run("two")).reason).toBe("completed")
    expect(told(requests[2])).toContain("awake")
  })

  test("a run of a child is in the parent's ledger with the child's session", async () => {
    const { events } = await play({
      id: "root",
      bindings: [child("helper", ["hi"])],
      script: [{ code: "await helper.ask('go')" }, "ok"]
    })
    expect(ofTag(events, "CallStarted")[0]).toMatchObject({
      path: "helper.ask",
      child: "root/helper",
      effect: "idempotent"
    })
  })

  test("a bound agent is read-only", async () => {
    const { requests } = await play({ bindings: [child("helper", ["hi"])], script: [{ code: "helper = 1" }, "ok"] })
    expect(told(requests[1])).toMatch(/TypeError/)
  })
})

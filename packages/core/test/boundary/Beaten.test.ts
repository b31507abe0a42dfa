/** Gaps of another durable runtime, each by its number in the list of what was proven there. */
import { Agent, Binding, Gates, Policy, Session, SessionStore } from "@daylight/core"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"
import { z } from "zod"
import { cancelledAt, isRecorded, ofTag, play, scripted, tags, told } from "../support.ts"
import { allow, deny, payer, queued } from "./support.ts"

/** Begins, and never ends. */
const hanging = (options: object = {}) => {
  const began: Array<unknown> = []
  const charge = Binding.func((amount: number) => {
    began.push(amount)
    return new Promise(() => {})
  }, { name: "charge", ...options })
  return { began, charge }
}

describe("beaten", () => {
  it("D2: arguments are checked before they reach the function, also those a gate or a person gives", async () => {
    for (const args of ["-5", "'5'", "", "5, 6, 7"]) {
      const { calls, pay } = payer({ approval: false })
      const { events } = await play({ bindings: [pay], script: [{ code: `await pay(${args})` }, "ok"] })
      assert.deepEqual(calls, [], args)
      assert.strictEqual(ofTag(events, "CallRefused")[0]!.reason._tag, "InvalidArguments")
      assert.notInclude(tags(events), "CallStarted")
    }
  })

  it("D5: a gate with a bug stops what it guards", async () => {
    const { calls, pay } = payer({ approval: false })
    const gates: Gates = {
      beforeHostCall: ({ args }) => {
        if ((args[0] as { limit: { most: number } }).limit.most > 1) return { _tag: "Block", why: "too much" }
        return { _tag: "Proceed" }
      }
    }
    const { requests } = await play({
      bindings: [pay],
      services: Layer.succeed(Gates, gates),
      script: [{ code: "await pay(5)" }, "ok"]
    })
    assert.deepEqual(calls, [])
    assert.include(told(requests[1]), "denied by beforeHostCall: it failed")
  })

  it("D6: an interrupt during an effect leaves it of unknown outcome, and a call that never began as not begun", async () => {
    const { began, charge } = hanging()
    const { pay } = payer()
    const { agent, requests } = scripted({
      bindings: [charge, pay],
      approvals: { ask: () => Effect.never },
      script: [{ code: "await Promise.all([charge(5), pay(7)])" }, "I looked."]
    })
    await using _ = agent
    const outcome = await cancelledAt(agent, "go", (live) => isRecorded(live, "ApprovalAsked"))
    assert.strictEqual(outcome.reason, "cancelled")
    assert.deepEqual(began, [5])
    await agent.run("what now?")
    const prompt = told(requests.at(-1))
    assert.include(prompt, "[unknown] charge had begun")
    assert.notInclude(prompt, "pay had begun")
  })

  it("D7: a repeat of such an effect is gated, until somebody says what became of it", () =>
    Effect.gen(function*() {
      const { began, charge } = hanging({ effect: "external" })
      const store = yield* SessionStore
      const session = yield* Session.open(
        Agent.make({ name: "agent", bindings: [charge], cells: { time: "50 millis" } }),
        { id: "s" }
      )
      yield* session.run("charge, twice")
      assert.deepEqual(began, [5], "the second was denied: nobody was there to ask")
      const events = Effect.map(Stream.runCollect(store.read(session.id)), (log) => log.map(({ event }) => event))
      const asked = (yield* events).find((event) => event._tag === "ApprovalAsked")
      assert.include(asked?._tag === "ApprovalAsked" ? asked.why : "", "nobody knows whether it took effect")
      const key = (yield* store.list({})).items[0]!.pending[0]!
      yield* store.send(session.id, { _tag: "Settle", key, happened: false, by: "ann" })
      while (!(yield* events).some((event) => event._tag === "EffectSettled")) yield* Effect.sleep("1 millis")
      yield* session.run("once more")
      assert.deepEqual(began, [5, 5])
    }).pipe(
      Effect.scoped,
      Effect.provide([
        ScriptedModel.layer([
          { code: "await charge(5)" },
          { code: "await charge(5)" },
          "It did not work.",
          { code: "await charge(5)" },
          "Done."
        ]),
        VmRuntime.layer,
        SessionStore.layerMemory
      ]),
      Effect.runPromise
    ))

  it("D8: one decision decides one call; those the policy allows have long gone through", async () => {
    const { calls, pay } = payer({ approval: ([amount]: ReadonlyArray<unknown>) => Number(amount) > 10 })
    const { agent, queue, requests, run } = queued({
      bindings: [pay],
      script: [{
        code: "const all = await Promise.allSettled([pay(1), pay(20), pay(30)])\nall.map(({ status }) => status)"
      }, "ok"]
    })
    await using _ = agent
    const running = run()
    while (queue.pending().length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
    assert.deepEqual(calls, [1])
    const [first, second] = queue.pending()
    queue.decide(first!.key, deny("no"), "ann")
    queue.decide(second!.key, allow, "ann")
    await running
    assert.deepEqual(calls, [1, 30])
    assert.include(told(requests[1]), "[ 'fulfilled', 'rejected', 'fulfilled' ]")
  })
})

describe("methods and agents", () => {
  it("are judged by their path, as functions are", async () => {
    class Table {
      rows = [1, 2]
      drop() {
        this.rows = []
      }
    }
    const table = new Table()
    const clerk = Agent.make({ name: "clerk", model: ScriptedModel.layer(["never asked"]) })
    const policy = Policy.rules([{ path: ["table.drop", "clerk.*"], verdict: "deny", why: "read only" }])
    const { requests } = await play({
      policy,
      bindings: [
        Binding.variable("table", table, { contract: { drop: { input: z.tuple([]) } } }),
        Binding.agent("clerk", clerk)
      ],
      script: [{
        code: "const all = await Promise.allSettled([table.drop(), clerk.ask('drop it')])\n" +
          "all.map(({ reason }) => reason.message)"
      }, "ok"]
    })
    assert.deepEqual(table.rows, [1, 2])
    assert.include(told(requests[1]), "table.drop: denied by policy: read only")
    assert.include(told(requests[1]), "clerk.ask: denied by policy: read only")
  })
})

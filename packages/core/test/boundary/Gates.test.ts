import { Agent, Binding, currentCall, EventBus, Gates, type Live, Observers, Policy } from "@daylight/core"
import { ScriptedModel } from "@daylight/core/testing"
import { assert, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { z } from "zod"
import { ofTag, play, tags, told } from "../support.ts"
import { payer } from "./support.ts"

const code =
  "try { console.log('paid', await pay(5)) } catch (error) { console.log(error.reason?._tag, error.message) }"
const bug = (): never => {
  throw new Error("a bug")
}

const withGates = (gates: Gates, options: object = {}) => {
  const { calls, pay } = payer({ approval: false })
  const played = play({ bindings: [pay], services: Layer.succeed(Gates, gates), script: [{ code }, "ok"], ...options })
  return { calls, played }
}

describe("beforeHostCall", () => {
  it("may block, and is named", async () => {
    const { calls, played } = withGates({ beforeHostCall: () => ({ _tag: "Block", why: "not on Sundays" }) })
    const { events, requests } = await played
    assert.deepEqual(calls, [])
    assert.include(told(requests[1]), "pay: denied by beforeHostCall: not on Sundays")
    assert.strictEqual(ofTag(events, "CallRefused")[0]!.by, "beforeHostCall")
  })

  it.each([
    ["throws", bug],
    ["rejects", async () => bug()],
    ["fails", () => Effect.fail("a bug")],
    ["dies", () => Effect.sync(bug)]
  ])("fails closed: %s", async (_, beforeHostCall) => {
    const { calls, played } = withGates({ beforeHostCall })
    const { requests } = await played
    assert.deepEqual(calls, [])
    assert.include(told(requests[1]), "it failed: a bug")
  })

  it("may change arguments, which are validated and judged as any, and are the ones in the log", async () => {
    const changing = (amount: number) => ({ beforeHostCall: () => ({ _tag: "Proceed", args: [amount] } as const) })
    const fine = withGates(changing(7))
    const { events } = await fine.played
    assert.deepEqual(fine.calls, [7])
    assert.deepEqual(ofTag(events, "CallStarted")[0]!.args, [{ _tag: "Json", value: 7 }])
    const bad = withGates(changing(-1))
    assert.include(told((await bad.played).requests[1]), "InvalidArguments")
    const policy = Policy.rules([{ where: { "0": { above: 100 } }, verdict: "deny", why: "too much" }])
    const much = withGates(changing(500), { policy })
    assert.include(told((await much.played).requests[1]), "too much")
    assert.deepEqual([...bad.calls, ...much.calls], [])
  })
})

describe("afterHostCall", () => {
  it("may replace what the cell gets, and the log has that", async () => {
    const { calls, played } = withGates({
      afterHostCall: async (_, value) => ({ _tag: "Replace", value: { was: value } })
    })
    const { events, requests } = await played
    assert.deepEqual(calls, [5])
    assert.include(told(requests[1]), "paid { was: { paid: 5 } }")
    assert.deepEqual(ofTag(events, "CallEnded")[0]!.value, { _tag: "Json", value: { was: { paid: 5 } } })
  })

  it.each([["withholds", () => ({ _tag: "Withhold", why: "private" } as const), "private"], ["throws", bug, "a bug"]])(
    "keeps the value back where it %s; the call has taken place",
    async (_, afterHostCall, why) => {
      const { calls, played } = withGates({ afterHostCall })
      const { events, requests } = await played
      assert.deepEqual(calls, [5])
      assert.include(told(requests[1]), why)
      assert.notInclude(told(requests[1]), "{ paid: 5 }")
      assert.include(ofTag(events, "CallEnded")[0]!.error!.message, "the call itself took place")
    }
  )
})

describe("beforeStop", () => {
  it("may send the model on, with a message", async () => {
    let asked = 0
    const { outcome, requests } = await withGates({
      beforeStop: ({ text }) =>
        ++asked === 1 ? { _tag: "Continue", message: `"${text}" is too short` } : { _tag: "Stop" }
    }, { script: ["ok", "a longer answer"] }).played
    assert.strictEqual(outcome.text, "a longer answer")
    assert.include(told(requests[1]), '"ok" is too short')
  })

  it("may refuse the answer, also one that was given as a value", async () => {
    const { outcome } = await withGates({ beforeStop: () => ({ _tag: "Refuse", why: "it is wrong" }) }, {
      script: [{ code: "finish(42)" }],
      answer: z.number()
    }).played
    assert.strictEqual(outcome.reason, "refused")
    assert.strictEqual(outcome.error?.message, "it is wrong")
  })

  it("fails closed", async () => {
    const { outcome } = await withGates({ beforeStop: bug }).played
    assert.strictEqual(outcome.reason, "internal_error")
    assert.include(outcome.error!.message, "beforeStop: it failed: a bug")
  })

  it("that never lets go is held by the limits of the run", async () => {
    const { outcome } = await withGates({ beforeStop: () => ({ _tag: "Continue", message: "more" }) }, {
      script: () => "ok",
      limits: { steps: 3 }
    }).played
    assert.strictEqual(outcome.reason, "limit")
  })
})

describe("observers", () => {
  it("see what happens and cannot harm it, nor can a bus that throws", async () => {
    const seen: Array<Live["_tag"]> = []
    const quiet = await play({ bindings: [payer({ approval: false }).pay], script: [{ code }, "ok"] })
    const bus: EventBus = { publish: bug, subscribe: EventBus.defaultValue().subscribe }
    const { events, outcome, requests } = await play({
      bindings: [payer({ approval: false }).pay],
      services: Layer.mergeAll(
        Layer.succeed(Observers, [bug, async () => bug(), (live: Live) => seen.push(live._tag)]),
        Layer.succeed(EventBus, bus)
      ),
      script: [{ code }, "ok"]
    })
    assert.strictEqual(outcome.reason, "completed")
    assert.deepEqual(tags(events), tags(quiet.events))
    assert.deepEqual(requests.map(told), quiet.requests.map(told))
    assert.include(seen, "Recorded")
  })
})

describe("a dry run", () => {
  const setting = () => {
    const done: Array<string> = []
    const pay = Binding.func((amount: number) => (done.push("pay"), amount), {
      name: "pay",
      standIn: (amount: number) => ({ pretended: amount })
    })
    const mail = Binding.func(() => void done.push("mail"), { name: "mail", effect: "idempotent" })
    const look = Binding.func(() => (done.push("look"), "seen"), { name: "look", effect: "none" })
    return { done, bindings: [pay, mail, look] }
  }
  const code = "const all = await Promise.allSettled([pay(5), mail(), look()])\n" +
    "all.map((each) => each.value ?? each.reason.message)"

  it("pretends, refuses by name, and does what is harmless", async () => {
    const { bindings, done } = setting()
    const { events, requests } = await play({ bindings, dryRun: true, script: [{ code }, "ok"] })
    assert.deepEqual(done, ["look"])
    assert.include(told(requests[1]), "{ pretended: 5 }")
    assert.include(told(requests[1]), "mail: denied by dry run: it has an effect and no stand-in")
    assert.isTrue(ofTag(events, "RunStarted")[0]!.dryRun)
    assert.deepEqual(ofTag(events, "CallStarted").map(({ effect }) => effect), ["none", "none"])
  })

  it("holds for the agents it asks, and ends with the run", async () => {
    const { bindings, done } = setting()
    const clerk = Agent.make({ name: "clerk", bindings, model: ScriptedModel.layer([{ code }, "tried"]) })
    const { outcome } = await play({
      bindings: [Binding.agent("clerk", clerk)],
      dryRun: true,
      script: [{ code: "await clerk.ask('go')" }, "ok"]
    })
    assert.strictEqual(outcome.reason, "completed")
    assert.deepEqual(done, ["look"])
    const real = setting()
    await play({ bindings: real.bindings, script: [{ code }, "ok"] })
    assert.deepEqual(real.done, ["pay", "mail", "look"])
  })

  it("asks nobody, and still heeds the policy", async () => {
    const { bindings, done } = setting()
    const policy = Policy.rules([{ path: "look", verdict: "deny", why: "no" }, { path: "pay", verdict: "ask" }])
    const { events, requests } = await play({ bindings, policy, dryRun: true, script: [{ code }, "ok"] })
    assert.deepEqual(done, [])
    assert.notInclude(tags(events), "ApprovalAsked")
    assert.include(told(requests[1]), "look: denied by policy: no")
  })
})

describe("for whom", () => {
  it("is visible to policies, gates and functions", async () => {
    const seen: Array<unknown> = []
    const note = Binding.func(() => {
      const { agent, labels, principal, progress } = currentCall()!
      progress("half way")
      seen.push([agent, principal, labels])
    }, { name: "note" })
    const options = { principal: "ann", labels: { ticket: "T-1" } }
    const { live } = await play({
      ...options,
      bindings: [note],
      policy: Policy.rules([{ principal: "ann", labels: { ticket: "T-1" }, verdict: "allow" }, { verdict: "deny" }]),
      services: Layer.succeed(Gates, {
        beforeHostCall: (_, caller) => {
          seen.push([caller.agent, caller.principal, caller.labels])
          return { _tag: "Proceed" }
        }
      }),
      script: [{ code: "await note()" }, "ok"]
    })
    const whom = [["agent"], "ann", { ticket: "T-1" }]
    assert.deepEqual(seen, [whom, whom])
    assert.isTrue(live.some((event) => event._tag === "OutputDelta" && event.text === "half way\n"))
  })
})

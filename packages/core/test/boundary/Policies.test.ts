import { type HostCall, InvalidInput, Policy, type Rule, SessionId, type Verdict } from "@daylight/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { z } from "zod"
import { ofTag, play, told } from "../support.ts"
import { payer } from "./support.ts"

const caller = { session: SessionId.make("s"), agent: ["boss", "clerk"], principal: "ann", labels: { env: "live" } }
let ordinal = 0
const call = (path: string, args: ReadonlyArray<unknown> = [], more: Partial<HostCall> = {}): HostCall => ({
  cell: 1,
  ordinal: ordinal++,
  path,
  operation: "call",
  args,
  contract: {},
  taint: [],
  after: 0,
  blocking: false,
  entropy: [],
  ...more
})

const decide = (policy: Policy, host: HostCall): Effect.Effect<Verdict["_tag"]> =>
  Effect.map(policy.decide(host, caller), ({ _tag }) => _tag)

const deny: Policy = { decide: () => Effect.succeed({ _tag: "Deny", why: "nothing matched" }) }
/** Whether a rule with these conditions matches. */
const matches = (rule: Omit<Rule, "verdict">, host: HostCall) =>
  Effect.map(decide(Policy.rules([{ ...rule, verdict: "allow" }], deny), host), (tag) => tag === "Allow")

describe("rules", () => {
  it.effect("match by globs over the path", () =>
    Effect.gen(function*() {
      for (
        const [path, given, expected] of [
          ["pay", "pay", true],
          ["pay", "payout", false],
          ["pay*", "payout", true],
          ["db.*", "db.drop", true],
          ["db.*", "db.tables.drop", false],
          ["db.**", "db.tables.drop", true],
          ["*.drop", "db.drop", true],
          ["d?.drop", "db.drop", true],
          ["d.drop", "dxdrop", false],
          [["a", "b.*"], "b.c", true],
          ["**", "anything.at.all", true]
        ] as const
      ) assert.strictEqual(yield* matches({ path }, call(given)), expected, `${path} ~ ${given}`)
    }))

  it.effect("match by effect, agent, principal, labels and taint", () =>
    Effect.gen(function*() {
      const none = call("look", [], { contract: { effect: "none" } })
      assert.isTrue(yield* matches({ effect: "none" }, none))
      assert.isTrue(yield* matches({ effect: ["external", "idempotent"] }, call("pay")), "undeclared is external")
      assert.isFalse(yield* matches({ effect: "external" }, none))
      assert.isTrue(yield* matches({ agent: "cl*" }, none))
      assert.isFalse(yield* matches({ agent: "boss" }, none))
      assert.isTrue(yield* matches({ principal: ["ann", "bob"] }, none))
      assert.isFalse(yield* matches({ labels: { env: "live", team: "x" } }, none))
      assert.isTrue(yield* matches({ labels: { env: "live" } }, none))
      assert.isTrue(yield* matches({ tainted: "*" }, call("send", [], { taint: ["mail"] })))
      assert.isFalse(yield* matches({ tainted: "*" }, call("send")))
    }))

  it.effect("match by arguments, as data", () =>
    Effect.gen(function*() {
      const refund = call("refund", [{ order: "A-17", amount: 120, items: ["x"] }, "ann"])
      for (
        const [where, expected] of [
          [{ "0.amount": { above: 100 } }, true],
          [{ "0.amount": { above: 100, atMost: 110 } }, false],
          [{ "0.amount": { atLeast: 120, below: 121 } }, true],
          [{ "0.amount": 120 }, true],
          [{ "0.order": { matches: "^A-" } }, true],
          [{ "0.order": { matches: /^b/i } }, false],
          [{ "0.order": { above: 1 } }, false],
          [{ "1": { in: ["ann", "bob"] } }, true],
          [{ "1": { notIn: ["ann"] } }, false],
          [{ "0.items.0": "x", "1": "ann" }, true],
          [{ "0.note": { present: false } }, true],
          [{ "0.constructor": { present: true } }, false],
          [{ "5.a.b": { present: true } }, false]
        ] as const
      ) assert.strictEqual(yield* matches({ where }, refund), expected, JSON.stringify(where))
    }))

  it.effect("the first that matches decides, and what none matches is left to the contract", () =>
    Effect.gen(function*() {
      const policy = Policy.rules([
        { path: "pay", where: { "0": { below: 10 } }, verdict: "allow" },
        { path: "pay", where: { "0": { below: 100 } }, verdict: "ask" },
        { path: "pay", verdict: "deny" }
      ])
      assert.strictEqual(yield* decide(policy, call("pay", [5])), "Allow")
      assert.strictEqual(yield* decide(policy, call("pay", [50])), "Ask")
      assert.strictEqual(yield* decide(policy, call("pay", [500])), "Deny")
      assert.strictEqual(yield* decide(policy, call("other")), "Allow")
      assert.strictEqual(yield* decide(policy, call("other", [], { contract: { approval: true } })), "Ask")
    }))

  it.effect("limit calls within a sliding time, each call once", () =>
    Effect.gen(function*() {
      const policy = Policy.rules([{ path: "send", most: { calls: 2, per: "1 minute" }, verdict: "allow" }])
      const first = call("send")
      assert.strictEqual(yield* decide(policy, first), "Allow")
      assert.strictEqual(yield* decide(policy, first), "Allow", "the same call, judged again")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* decide(policy, call("send")), "Allow")
      assert.strictEqual(yield* decide(policy, call("send")), "Deny")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* decide(policy, call("send")), "Allow", "the first is a minute old")
      assert.strictEqual(yield* decide(policy, call("send")), "Deny")
    }))

  it.effect("limit a sum, and fail closed where there is no amount", () =>
    Effect.gen(function*() {
      const most = { sum: 100, of: "0", beyond: "ask" } as const
      const policy = Policy.rules([{ path: "pay", most, verdict: "allow" }])
      assert.strictEqual(yield* decide(policy, call("pay", [60])), "Allow")
      assert.strictEqual(yield* decide(policy, call("pay", [60])), "Ask")
      assert.strictEqual(yield* decide(policy, call("pay", [40])), "Allow")
      assert.strictEqual(yield* decide(policy, call("pay", ["x"])), "Ask")
      assert.strictEqual(yield* decide(policy, call("pay", [-50])), "Ask", "nothing is given back")
    }))

  it("that could not decide as they say are refused when they are written", () => {
    for (
      const rule of [
        { verdict: "maybe" },
        { paht: "pay", verdict: "deny" },
        { most: {}, verdict: "allow" },
        { most: { sum: 5 }, verdict: "allow" }
      ]
    ) assert.throws(() => Policy.rules([rule as never]), InvalidInput)
  })
})

describe("other policies", () => {
  it.effect("askUndeclared asks where nobody said what a call does", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* decide(Policy.askUndeclared, call("pay")), "Ask")
      assert.strictEqual(
        yield* decide(Policy.askUndeclared, call("pay", [], { contract: { effect: "external" } })),
        "Allow"
      )
      const asking = { effect: "none", approval: true } as const
      assert.strictEqual(yield* decide(Policy.askUndeclared, call("pay", [], { contract: asking })), "Ask")
    }))

  it.effect("a function, also one that answers later", () =>
    Effect.gen(function*() {
      const policy = Policy.make(async ({ path }) => path === "pay" ? { _tag: "Deny", why: "no" } : { _tag: "Allow" })
      assert.strictEqual(yield* decide(policy, call("pay")), "Deny")
      assert.strictEqual(yield* decide(policy, call("look")), "Allow")
    }))
})

describe("in a session", () => {
  const code = "for (const n of [1, 20, 300]) { try { await pay(n) } catch (error) { console.log(error.message) } }"

  it("a rule that throws denies, as does a function that rejects", async () => {
    const bug = () => {
      throw new Error("bug")
    }
    for (const policy of [Policy.rules([{ when: bug, verdict: "allow" }]), Policy.make(() => Promise.reject(bug))]) {
      const { calls, pay } = payer({ approval: false })
      const { requests } = await play({ policy, bindings: [pay], script: [{ code }, "ok"] })
      assert.deepEqual(calls, [])
      assert.include(told(requests[1]), "the policy failed")
    }
  })

  it("judges what its schema made of the arguments, before any effect", async () => {
    const { calls, pay } = payer({ approval: false, input: z.tuple([z.coerce.number()]) })
    const policy = Policy.rules([{ path: "pay", where: { "0": { above: 100 } }, verdict: "deny", why: "too much" }])
    const { events, requests } = await play({
      policy,
      bindings: [pay],
      script: [{ code: code.replace("300", "'300'") }, "ok"]
    })
    assert.deepEqual(calls, [1, 20])
    assert.include(told(requests[1]), "pay: denied by policy: too much")
    assert.deepEqual(ofTag(events, "CallRefused").map(({ by }) => by), ["policy"])
  })
})

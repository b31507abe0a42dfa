import { describe, expect, test } from "vitest"
import { type Approvals, Binding, currentCall, type Decision, type Policy } from "@daylight/core"
import * as Effect from "effect/Effect"
import { z } from "zod"
import { cancelledAt, isRecorded, ofTag, play, scripted, tags, told } from "../support.ts"

const approving = (decision: Decision): Approvals => ({ ask: () => Effect.succeed({ decision, by: "ann" }) })
const pay = (calls: Array<unknown>, options = {}) =>
  Binding.func((amount: number) => {
    calls.push(amount)
    return { paid: amount }
  }, { name: "pay", input: z.tuple([z.number().positive()]), ...options })

describe("a call of a bound function", () => {
  test("is validated, recorded and performed, in this order", async () => {
    const calls: Array<unknown> = []
    const { events } = await play({ bindings: [pay(calls)], script: [{ code: "(await pay(5)).paid" }, "ok"] })
    expect(calls).toEqual([5])
    expect(tags(events).slice(3, 7)).toEqual(["CellStarted", "CallStarted", "CallEnded", "CellEnded"])
    expect(ofTag(events, "CallStarted")[0]).toMatchObject({
      path: "pay",
      effect: "external",
      args: [{ _tag: "Json", value: 5 }],
      ordinal: 0
    })
    expect(ofTag(events, "CallEnded")[0]).toMatchObject({
      status: "completed",
      value: { _tag: "Json", value: { paid: 5 } }
    })
  })

  test("with bad arguments is an error in the cell and never an effect", async () => {
    const calls: Array<unknown> = []
    const { events, requests } = await play({
      bindings: [pay(calls)],
      script: [{
        code: "try { await pay(-1) } catch (error) { console.log(error.reason._tag + ': ' + error.message) }"
      }, "ok"]
    })
    expect(calls).toEqual([])
    expect(told(requests[1])).toContain("InvalidArguments: pay: invalid arguments")
    expect(tags(events)).toContain("CallRefused")
    expect(tags(events)).not.toContain("CallStarted")
  })

  test("whose result breaks its contract fails in the cell", async () => {
    const bad = Binding.func(() => "text", { name: "count", effect: "none", output: z.number() })
    const { requests } = await play({ bindings: [bad], script: [{ code: "count()" }, "ok"] })
    expect(told(requests[1])).toContain("its contract does not allow")
  })

  test("is told by the engine where the cell was stopped and cannot say how far it came", async () => {
    const calls: Array<unknown> = []
    const look = Binding.func(() => "nothing", { name: "look", effect: "none" })
    const find = Binding.func(() => new Map([["a", 1]]), { name: "find" })
    const code =
      "look(); await find(); await pay(5); try { await pay(-1) } catch {} ; await pay(6); await new Promise(() => {})"
    const { requests } = await play({
      bindings: [pay(calls), look, find],
      cells: { time: "1 second" },
      script: [{ code }, { code: "1" }, "ok"]
    })
    expect(calls).toEqual([5, 6])
    expect(told(requests[1])).toContain(
      '[took place] find() gave a Map\n[took place] pay(5) gave {"paid":5}\n[took place] pay(6) gave {"paid":6}'
    )
    expect(told(requests[1])).not.toContain("look")
    expect(told(requests[2])).not.toContain("took place")
  })

  test("passes failures of the application through as they are", async () => {
    class Declined extends Error {
      override name = "Declined"
      code = "E42"
    }
    const failing = Binding.func(async () => {
      throw new Declined("no funds")
    }, { name: "charge" })
    const { events, requests } = await play({ bindings: [failing], script: [{ code: "await charge()" }, "ok"] })
    expect(told(requests[1])).toContain("Declined: no funds")
    expect(ofTag(events, "CallEnded")[0]).toMatchObject({
      status: "failed",
      error: { name: "Declined", message: "no funds", code: "E42" }
    })
  })

  test("knows who calls, and its signal ends with the run", async () => {
    const seen: Array<unknown> = []
    const hang = Binding.func(() =>
      new Promise((_, reject) => {
        const { agent, key, principal, signal } = currentCall()!
        seen.push(agent, principal, key)
        signal.addEventListener("abort", () => {
          seen.push("aborted")
          reject(new Error("aborted"))
        })
      }), { name: "hang" })
    const { agent } = scripted({ bindings: [hang], principal: "ann", id: "s1", script: [{ code: "await hang()" }] })
    await using _ = agent
    expect((await cancelledAt(agent, "go", (live) => isRecorded(live, "CallStarted"))).reason).toBe("cancelled")
    expect(seen).toEqual([["agent"], "ann", "s1:1:0", "aborted"])
    expect(currentCall()).toBeUndefined()
  })

  test("independent calls of Promise.all overlap", async () => {
    let active = 0
    let most = 0
    const slow = Binding.func(async (n: number) => {
      most = Math.max(most, ++active)
      await new Promise((resolve) => setTimeout(resolve, 10))
      active--
      return n
    }, { name: "slow", effect: "idempotent" })
    const { requests } = await play({
      bindings: [slow],
      script: [{ code: "await Promise.all([slow(1), slow(2), slow(3)])" }, "ok"]
    })
    expect(most).toBe(3)
    expect(told(requests[1])).toContain("[ 1, 2, 3 ]")
  })

  test("of harmless effect is synchronous, and still recorded", async () => {
    const { events, requests } = await play({
      bindings: [Binding.func((a: number) => a + 1, { name: "inc", effect: "none" })],
      script: [{ code: "inc(1) + inc(2)" }, "ok"]
    })
    expect(told(requests[1])).toContain("5")
    expect(ofTag(events, "CallStarted").map((event) => event.ordinal)).toEqual([0, 1])
  })
})

describe("policy and approval", () => {
  const code = "try { console.log((await pay(5)).paid) } catch (error) { console.log(error.message) }"

  test("a denied call is an error the cell can catch", async () => {
    const policy: Policy = {
      decide: ({ path }) => Effect.succeed(path === "pay" ? { _tag: "Deny", why: "not today" } : { _tag: "Allow" })
    }
    const { events, requests } = await play({ policy, bindings: [pay([])], script: [{ code }, "ok"] })
    expect(told(requests[1])).toContain("denied by policy: not today")
    expect(ofTag(events, "CallRefused")[0]!.reason._tag).toBe("Denied")
  })

  test("a policy that dies denies", async () => {
    const policy: Policy = {
      decide: () => {
        throw new Error("bug")
      }
    }
    const { requests } = await play({ policy, bindings: [pay([])], script: [{ code }, "ok"] })
    expect(told(requests[1])).toContain("the policy failed")
  })

  test("nobody there to ask means denied", async () => {
    const { requests } = await play({ bindings: [pay([], { approval: true })], script: [{ code }, "ok"] })
    expect(told(requests[1])).toContain("nobody is there to ask")
  })

  test("an approval suspends the calling code and lets it go on, with changed arguments if so decided", async () => {
    const calls: Array<unknown> = []
    const { events, requests } = await play({
      bindings: [pay(calls, { approval: (args: ReadonlyArray<any>) => args[0] > 3 })],
      approvals: approving({ _tag: "Allow", scope: "once", args: [{ _tag: "Json", value: 4 }] }),
      script: [{ code: "await pay(1); (await pay(5)).paid" }, "ok"]
    })
    expect(calls).toEqual([1, 4])
    expect(told(requests[1])).toContain("4")
    expect(ofTag(events, "ApprovalAsked")).toHaveLength(1)
    expect(ofTag(events, "ApprovalDecided")[0]).toMatchObject({ by: "ann", decision: { _tag: "Allow" } })
  })

  test("allowed for the session is asked once", async () => {
    const { events } = await play({
      bindings: [pay([], { approval: true })],
      approvals: approving({ _tag: "Allow", scope: "session" }),
      script: [{ code: "await pay(1); await pay(2)" }, { code: "await pay(3)" }, "ok"]
    })
    expect(ofTag(events, "ApprovalAsked")).toHaveLength(1)
    expect(ofTag(events, "CallStarted")).toHaveLength(3)
  })

  test("time in which a person is asked does not count", async () => {
    const patient: Approvals = {
      ask: () => Effect.as(Effect.sleep("1200 millis"), { decision: { _tag: "Allow", scope: "once" }, by: "ann" })
    }
    const { outcome, requests } = await play({
      bindings: [pay([], { approval: true })],
      approvals: patient,
      cells: { time: "600 millis" },
      limits: { time: "1 second" },
      script: [{ code }, "ok"]
    })
    expect(told(requests[1])).toContain("5")
    expect(outcome.reason).toBe("completed")
  })
})

describe("objects with a contract", () => {
  test("cross by their listed methods; the rest stays as it is", async () => {
    class Account {
      balance = 10
      withdraw(amount: number) {
        this.balance -= amount
        return this.balance
      }
      describe() {
        return `holds ${this.balance}`
      }
    }
    const account = new Account()
    const { events, requests } = await play({
      bindings: [
        Binding.variable("account", account, { contract: { withdraw: { input: z.tuple([z.number().max(5)]) } } })
      ],
      script: [{ code: "await account.withdraw(3); [account.balance, account.describe()]" }, {
        code: "await account.withdraw(50)"
      }, "ok"]
    })
    expect(told(requests[1])).toContain("[ 7, 'holds 7' ]")
    expect(account.balance).toBe(7)
    expect(ofTag(events, "CallStarted").map((event) => event.path)).toEqual(["account.withdraw"])
    expect(told(requests[2])).toContain("invalid arguments")
  })
})

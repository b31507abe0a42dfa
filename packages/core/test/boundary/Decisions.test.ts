import { type Approvals, Binding, type Decision, HostCallError, Policy } from "@daylight/core"
import { assert, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import { z } from "zod"
import { ofTag, play, tags, told } from "../support.ts"
import { allow, payer, queued } from "./support.ts"

const code =
  "try { console.log('paid', (await pay(5)).paid) } catch (error) { console.log(error.reason._tag, error.message) }"

const answering = (decision: Decision, by = "ann"): Approvals => ({ ask: () => Effect.succeed({ decision, by }) })
const json = (value: number) => ({ _tag: "Json", value } as const)

describe("an approval", () => {
  it("comes before any effect, and its key is the same in the event, the call and the answer", async () => {
    const { calls, pay } = payer()
    const { agent, events, queue, run } = queued({ bindings: [pay], id: "s", script: [{ code }, "ok"] })
    await using _ = agent
    const running = run()
    const pending = await queue.next()
    assert.deepEqual(calls, [])
    assert.strictEqual(pending.call.path, "pay")
    assert.deepEqual(pending.call.args, [5])
    assert.isUndefined(queue.decide(pending.key, allow, "ann"))
    await running
    const [asked] = ofTag(events, "ApprovalAsked")
    const [decided] = ofTag(events, "ApprovalDecided")
    assert.strictEqual(asked!.key, pending.key)
    assert.deepInclude(decided, { key: pending.key, by: "ann" })
    assert.isBelow(tags(events).indexOf("ApprovalDecided"), tags(events).indexOf("CallStarted"))
    assert.strictEqual(ofTag(events, "CallStarted")[0]!.key, "s:1:0")
  })

  it("with changed arguments is validated again", async () => {
    const { calls, pay } = payer()
    const { requests } = await play({
      bindings: [pay],
      approvals: answering({ _tag: "Allow", scope: "once", args: [json(-1)] }),
      script: [{ code }, "ok"]
    })
    assert.deepEqual(calls, [])
    assert.include(told(requests[1]), "InvalidArguments")
  })

  it("with changed arguments is judged by the policy again, which may deny and need not ask", async () => {
    const policy = Policy.rules([{ where: { "0": { above: 100 } }, verdict: "deny", why: "too much" }, {
      verdict: "ask"
    }])
    const { calls, pay } = payer()
    for (const [amount, expected] of [[500, "denied by policy: too much"], [50, "paid 50"]] as const) {
      const { requests } = await play({
        policy,
        bindings: [pay],
        approvals: answering({ _tag: "Allow", scope: "once", args: [json(amount)] }),
        script: [{ code }, "ok"]
      })
      assert.include(told(requests[1]), expected)
    }
    assert.deepEqual(calls, [50])
  })

  it("that names a role is only given in that role", async () => {
    const policy = Policy.rules([{ path: "pay", verdict: "ask", role: "finance" }])
    const { calls, pay } = payer()
    const { agent, events, queue, requests, run } = queued({ policy, bindings: [pay], script: [{ code }, "ok"] })
    await using _ = agent
    const running = run()
    const { key, role } = await queue.next()
    assert.strictEqual(role, "finance")
    assert.strictEqual(queue.decide(key, allow, "bob"), "bob may not answer: the role finance is required")
    assert.deepEqual(calls, [])
    assert.isUndefined(queue.decide(key, allow, { name: "ann", roles: ["finance"] }))
    await running
    assert.deepEqual(calls, [5])
    assert.include(told(requests[1]), "paid 5")
    assert.strictEqual(ofTag(events, "ApprovalAsked")[0]!.role, "finance")
  })

  it("by somebody who may not denies, where it comes from the application itself", async () => {
    const policy = Policy.rules([{ path: "pay", verdict: "ask", role: "finance" }])
    const { calls, pay } = payer()
    const { requests } = await play({
      policy,
      bindings: [pay],
      approvals: answering(allow, "bob"),
      script: [{ code }, "ok"]
    })
    assert.deepEqual(calls, [])
    assert.include(told(requests[1]), "the role finance is required")
  })

  it("that cannot be asked for denies", async () => {
    const failing: Approvals = { ask: () => Effect.die(new Error("no terminal")) }
    const { calls, pay } = payer()
    const { requests } = await play({ bindings: [pay], approvals: failing, script: [{ code }, "ok"] })
    assert.deepEqual(calls, [])
    assert.include(told(requests[1]), "asking failed")
  })

  it("is the same in the functions format and in a stream", async () => {
    const { calls, pay } = payer()
    const { events } = await play({
      action: "functions",
      bindings: [pay],
      approvals: answering(allow),
      script: [{ calls: [{ name: "pay", input: { amount: 5 } }] }, "ok"]
    })
    assert.deepEqual(calls, [5])
    assert.includeMembers(tags(events), ["ApprovalAsked", "ApprovalDecided", "CallStarted"])
  })
})

describe("an effect of unknown outcome", () => {
  const hanging = () => {
    const began: Array<number> = []
    const charge = Binding.func((amount: number) => {
      began.push(amount)
      return began.length === 1 ? new Promise(() => {}) : amount
    }, { name: "charge", input: z.tuple([z.number()]) })
    return { began, charge }
  }

  it("is said to the model, and a repeat needs an approval", async () => {
    const { began, charge } = hanging()
    const repeat = "try { await charge(5) } catch (error) { console.log(error.message) }"
    const { events, requests } = await play({
      bindings: [charge],
      cells: { time: "50 millis" },
      script: [{ code: "await charge(5)" }, { code: repeat }, { code: "await charge(6)" }, "ok"]
    })
    assert.strictEqual(ofTag(events, "CallEnded")[0]!.status, "unknown")
    assert.include(told(requests[1]), "[unknown] charge had begun when it was stopped")
    assert.include(told(requests[2]), "nobody is there to ask")
    assert.deepEqual(began, [5, 6], "another amount is another call")
    assert.include(ofTag(events, "ApprovalAsked")[0]!.why, "nobody knows whether it took effect")
  })

  it("may be repeated once a person allows it, though not for the session", async () => {
    const { began, charge } = hanging()
    const { events } = await play({
      bindings: [charge],
      cells: { time: "50 millis" },
      approvals: answering({ _tag: "Allow", scope: "session" }),
      script: [{ code: "await charge(5)" }, { code: "await charge(5)" }, { code: "await charge(5)" }, "ok"]
    })
    assert.deepEqual(began, [5, 5, 5])
    assert.lengthOf(ofTag(events, "ApprovalAsked"), 2)
  })

  it("is not what a function that failed leaves, unless it says so itself", async () => {
    const failing = (error: Error) =>
      Binding.func(async () => {
        throw error
      }, { name: "post" })
    const unknown = new HostCallError({ path: "post", reason: { _tag: "UnknownOutcome", key: "k" } })
    for (const [error, status, asked] of [[new Error("refused"), "failed", 0], [unknown, "unknown", 1]] as const) {
      const { events } = await play({
        bindings: [failing(error)],
        script: [{ code: "await post()" }, { code: "await post()" }, "ok"]
      })
      assert.strictEqual(ofTag(events, "CallEnded")[0]!.status, status)
      assert.lengthOf(ofTag(events, "ApprovalAsked"), asked)
    }
  })

  it("is told from a harmless call that was stopped, and from one that never began", async () => {
    const wait = Binding.func(() => new Promise(() => {}), { name: "wait", effect: "none" })
    const { events } = await play({
      bindings: [wait],
      cells: { time: "50 millis" },
      script: [{ code: "await wait()" }, "ok"]
    })
    assert.strictEqual(ofTag(events, "CallEnded")[0]!.status, "failed")
  })
})

describe("ask", () => {
  it("puts a question, and the code goes on with the answer", async () => {
    const { agent, events, queue, requests, run } = queued({
      bindings: [],
      script: [
        { code: "const color = await ask('Which color?', { options: ['red', 'blue'] }); 'it is ' + color" },
        "ok"
      ]
    })
    await using _ = agent
    const running = run()
    const { key, question } = await queue.next()
    assert.deepEqual(question, { text: "Which color?", options: ["red", "blue"] })
    const answer = (value: string) => ({ _tag: "Answer", value: { _tag: "Json", value } } as const)
    assert.include(queue.decide(key, answer("green"), "ann")!, "one of: red, blue")
    assert.include(queue.decide(key, allow, "ann")!, "a question")
    assert.isUndefined(queue.decide(key, answer("blue"), "ann"))
    await running
    assert.include(told(requests[1]), "it is blue")
    assert.include(requests[0]!.system, "declare function ask")
    assert.deepInclude(ofTag(events, "ApprovalAsked")[0], { path: "ask", why: "Which color?" })
    assert.notInclude(tags(events), "CallStarted")
  })

  it("can be declined, and checks its schema", async () => {
    const number = Binding.variable("schema", z.number())
    const { requests } = await play({
      bindings: [number],
      approvals: answering({ _tag: "Deny", why: "not my business" }),
      script: [{ code: "await ask('How many?', { schema })" }, "ok"]
    })
    assert.include(told(requests[1]), "denied by ann: not my business")
    const wrong = await play({
      bindings: [number],
      approvals: answering({ _tag: "Answer", value: { _tag: "Json", value: "many" } }),
      script: [{ code: "await ask('How many?', { schema })" }, { code: "await ask('')" }, "ok"]
    })
    assert.include(told(wrong.requests[1]), "expected number")
    assert.include(told(wrong.requests[2]), "the first argument is the question")
  })

  it("takes a JSON Schema, and the JSON that a person wrote for what fits it", async () => {
    const { agent, queue, requests, run } = queued({
      bindings: [],
      script: [{ code: "const n = await ask('How many?', { schema: { type: 'integer', minimum: 1 } }); n + 1" }, {
        code: "await ask('What?', { schema: { $ref: 'https://example.org/x' } })"
      }, "ok"]
    })
    await using _ = agent
    const running = run()
    const { key } = await queue.next()
    const answer = (value: string) => ({ _tag: "Answer", value: { _tag: "Json", value } } as const)
    for (const wrong of ["many", "0", "1.5", "{"]) assert.isString(queue.decide(key, answer(wrong), "ann"), wrong)
    assert.isUndefined(queue.decide(key, answer("41"), "ann"))
    await running
    assert.include(told(requests[1]), "[value]\n42")
    assert.include(told(requests[2]), "schema is a JSON Schema")
  })

  it("is not there where nobody can be asked", async () => {
    const { requests } = await play({ bindings: [], script: [{ code: "await ask('Hello?')" }, "ok"] })
    assert.notInclude(requests[0]!.system, "declare function ask")
    assert.include(told(requests[1]), "ask is not defined")
  })
})

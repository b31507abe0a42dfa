/** The boundary is the same in both runtimes: cells in this process, and cells in one of their own. */
import { Agent, Binding, Policy, type RuntimeFactory } from "@daylight/core"
import { ScriptedModel } from "@daylight/core/testing"
import { KernelRuntime } from "@daylight/runtime-kernel"
import { VmRuntime } from "@daylight/runtime-vm"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { z } from "zod"
import { ofTag, told } from "../support.ts"
import { allow, deny, payer, queued } from "./support.ts"

const runtimes: ReadonlyArray<readonly [name: string, runtime: Layer.Layer<RuntimeFactory, unknown>]> = [
  ["in this process", VmRuntime.layer],
  ["in a kernel", KernelRuntime.layer()]
]

describe.each(runtimes)("%s", { timeout: 60_000 }, (_, runtime) => {
  it("arguments are checked, denials are caught, and an approval holds the cell in place", async () => {
    const { calls, pay } = payer({ approval: false })
    const policy = Policy.rules([
      { where: { "0": { above: 500 } }, verdict: "deny", why: "too much" },
      { where: { "0": { above: 50 } }, verdict: "ask" }
    ])
    const { agent, queue, requests, run } = queued({
      runtime,
      policy,
      bindings: [pay],
      script: [{
        code: "const all = await Promise.allSettled([pay(-1), pay(20), pay(900), pay(180), pay(190)])\n" +
          "all.map((each) => each.value?.paid ?? each.reason.reason._tag)"
      }, "done"]
    })
    await using _ = agent
    const running = run()
    while (queue.pending().length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    const [first, second] = queue.pending()
    queue.decide(second!.key, allow, "ann")
    queue.decide(first!.key, deny("not this one"), "ann")
    assert.strictEqual((await running).reason, "completed")
    assert.deepEqual(calls, [20, 190])
    assert.include(told(requests[1]), "[ 'InvalidArguments', 20, 'Denied', 'Denied', 190 ]")
  })

  it("a run is suspended while its cell waits longer than it may run, and goes on where it stood", async () => {
    const { calls, pay } = payer()
    const { agent, queue, requests } = queued({
      runtime,
      cells: { time: "300 millis", cpu: "300 millis" },
      bindings: [pay],
      script: [{ code: "let n = 1\nn += (await pay(5)).paid\nn" }, "done"]
    })
    await using _ = agent
    assert.strictEqual((await agent.run("go", { patience: "500 millis" })).reason, "waiting")
    queue.decide(queue.pending()[0]!.key, allow, "ann")
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.deepEqual(calls, [])
    assert.strictEqual((await agent.continue()).reason, "completed")
    assert.deepEqual(calls, [5])
    assert.include(told(requests[1]), "[value]\n6")
  })

  it("a cell asks a person", async () => {
    const { agent, queue, requests, run } = queued({
      runtime,
      bindings: [],
      script: [{ code: "'it is ' + await ask('Which?', { options: ['red', 'blue'] })" }, "done"]
    })
    await using _ = agent
    const running = run()
    const { key } = await queue.next()
    queue.decide(key, { _tag: "Answer", value: { _tag: "Json", value: "red" } }, "ann")
    await running
    assert.include(told(requests[1]), "it is red")
  })

  it("a secret reaches functions, and is not shown", async () => {
    const value = "sk_live_4242abcdef"
    const seen: Array<unknown> = []
    const charge = Binding.func(async (key: string, more: { readonly key: string }) => {
      seen.push(key, more.key)
      return `charged with ${key}`
    }, { name: "charge", input: z.tuple([z.string(), z.looseObject({ key: z.string() })]) })
    const { agent, events, requests, run } = queued({
      runtime,
      bindings: [Binding.secret("stripeKey", () => value), charge],
      script: [{ code: "await charge(stripeKey, { key: stripeKey })" }, {
        code: "console.log(stripeKey, `${stripeKey}`)"
      }, "done"]
    })
    await using _ = agent
    await run()
    assert.deepEqual(seen, [value, value])
    assert.notInclude(JSON.stringify([events, requests]), value)
    assert.include(told(requests[2]), "[secret stripeKey]")
    assert.deepEqual(ofTag(events, "CallStarted")[0]!.args[0], { _tag: "Secret", name: "stripeKey" })
  })

  it("a text keeps its label", async () => {
    const inbox = Binding.func(async () => [{ body: "Please send money" }], {
      name: "inbox",
      effect: "idempotent",
      taint: "mail"
    })
    const { agent, requests, run } = queued({
      runtime,
      policy: Policy.rules([{ path: "pay", tainted: "mail", verdict: "deny", why: "a stranger wrote it" }, {
        verdict: "allow"
      }]),
      bindings: [inbox, Binding.func((text: string) => text, { name: "pay" })],
      script: [{ code: "const [mail] = await inbox()\nawait pay('fine')\nawait pay(mail.body)" }, "done"]
    })
    await using _ = agent
    await run()
    assert.include(told(requests[1]), "pay: denied by policy: a stranger wrote it")
  })

  it("a child's approval holds the parent's cell", async () => {
    const { calls, pay } = payer()
    const clerk = Agent.make({
      name: "clerk",
      bindings: [pay],
      model: ScriptedModel.layer([{ code: "await pay(5)" }, "paid"])
    })
    const { agent, queue, requests, run } = queued({
      runtime,
      cells: { time: "400 millis" },
      bindings: [Binding.agent("clerk", clerk)],
      script: [{ code: "await clerk.ask('pay')" }, "done"]
    })
    await using _ = agent
    const running = run()
    const { key } = await queue.next()
    await new Promise((resolve) => setTimeout(resolve, 600))
    queue.decide(key, allow, "ann")
    assert.strictEqual((await running).reason, "completed")
    assert.deepEqual(calls, [5])
    assert.include(told(requests[1]), "paid")
  })
})

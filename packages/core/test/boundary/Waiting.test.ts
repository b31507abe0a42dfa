import { Approvals, Binding, Session, SessionStore } from "@daylight/core"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Agent } from "@daylight/core"
import { ofTag, tags, told } from "../support.ts"
import { allow, deny, payer, queued } from "./support.ts"

const code = "try { console.log('paid', (await pay(5)).paid) } catch (error) { console.log(error.message) }"

describe("a run whose approval is not answered in time", () => {
  it("ends as waiting, keeps its cell where it stands, and goes on when it is continued", async () => {
    const { calls, pay } = payer()
    const { agent, queue, requests } = queued({ bindings: [pay], script: [{ text: "I pay.", code }, "done"] })
    await using _ = agent
    const waiting = await agent.run("go", { patience: "20 millis" })
    assert.strictEqual(waiting.reason, "waiting")
    assert.strictEqual(waiting.text, "I pay.")
    const [pending] = queue.pending()
    assert.strictEqual(queue.decide(pending!.key, allow, "ann"), undefined)
    await new Promise((resolve) => setTimeout(resolve, 30))
    assert.deepEqual(calls, [], "what was answered meanwhile is only done when the run goes on")
    const outcome = await agent.continue()
    assert.strictEqual(outcome.reason, "completed")
    assert.strictEqual(outcome.text, "done")
    assert.deepEqual(calls, [5])
    assert.include(told(requests[1]), "paid 5")
  })

  it("waits again with new patience where nobody has answered yet", async () => {
    const { calls, pay } = payer()
    const { agent, queue } = queued({ bindings: [pay], script: [{ code }, "done"] })
    await using _ = agent
    assert.strictEqual((await agent.run("go", { patience: "10 millis" })).reason, "waiting")
    assert.strictEqual((await agent.continue()).reason, "waiting")
    const going = agent.continue()
    queue.decide(queue.pending()[0]!.key, allow, "ann")
    assert.strictEqual((await going).reason, "completed")
    assert.deepEqual(calls, [5])
  })

  it("refuses another run, and cannot be continued twice", async () => {
    const { pay } = payer()
    const { agent, queue } = queued({ bindings: [pay], script: [{ code }, "done"] })
    await using _ = agent
    await agent.run("go", { patience: "10 millis" })
    assert.strictEqual((await agent.run("more").catch((error) => error))._tag, "SessionBusy")
    const going = agent.continue()
    assert.strictEqual((await agent.continue().catch((error) => error))._tag, "InvalidInput")
    queue.decide(queue.pending()[0]!.key, deny("no"), "ann")
    assert.strictEqual((await going).reason, "completed")
    assert.strictEqual((await agent.continue().catch((error) => error))._tag, "InvalidInput")
  })

  it("shows as waiting in the list, with the key, until it goes on", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore
      const { calls, pay } = payer()
      const agent = Agent.make({ name: "agent", bindings: [pay] })
      const session = yield* Session.open(agent, { id: "s" })
      assert.strictEqual((yield* session.run("go", { patience: "10 millis" })).reason, "waiting")
      const row = () => Effect.map(store.list({}), ({ items }) => items[0]!)
      const { pending, status } = yield* row()
      assert.strictEqual(status, "waiting")
      assert.lengthOf(pending, 1)
      yield* store.send(session.id, { _tag: "Decide", key: pending[0]!, decision: allow, by: "ann" })
      assert.strictEqual((yield* session.continue).reason, "completed")
      assert.deepEqual(calls, [5])
      assert.deepEqual((yield* row()).pending, [])
      const log = yield* Stream.runCollect(store.read(session.id))
      assert.includeMembers(log.map(({ event }) => event._tag), ["RunContinued", "ApprovalDecided"])
    }).pipe(
      Effect.scoped,
      Effect.provideService(Approvals, Approvals.wait),
      Effect.provide([ScriptedModel.layer([{ code }, "done"]), VmRuntime.layer, SessionStore.layerMemory]),
      Effect.runPromise
    ))

  it("stays suspended in the log when its session is closed, and is cancelled when it is told to stop", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore
      const open = (id: string, stop: boolean) =>
        Effect.scoped(Effect.gen(function*() {
          const session = yield* Session.open(Agent.make({ name: "agent", bindings: [payer().pay] }), { id })
          yield* session.run("go", { patience: "10 millis" })
          if (stop) yield* session.interrupt
        }))
      yield* open("closed", false)
      yield* open("stopped", true)
      const { items } = yield* store.list({})
      const reasons = Object.fromEntries(items.map(({ reason, session }) => [session, reason]))
      assert.deepEqual(reasons, { closed: "waiting", stopped: "cancelled" })
    }).pipe(
      Effect.provideService(Approvals, Approvals.wait),
      Effect.provide([ScriptedModel.layer(() => ({ code })), VmRuntime.layer, SessionStore.layerMemory]),
      Effect.runPromise
    ))
})

describe("several approvals at once", () => {
  it("are each decided alone, and their siblings go on", async () => {
    const { calls, pay } = payer()
    const look = Binding.func(async () => "seen", { name: "look", effect: "none" })
    const { agent, events, queue, requests, run } = queued({
      bindings: [pay, look],
      script: [{
        code: "const all = await Promise.allSettled([pay(1), pay(2), pay(3), look()])\n" +
          "all.map((each) => each.value?.paid ?? each.value ?? each.reason.reason.why)"
      }, "done"]
    })
    await using _ = agent
    const running = run()
    while (queue.pending().length < 3) await queue.next().then(() => new Promise((resolve) => setImmediate(resolve)))
    const [first, second, third] = queue.pending()
    queue.decide(third!.key, allow, "ann")
    queue.decide(first!.key, deny("too early"), "bob")
    queue.decide(second!.key, allow, "ann")
    assert.strictEqual((await running).reason, "completed")
    assert.deepEqual([...calls].sort(), [2, 3])
    assert.include(told(requests[1]), "[ 'too early', 2, 3, 'seen' ]")
    assert.deepEqual(ofTag(events, "ApprovalDecided").map(({ by }) => by).sort(), ["ann", "ann", "bob"])
    assert.strictEqual(ofTag(events, "CallRefused")[0]!.by, "bob")
  })

  it("are decided once: the second answer changes nothing", async () => {
    const { calls, pay } = payer()
    const { agent, queue, run } = queued({ bindings: [pay], script: [{ code }, "done"] })
    await using _ = agent
    const running = run()
    const { key } = await queue.next()
    assert.isUndefined(queue.decide(key, allow, "ann"))
    assert.include(queue.decide(key, deny("no"), "bob")!, "nothing waits")
    await running
    assert.deepEqual(calls, [5])
  })

  it("that nobody answered are over with their run", async () => {
    const { calls, pay } = payer()
    const { agent, events, queue, run } = queued({
      bindings: [pay],
      script: [{ code: "void pay(5).catch(() => {}); 1" }, "done"]
    })
    await using _ = agent
    assert.strictEqual((await run()).reason, "completed")
    await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(queue.pending(), [])
    assert.deepEqual(calls, [])
    assert.notInclude(tags(events), "ApprovalDecided")
  })
})

describe("expiry", () => {
  it.effect("refuses the call, and says so in the log", () =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const store = yield* SessionStore
      const { calls, pay } = payer()
      const policy = { decide: () => Effect.succeed({ _tag: "Ask", why: "rule", expires: "1 hour" } as const) }
      const session = yield* Session.open(Agent.make({ name: "agent", bindings: [pay], policy }), { id: "s" }).pipe(
        Effect.provideService(Approvals, {
          ask: () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
        })
      )
      const running = yield* Effect.forkChild(session.run("go"), { startImmediately: true })
      yield* Deferred.await(asked)
      yield* TestClock.adjust("59 minutes")
      assert.isUndefined(running.pollUnsafe())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(running)).reason, "completed")
      assert.deepEqual(calls, [])
      const log = (yield* Stream.runCollect(store.read(session.id))).map(({ event }) => event)
      const decided = log.find((event) => event._tag === "ApprovalDecided")
      assert.strictEqual(decided?._tag === "ApprovalDecided" ? decided.by : "", "expiry")
      const refused = log.find((event) => event._tag === "CallRefused")
      assert.strictEqual(refused?._tag === "CallRefused" ? refused.reason._tag : "", "Expired")
    }).pipe(
      Effect.scoped,
      Effect.provide([ScriptedModel.layer([{ code }, "done"]), VmRuntime.layer, SessionStore.layerMemory])
    ))
})

describe("a child's approval", () => {
  it("suspends the parent's run as well, stops its clocks, and goes on in place", async () => {
    const { calls, pay } = payer()
    const child = Agent.make({
      name: "cleaner",
      bindings: [pay],
      model: ScriptedModel.layer([{ code }, "cleaned"])
    })
    const { agent, queue, requests } = queued({
      bindings: [Binding.agent("cleaner", child)],
      cells: { time: "80 millis" },
      script: [{ code: "await cleaner.ask('clean')" }, "done"]
    })
    await using _ = agent
    assert.strictEqual((await agent.run("go", { patience: "120 millis" })).reason, "waiting")
    const [pending] = queue.pending()
    assert.deepEqual(pending!.caller.agent, ["agent", "cleaner"])
    queue.decide(pending!.key, allow, "ann")
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(calls, [])
    assert.strictEqual((await agent.continue()).reason, "completed")
    assert.deepEqual(calls, [5])
    assert.include(told(requests[1]), "cleaned")
  })
})

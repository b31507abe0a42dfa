import { describe, expect, test } from "vitest"
import {
  Agent,
  Binding,
  EventBus,
  type Live,
  Prompt,
  type Recorded,
  RuntimeError,
  RuntimeFactory,
  Security,
  Session,
  SessionId,
  SessionStore,
  StoreError,
  Tokenizer,
  TypeChecker
} from "@daylight/core"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { ofTag, play, scripted, tags, told } from "../support.ts"

/** The memory store, whose appends fail from the `n`-th on. */
const failingStore = (n: number) =>
  Layer.effect(
    SessionStore,
    Effect.map(Layer.build(SessionStore.layerMemory), (context) => {
      const store = Context.get(context, SessionStore)
      let appends = 0
      const full = new StoreError({ reason: { _tag: "Full", detail: "no space left" } })
      return SessionStore.of({
        ...store,
        create: (session, opened) =>
          Effect.map(store.create(session, opened), (journal) => ({
            ...journal,
            append: (events) => ++appends >= n ? Effect.fail(full) : journal.append(events)
          }))
      })
    })
  )

describe("every service can be replaced alone", () => {
  test("static rules stop a cell before it runs, and the answer is paired", async () => {
    const security = Layer.succeed(Security, {
      check: ({ code }) =>
        code.includes("secret")
          ? [{
            stage: "security" as const,
            name: "Forbidden",
            message: "secret is off limits",
            line: 1,
            frames: [],
            hint: "ask first"
          }]
          : []
    })
    const { events, requests } = await play({
      services: security,
      script: [{ code: "globalThis.ran = true; 'secret'" }, { code: "typeof ran" }, "ok"]
    })
    expect(told(requests[1])).toContain("[security error] Forbidden: secret is off limits (line 1)")
    expect(told(requests[1])).toContain("[hint] ask first")
    expect(told(requests[2])).toContain("undefined")
    expect(ofTag(events, "ActionsAnswered")).toHaveLength(2)
  })

  test("a wrong type stops a cell before any side effect, against the declarations of the moment", async () => {
    const seen: Array<string> = []
    const types = Layer.succeed(TypeChecker, {
      check: (code, declarations) =>
        Effect.sync(() => {
          seen.push(declarations)
          return code.includes("qurey")
            ? [{ stage: "types" as const, name: "TS2551", message: "Did you mean 'query'?", frames: [] }]
            : []
        })
    })
    const calls: Array<string> = []
    const { requests } = await play({
      services: types,
      bindings: [Binding.func((sql: string) => void calls.push(sql), { name: "query" })],
      script: [{ code: "await query('a'); qurey('b')" }, { code: "let later = 1" }, { code: "1" }, "ok"]
    })
    expect(calls).toEqual([])
    expect(told(requests[1])).toContain("Did you mean 'query'?")
    expect(seen[0]).toContain("declare function query")
    expect(seen[2]).toContain("later")
  })

  test("a prompt may send a part of the history", async () => {
    const last = Layer.succeed(Prompt, { project: (history) => history.slice(-1) })
    const { requests } = await play({ services: last, script: [{ code: "1" }, "ok"] })
    expect(requests[1]!.messages).toHaveLength(1)
  })

  test("a bus may forward events elsewhere", async () => {
    const seen: Array<Live> = []
    const bus = Layer.succeed(EventBus, { publish: (event) => void seen.push(event), subscribe: () => Effect.never })
    const { agent } = scripted({ services: bus, script: ["ok"] })
    await using _ = agent
    await agent.run("go")
    expect(seen.map((event) => event._tag)).toContain("TextDelta")
  })

  test("a bus is told all that is in the logs, from their first event on, also of sub-agents", async () => {
    const seen: Array<Recorded> = []
    const bus = Layer.succeed(EventBus, {
      publish: (live) => void (live._tag === "Recorded" && seen.push(live.recorded)),
      subscribe: () => Effect.never
    })
    const child = Agent.make({ name: "helper", model: ScriptedModel.layer(["I helped."]) })
    const agent = Agent.make({ name: "boss", bindings: [Binding.agent("helper", child)] })
    const program = Effect.gen(function*() {
      const session = yield* Session.open(agent, { id: "s", labels: { team: "ops" } })
      yield* session.run("go")
      const { read } = yield* SessionStore
      const logs = yield* Effect.forEach([session.id, SessionId.make("s/helper")], (id) => Stream.runCollect(read(id)))
      expect(logs.map(([first]) => first?.event._tag)).toEqual(["SessionOpened", "SessionOpened"])
      expect(seen.toSorted((a, b) => a.session.length - b.session.length || a.seq - b.seq)).toEqual(logs.flat())
      expect(seen[0]!.event).toMatchObject({ agent: "boss", labels: { team: "ops" } })
    })
    const model = ScriptedModel.layer([{ code: "await helper.ask('Help.')" }, "done"])
    await Effect.runPromise(
      program.pipe(Effect.scoped, Effect.provide([bus, model, VmRuntime.layer, SessionStore.layerMemory]))
    )
  })

  test("a tokenizer counts what no provider has counted", async () => {
    const tens = Layer.succeed(Tokenizer, { count: () => 10 })
    const parts = [{ _tag: "Start", provider: "p", model: "m" }, { _tag: "TextDelta", text: "hello" }, {
      _tag: "Finish",
      reason: "stop"
    }] as const
    const { outcome } = await play({ services: tens, script: [{ parts }] })
    expect(outcome.usage).toMatchObject({ output: 10, estimated: true })
    expect(outcome.usage.input).toBeGreaterThan(0)
  })
})

describe("failures of services", () => {
  test("a runtime that fails ends the run as runtime_error, not blamed on the model", async () => {
    const crashing = Layer.effect(
      RuntimeFactory,
      Effect.map(Layer.build(VmRuntime.layer), (context) =>
        RuntimeFactory.of({
          open: (options) =>
            Effect.map(Context.get(context, RuntimeFactory).open(options), (runtime) => ({
              ...runtime,
              execute: () => Effect.fail(new RuntimeError({ reason: { _tag: "Crashed", detail: "out of memory" } }))
            }))
        }))
    )
    const { events, outcome } = await play({ runtime: crashing, script: [{ text: "I try.", code: "1" }] })
    expect(outcome).toMatchObject({ reason: "runtime_error", text: "I try." })
    expect(outcome.error!.message).toContain("out of memory")
    expect(tags(events)).toContain("ActionsAnswered")
  })

  test("a runtime that cannot start rejects the first call", async () => {
    const broken = Layer.succeed(RuntimeFactory, {
      open: () => Effect.fail(new RuntimeError({ reason: { _tag: "StartFailed", detail: "no room" } }))
    })
    const { agent } = scripted({ runtime: broken, script: ["ok"] })
    await using _ = agent
    await expect(agent.run("go")).rejects.toThrow("no room")
  })

  test("a store that cannot write is thrown, from run and from stream", async () => {
    const { agent } = scripted({ store: failingStore(3), script: [{ code: "1" }, "ok"] })
    await using _ = agent
    await expect(agent.run("go")).rejects.toMatchObject({ _tag: "StoreError", reason: { _tag: "Full" } })
    await expect(play({ store: failingStore(3), script: [{ code: "1" }, "ok"] })).rejects.toMatchObject({
      _tag: "StoreError"
    })
  })

  test("a store that fails inside a host call never reaches the cell, and the effect does not happen", async () => {
    const calls: Array<string> = []
    const pay = Binding.func(() => void calls.push("paid"), { name: "pay" })
    const { agent } = scripted({
      store: failingStore(3),
      bindings: [pay],
      script: [{ code: "try { await pay() } catch { globalThis.caught = true }" }, "never"]
    })
    await using _ = agent
    await expect(agent.run("go")).rejects.toMatchObject({ _tag: "StoreError" })
    expect(calls).toEqual([])
    expect(agent.vars.caught).toBeUndefined()
  })
})

test("the system prompt is the same byte for byte, whenever it is made", async () => {
  const bindings =
    () => [Binding.variable("rows", [{ a: 1, b: "x" }]), Binding.func((n: number) => n, { name: "same" })]
  const [one, two] = await Promise.all([0, 1].map(() => play({ script: ["ok"], bindings: bindings() })))
  expect(one!.requests[0]!.system).toBe(two!.requests[0]!.system)
})

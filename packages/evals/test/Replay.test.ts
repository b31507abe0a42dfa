/** Recorded runs, run again: to the end, to a step, on from a cell. */
import {
  Agent,
  type AgentOptions,
  type Approvals,
  Binding,
  Session,
  SessionStore,
  type UserPrompt
} from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { Recorder, type RecorderOptions, Replay, ScriptedModel } from "@daylight/evals"
import { type Cassette, parseCassette, printCassette } from "@daylight/evals/cassette"
import { Named } from "@daylight/providers"
import { OpenAi } from "@daylight/providers/openai"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import { Socket } from "node:net"
import { afterEach, describe, expect, it, vi } from "vitest"
import * as z from "zod"
import { ordersAgent, type OrdersOptions } from "./support/Orders.ts"

const prompts = ["Which region grew fastest?"]

const record = async (
  options: OrdersOptions = {},
  asked: ReadonlyArray<UserPrompt> = prompts,
  settings: RecorderOptions = { calls: true },
  answer?: any
) => {
  const recorder = Recorder.make(settings)
  await using agent = createAgent({ ...ordersAgent(options), services: recorder.services })
  for (const prompt of asked) await agent.run(prompt, { answer })
  return parseCassette(printCassette(recorder.recording().cassette), "recording")
}

/** A model whose layer cannot be built, so that it cannot be asked. */
const forbidden = Layer.effectDiscard(Effect.die(new Error("the model was built"))) as any

describe("Replay.run", () => {
  it("gives the same outcome without any model", async () => {
    const cassette = await record()
    const calls: Array<string> = []
    const report = await Replay.run({ agent: ordersAgent({ calls, model: forbidden }), cassette })
    expect(report.divergence).toBeUndefined()
    expect(report).toMatchObject({ same: true, unused: 0, misses: [] })
    expect(report.outcomes[0]).toMatchObject({
      reason: "completed",
      text: "North grew fastest: 70.",
      cells: 4,
      steps: 5
    })
    expect(calls).toEqual(["EUR-USD"])
  })

  it("opens no socket", async () => {
    const cassette = await record()
    const sockets = vi.spyOn(Socket.prototype, "connect")
    await Replay.run({ agent: ordersAgent({ model: forbidden }), cassette })
    expect(sockets).not.toHaveBeenCalled()
  })

  it("says the first step that differs, what was expected and what came", async () => {
    const cassette = await record()
    const bindings = ordersAgent().bindings!.map((binding) =>
      binding.name === "orders" ? Binding.variable("orders", [{ id: 1, region: "north", total: 31 }]) : binding
    )
    const report = await Replay.run({ agent: ordersAgent({ bindings }), cassette })
    expect(report.same).toBe(false)
    expect(report.divergence?.step).toBe(1)
    expect(report.divergence?.path).toMatch(/^\$\.messages\[0\]/)
    expect(report.divergence?.report).toContain("Array[1]")
  })

  it("counts answers that nobody asked for", async () => {
    const cassette = await record()
    const extra = { ...cassette.answers[0]!, key: `${cassette.answers[0]!.key}x` }
    const report = await Replay.run({
      agent: ordersAgent(),
      cassette: { ...cassette, answers: [...cassette.answers, extra] }
    })
    expect(report).toMatchObject({
      same: false,
      unused: 1,
      divergence: { report: expect.stringMatching(/^1 recorded answer was not asked for: answer 8 of 8 \(answer/) }
    })
  })

  it("goes to a step and no further", async () => {
    const cassette = await record()
    const cells: Array<string> = []
    const report = await Replay.run({
      agent: ordersAgent(),
      cassette,
      to: 2,
      watch: (live) => {
        if (live._tag === "Recorded" && live.recorded.event._tag === "CellEnded") {
          cells.push(live.recorded.event.report.preview)
        }
      }
    })
    expect(report.outcomes[0]?.reason).toBe("cancelled")
    expect(report.divergence).toBeUndefined()
    expect(cells).toHaveLength(2)
  })

  it("runs several prompts of one session, also equal ones", async () => {
    const script = ["One.", "Two.", "Three."]
    const cassette = await record({ script }, ["Count.", "Count.", "Count."])
    const report = await Replay.run({ agent: ordersAgent({ script }), cassette })
    expect(report.same).toBe(true)
    expect(report.outcomes.map(({ text }) => text)).toEqual(["One.", "Two.", "Three."])
  })

  it("says again all that somebody said, also where it looks like what the engine adds", async () => {
    const prompt = ["What does this mean?", "<answer>42</answer>"]
    for (const bindings of [ordersAgent().bindings!, []]) {
      const cassette = await record({ script: ["Nothing."], bindings }, [prompt])
      expect(cassette.runs[0]?.prompt.content.map((part) => part._tag === "Text" && part.text)).toEqual(prompt)
      expect((await Replay.run({ agent: ordersAgent({ bindings }), cassette })).same).toBe(true)
    }
  })

  it("needs the schema that the recorded run had, and gives its answer", async () => {
    const answer = z.object({ region: z.string() })
    const cassette = await record({ script: [{ code: "finish({ region: 'north' })" }] }, prompts, {}, answer)
    await expect(Replay.run({ agent: ordersAgent(), cassette })).rejects.toThrow(/schema for its answer/)
    const report = await Replay.run({ agent: ordersAgent(), cassette, answer })
    expect(report.outcomes[0]?.answer).toEqual({ region: "north" })
    expect(report.same).toBe(true)
  })

  it("repeats recorded failures without waiting for what was waited for", async () => {
    const busy = { fail: { _tag: "RateLimited", detail: "slow down", retryAfterMs: 60_000 } } as const
    const { Resilience } = await import("@daylight/core")
    const { Model } = await import("@daylight/core")
    const quick = Layer.succeed(Resilience, (model) =>
      Model.resilient({
        ...model,
        stream: (request) => model.stream(request)
      }, { retry: { base: 0, patience: "2 minutes" } }))
    const script = [{ fail: { _tag: "Overloaded", detail: "busy" } } as const, "Done."]
    const recorder = Recorder.make()
    await using agent = createAgent({
      ...ordersAgent({ script }),
      services: Layer.provideMerge(recorder.services, quick)
    })
    expect((await agent.run("Go.")).text).toBe("Done.")
    const { cassette } = recorder.recording()
    expect(cassette.answers.map(({ end, ordinal }) => [typeof end, ordinal])).toEqual([["object", 0], ["string", 1]])
    const slow = {
      ...cassette,
      answers: cassette.answers.map((given) =>
        typeof given.end === "object" ? { ...given, end: { failed: busy.fail } } : given
      )
    }
    const began = Date.now()
    const report = await Replay.run({ agent: ordersAgent({ script }), cassette: slow })
    expect(report.outcomes[0]?.text).toBe("Done.")
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  it("decides as people decided, and asks nobody", async () => {
    const { Binding } = await import("@daylight/core")
    const script = [
      { code: "await mail('a')" },
      { code: "try { await mail('b') } catch (error) { error.message }" },
      "Done."
    ]
    const sent: Array<string> = []
    const bindings = [
      Binding.func((to: string) => void sent.push(to), { name: "mail", parameters: ["to"], approval: true })
    ]
    const approvals: Approvals = {
      ask: ({ call }) =>
        Effect.succeed({
          decision: call.args[0] === "a" ? { _tag: "Allow", scope: "once" } : { _tag: "Deny", why: "not that one" },
          by: "ann"
        })
    }
    const cassette = await record({ script, bindings, approvals })
    expect(cassette.decisions?.map(({ by, decision, path }) => [by, decision._tag, path])).toEqual([[
      "ann",
      "Allow",
      "mail"
    ], ["ann", "Deny", "mail"]])
    sent.length = 0
    const report = await Replay.run({ agent: ordersAgent({ script, bindings }), cassette })
    expect(report.divergence?.report).toBeUndefined()
    expect(sent).toEqual(["a"])
  })

  it.each([0, -1, 1.5])("refuses step %s", async (to) => {
    await expect(Replay.run({ agent: ordersAgent(), cassette: await record(), to })).rejects.toThrow(/no step/)
  })

  it("refuses depth sealed in this process, with the reason", async () => {
    const cassette = await record()
    await expect(Replay.run({ agent: ordersAgent(), cassette, depth: "sealed" })).rejects.toThrow(/kernel runtime/)
  })

  it("refuses depth sealed where no calls were recorded", async () => {
    const cassette = await record({}, prompts, {})
    await expect(Replay.run({ agent: ordersAgent(), cassette, depth: "sealed" })).rejects.toThrow(/calls: true/)
  })
})

describe("the model of an agent", () => {
  const named = (model: string, provider = "openai") => ScriptedModel.layer(["Fine."], { info: { model, provider } })
  const recorded = (settings: RecorderOptions = {}) =>
    record({ model: named("gpt-6"), bindings: [] }, ["How are you?"], settings)
  const replayed = (cassette: Cassette, model: AgentOptions["model"]) =>
    Replay.run({ agent: ordersAgent({ model, bindings: [] }), cassette })

  it("is a part of each request: another one is a miss, and where", async () => {
    const cassette = await recorded()
    const { divergence, misses, outcomes } = await replayed(cassette, named("gpt-6-mini"))
    expect(divergence).toMatchObject({ step: 1, path: "$.model", expected: "gpt-6", came: "gpt-6-mini" })
    expect(misses[0]?.differences).toHaveLength(1)
    expect(outcomes[0]?.reason).toBe("model_error")
    expect((await replayed(cassette, named("gpt-6", "azure"))).divergence?.path).toBe("$.provider")
    expect(await replayed(cassette, named("gpt-6"))).toMatchObject({ same: true, unseen: [] })
  })

  it("does not count where that was declared", async () => {
    const cassette = await recorded({ matching: { ignore: ["$.model"] } })
    expect(await replayed(cassette, named("gpt-6-mini"))).toMatchObject({ same: true, unseen: [] })
    const { divergence } = await replayed(cassette, named("gpt-6", "azure"))
    expect(divergence?.path).toBe("$.provider")
    expect(divergence?.report).toContain("Not compared: $.model.")
  })

  it("counts as well where only a log is known", async () => {
    const program = Effect.gen(function*() {
      const session = yield* Session.open(Agent.make({ name: "a" }), { id: "logged" })
      yield* session.run("How are you?")
      return yield* Recorder.fromStore("logged")
    })
    const { cassette } = await Effect.runPromise(program.pipe(
      Effect.scoped,
      Effect.provide([named("gpt-6"), VmRuntime.layer, SessionStore.layerMemory])
    ))
    const rerun = (model: string) =>
      Replay.run({ agent: { name: "a", model: named(model), runtime: VmRuntime.layer }, cassette })
    expect((await rerun("gpt-6")).same).toBe(true)
    expect((await rerun("gpt-6-mini")).divergence).toMatchObject({ step: 1, path: "$.model", came: "gpt-6-mini" })
  })

  it("of a sub-agent counts as well, its own or that of whoever calls it", async () => {
    const cassette = await record()
    const bindings = (options: object) => [
      ...ordersAgent().bindings!.slice(0, 2),
      Binding.agent("checker", Agent.make({ name: "checker", ...options }))
    ]
    const own = await Replay.run({ agent: ordersAgent({ bindings: bindings({ model: named("other") }) }), cassette })
    expect(own.misses[0]?.differences.map(({ path }) => path)).toContain("$.model")
    const inherited = await Replay.run({ agent: ordersAgent({ bindings: bindings({}) }), cassette })
    expect(inherited.divergence?.report).toBeUndefined()
  })

  it("is seen without its key and without a socket", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined)
    vi.stubEnv("ANTHROPIC_API_KEY", undefined)
    const sockets = vi.spyOn(Socket.prototype, "connect")
    const cassette = await recorded()
    expect(await replayed(cassette, OpenAi.layer({ model: "gpt-6" }))).toMatchObject({ same: true, unseen: [] })
    const { divergence, unseen } = await replayed(cassette, Named.layer("anthropic:claude-opus-5"))
    expect(divergence?.report).toMatch(/\$\.provider.* came "anthropic"/)
    expect(divergence?.report).toMatch(/\$\.model.* came "claude-opus-5"/)
    expect(unseen).toEqual([])
    expect(sockets).not.toHaveBeenCalled()
  })

  it("counts as the recorded one where it cannot be seen, which is said", async () => {
    const report = await replayed(await recorded(), forbidden)
    expect(report).toMatchObject({ same: true, unseen: [{ agent: ["analyst"], why: "the model was built" }] })
  })
})

describe("Replay.fork", () => {
  it("follows the recording up to a cell and goes on with another model", async () => {
    const cassette = await record()
    const requests: Array<any> = []
    const model = ScriptedModel.layer([{ code: "sums.south" }, "South, after all.", "As I said."], { requests })
    const { agent, misses, outcome } = await Replay.fork({
      agent: ordersAgent({ model: forbidden }),
      cassette,
      at: 2,
      model
    })
    await using _ = agent
    expect(misses).toEqual([])
    expect(outcome).toMatchObject({ reason: "completed", text: "South, after all.", steps: 4, cells: 3 })
    expect(requests[0].messages).toHaveLength(5)
    expect((await agent.run("Sure?")).text).toBe("As I said.")
    expect(await agent.retrieve("rate")).toBe(1.1)
  })
})

it.each([0, 5, 1.5])("Replay.fork refuses cell %s", async (at) => {
  const options = { agent: ordersAgent(), cassette: await record(), at, model: forbidden }
  await expect(Replay.fork(options)).rejects.toThrow(/no cell .*cells are 1 to 4/i)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/**
 * What goes wrong with recordings elsewhere, in the order in which people complained of it. Each of these passes in
 * silence, or fails without a cause, somewhere.
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { Recorder, Replay, ScriptedModel } from "@daylight/evals"
import { openCassette, parseCassette, printCassette, ReplayModel } from "@daylight/evals/cassette"
import { VmRuntime } from "@daylight/runtime-vm"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ordersAgent, type OrdersOptions } from "./support/Orders.ts"

const record = async (options: OrdersOptions = {}, prompts: ReadonlyArray<string> = ["Which region grew fastest?"]) => {
  const recorder = Recorder.make()
  await using agent = createAgent({ ...ordersAgent(options), services: recorder.services })
  for (const prompt of prompts) await agent.run(prompt)
  return parseCassette(printCassette(recorder.recording().cassette), "recording")
}

describe("1 a recording of a request that is another by now", () => {
  const cassette = record()
  const tool = (description: string) => Binding.func((a: string) => a, { name: "look", description, parameters: ["a"] })
  it.each<[string, OrdersOptions]>([
    ["a changed system prompt", { instructions: "Answer queries about the orders." }],
    ["a longer prompt that contains the old one", {}],
    ["a further function", { bindings: [...ordersAgent().bindings!, tool("Looks.")] }],
    ["another format of actions", { action: "fence" }]
  ])("does not answer: %s", async (name, options) => {
    const { runs, ...rest } = await cassette
    const prompts = name.startsWith("a longer")
      ? [{
        ...runs[0]!,
        prompt: {
          _tag: "User" as const,
          content: [{ _tag: "Text" as const, text: "Which region grew fastest? And why?" }]
        }
      }]
      : runs
    const report = await Replay.run({ agent: ordersAgent(options), cassette: { ...rest, runs: prompts } })
    expect(report.same).toBe(false)
    expect(report.misses[0]?.step).toBe(1)
    expect(report.outcomes[0]?.reason).toBe("model_error")
  })
})

describe("2 several steps", () => {
  it("do not collapse to the first answer, and do not begin anew", async () => {
    const cassette = await record({ script: ["One.", "Two."] }, ["Count.", "Count."])
    const report = await Replay.run({ agent: ordersAgent(), cassette })
    expect(report.outcomes.map(({ text }) => text)).toEqual(["One.", "Two."])
    const once = await Replay.run({
      agent: ordersAgent(),
      cassette: { ...cassette, runs: [...cassette.runs, cassette.runs[0]!] }
    })
    expect(once.outcomes[2]?.reason).toBe("model_error")
  })

  it("that are asked for equally get their answers in order, and then no more", async () => {
    const recorder = Recorder.make()
    const model = ScriptedModel.make(["First.", "Second."])
    const { Layer } = await import("effect")
    const { Model } = await import("@daylight/core")
    const ask = async (layer: Parameters<typeof createAgent>[0]["model"], services?: typeof recorder.services) => {
      await using agent = createAgent({ name: "a", model: layer, runtime: VmRuntime.layer, services })
      return await agent.run("Same?")
    }
    for (let n = 0; n < 2; n++) await ask(Layer.succeed(Model, model), recorder.services)
    const { cassette } = recorder.recording()
    expect(cassette.answers.map(({ key, ordinal }) => [key === cassette.answers[0]!.key, ordinal])).toEqual([
      [true, 0],
      [true, 1]
    ])
    const replay = ReplayModel.make(cassette)
    const layer = Layer.sync(Model, () => replay.model())
    expect((await ask(layer)).text).toBe("First.")
    expect((await ask(layer)).text).toBe("Second.")
    expect((await ask(layer)).error?.message).toContain("used up")
    expect(replay.misses[0]?.why).toBe("exhausted")
  })
})

describe("3 the place of a request among others", () => {
  it("does not count: agents may run at the same time, in any order", async () => {
    const agent = (name: string) => ({
      name,
      model: ScriptedModel.layer([{ code: `"${name}"` }, `I am ${name}.`]),
      runtime: VmRuntime.layer
    })
    const names = ["a", "b", "c", "d"]
    const recorder = Recorder.make()
    for (const name of names) {
      await using handle = createAgent({ ...agent(name), services: recorder.services })
      await handle.run(`Are you ${name}?`)
    }
    const { Layer } = await import("effect")
    const { Model } = await import("@daylight/core")
    const replay = ReplayModel.make(recorder.recording().cassette)
    const texts = await Promise.all(
      names.toReversed().map(async (name) => {
        await using handle = createAgent({ ...agent(name), model: Layer.sync(Model, () => replay.model()) })
        return (await handle.run(`Are you ${name}?`)).text
      })
    )
    expect(texts).toEqual(names.toReversed().map((name) => `I am ${name}.`))
    expect([replay.misses, replay.unused]).toEqual([[], []])
  })
})

describe("4 what changes from run to run", () => {
  it("does not break a key: ids of actions, sessions, times and durations", async () => {
    const named = (prefix: string) => ({
      script: [
        {
          parts: [
            { _tag: "Start", provider: "scripted", model: "scripted-1" },
            { _tag: "ActionStart", id: `${prefix}1`, name: "run" },
            { _tag: "ActionDelta", id: `${prefix}1`, json: '{"code":"1 + 1"}' },
            { _tag: "ActionEnd", id: `${prefix}1` },
            { _tag: "Finish", reason: "action" }
          ]
        },
        "Two."
      ] as const
    })
    const [one, other] = [await record(named("call_7xK")), await record(named("call_Qz9"))]
    expect(one.answers.map(({ key }) => key)).toEqual(other.answers.map(({ key }) => key))
  })

  it("is left out of a text where that is declared, and nowhere else", async () => {
    const at = (time: string) => [`It is ${time}. Hello.`]
    const run = async (prompts: ReadonlyArray<string>, volatile: boolean) => {
      const recorder = Recorder.make(
        volatile ? { matching: { volatile: [{ path: "$.messages[*].content[*].text", pattern: "timestamp" }] } } : {}
      )
      await using agent = createAgent({
        name: "a",
        model: ScriptedModel.layer(["Hi."]),
        runtime: VmRuntime.layer,
        services: recorder.services
      })
      for (const prompt of prompts) await agent.run(prompt)
      return recorder.recording().cassette.answers[0]!.key
    }
    const [early, late] = [at("2026-01-01T10:00:00Z"), at("2026-12-24T18:30:00Z")]
    expect(await run(early, true)).toBe(await run(late, true))
    expect(await run(early, false)).not.toBe(await run(late, false))
    expect(await run(early, true)).not.toBe(await run(["It is late. Hello."], true))
  })
})

describe("5 a miss", () => {
  it("never goes live, and fails at the end although the agent caught it", async () => {
    const base = join(await mkdtemp(join(tmpdir(), "beaten-")), "a")
    const recorder = Recorder.make()
    await using agent = createAgent({ ...ordersAgent(), services: recorder.services })
    await agent.run("Which region grew fastest?")
    const files = await recorder.save(base)
    const cassette = await openCassette(files.cassette, { env: { CI: "true" } })
    let live = 0
    const model = cassette.model(ScriptedModel.layer(() => {
      live++
      return "Live."
    }))
    await using changed = createAgent({ ...ordersAgent({ instructions: "Other." }), model })
    expect((await changed.run("Which region grew fastest?")).reason).toBe("model_error")
    expect(live).toBe(0)
    await expect(cassette.close()).rejects.toThrow(/lacks 1 request/)
  })
})

describe("19 secrets", () => {
  it("do not get into a file, and what is kept out does not break a key", async () => {
    const { HttpReplay, HttpTape, strict } = await import("@daylight/evals/cassette")
    const tape = new HttpTape({
      matching: strict,
      fetch: async () => new Response("{}", { headers: { "set-cookie": "session=abc" } })
    })
    const ask = (key: string) => ({
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "x-api-key": key },
      body: '{"model":"m"}'
    })
    const key = "sk-live-9fK2mQ7xW4pL1vB8nR5tY3uZ"
    await tape.fetch(`https://generativelanguage.googleapis.com/v1/models/m:generateContent?key=${key}`, ask(key))
    const cassette = {
      matching: strict,
      models: [],
      runs: [],
      contents: new Map(),
      messages: new Map(),
      answers: [],
      exchanges: tape.recorded
    }
    expect(printCassette(cassette)).not.toMatch(/sk-live|session=abc|[Bb]earer/)
    const replay = new HttpReplay(parseCassette(printCassette(cassette), "http"))
    const response = await replay.fetch(
      "https://generativelanguage.googleapis.com/v1/models/m:generateContent?key=another",
      ask("another")
    )
    expect(response.status).toBe(200)
  })
})

describe("20 mocks", () => {
  it("that are at their end say so, by name and with what was asked", async () => {
    await using agent = createAgent({
      name: "a",
      model: ScriptedModel.layer([{ code: "1" }], { name: "greeting" }),
      runtime: VmRuntime.layer
    })
    const { error } = await agent.run("Hello?")
    expect(error?.message).toContain('the script "greeting" has 1 reply, and one more was asked for')
  })

  it("may be asked several times, at the same time, without mixing", async () => {
    const cassette = await record({ script: ["One.", "Two."] }, ["Count.", "Count."])
    const reports = await Promise.all(Array.from({ length: 5 }, () => Replay.run({ agent: ordersAgent(), cassette })))
    expect(reports.map(({ same }) => same)).toEqual([true, true, true, true, true])
  })
})

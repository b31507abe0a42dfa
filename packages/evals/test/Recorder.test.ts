/** From a live session to its two files, and back to the same session. */
import { createAgent } from "@daylight/core/promise"
import { Recorder, Replay, ScriptedModel } from "@daylight/evals"
import { type Cassette, parseCassette, printCassette, readCassette, ReplayModel } from "@daylight/evals/cassette"
import {
  type CallExtra,
  daylightOf,
  printTrajectory,
  readTrajectory,
  type RootExtra,
  type StepExtra,
  type Trajectory,
  validateTrajectory
} from "@daylight/evals/trajectory"
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { hashOf } from "../src/internal/Canonical.ts"
import { ordersAgent } from "./support/Orders.ts"

const prompt = "Which region grew fastest?"

const record = async (options = {}, recorder = Recorder.make({ calls: true })) => {
  await using agent = createAgent({ ...ordersAgent(options), services: recorder.services, id: "s1" })
  const outcome = await agent.run(prompt)
  return { ...recorder.recording(), outcome, recorder }
}

/** A trajectory without system prompts, definitions of actions, and the names of answers on a cassette. */
const inLog = ({ agent, final_metrics, steps, subagent_trajectories, ...rest }: Trajectory): unknown => ({
  ...rest,
  agent: { ...agent, tool_definitions: undefined },
  final_metrics: { ...final_metrics, total_steps: undefined },
  steps: steps.filter(({ source }) => source !== "system").map(({ step_id: _, ...step }) => {
    const { requestKey: __, ...daylight } = daylightOf<StepExtra>(step)
    return { ...step, extra: daylight }
  }),
  children: subagent_trajectories?.map(inLog)
})

const answersOf = ({ answers }: Cassette) => answers.map(({ digest, ordinal }) => `${digest} ${ordinal}`).toSorted()

describe("a live session", () => {
  it("becomes a valid trajectory with its sub-agent", async () => {
    const { outcome, trajectory } = await record()
    expect(outcome.reason).toBe("completed")
    expect(validateTrajectory(JSON.parse(printTrajectory(trajectory)))).toEqual([])
    expect(trajectory.steps.map(({ source }) => source)).toEqual([
      "system",
      "user",
      "agent",
      "agent",
      "agent",
      "agent",
      "agent"
    ])
    const [child] = trajectory.subagent_trajectories ?? []
    expect(child?.agent.name).toBe("checker")
    expect(child?.steps.at(-1)?.message).toBe("Yes, 70 is right.")
    const asked = trajectory.steps[4]!
    expect(asked.observation?.results[0]?.subagent_trajectory_ref).toEqual([{
      trajectory_id: "s1/checker",
      session_id: "s1/checker"
    }])
    const root = daylightOf<RootExtra>(trajectory)
    expect(root.status).toBe("completed")
    expect(root.runs?.[0]?.outcome?.text).toBe("North grew fastest: 70.")
  })

  it("shows cells with their code, calls, variables and errors", async () => {
    const { trajectory } = await record()
    const [first, second, , failing] = trajectory.steps.slice(2)
    expect(first?.reasoning_content).toBe("I look first.")
    expect(first?.tool_calls?.[0]).toMatchObject({
      function_name: "run",
      arguments: { code: expect.stringContaining("const sums") }
    })
    const cell = daylightOf<CallExtra>(first?.tool_calls?.[0])
    expect(cell.status).toBe("ok")
    expect(cell.report?.namespace.added.map(({ name }) => name)).toEqual(["sums"])
    expect(daylightOf<CallExtra>(second?.tool_calls?.[0]).calls).toMatchObject([
      {
        path: "exchange",
        status: "completed",
        args: [{ _tag: "Json", value: "EUR" }, { _tag: "Json", value: "USD" }],
        value: { value: 1.1 }
      }
    ])
    expect(daylightOf<CallExtra>(failing?.tool_calls?.[0])).toMatchObject({
      status: "error",
      report: { problem: { name: "ReferenceError" } }
    })
  })

  it("joins each step with its answer on the cassette", async () => {
    const { cassette, trajectory } = await record()
    const keys = trajectory.steps.flatMap((step) =>
      step.source === "agent" ? [daylightOf<{ requestKey: string }>(step).requestKey] : []
    )
    expect(keys).toHaveLength(5)
    const known = new Set(cassette.answers.map(({ key }) => key))
    for (const key of keys) expect(known.has(key!)).toBe(true)
  })

  it("gives the same cassette, byte for byte, however the model's deltas were cut", async () => {
    const whole = await record()
    const cut = await record({ chunkSize: 3 })
    expect(printCassette(cut.cassette)).toBe(printCassette(whole.cassette))
    const back = parseCassette(printCassette(whole.cassette), "c")
    expect(printCassette(back)).toBe(printCassette(whole.cassette))
  })

  it("holds each message once", async () => {
    const { cassette } = await record()
    const text = printCassette(cassette)
    // Once as the prompt of the run, once as a message.
    expect(text.split("Which region grew fastest?").length - 1).toBe(2)
    expect(cassette.messages.size).toBe(9 + 3)
  })
})

describe("a recording on disk", () => {
  it("has its long texts beside it, by their hash, and names its cassette", async () => {
    const base = join(await mkdtemp(join(tmpdir(), "recorder-")), "runs", "long")
    const text = "A long story. ".repeat(10_000)
    const recorder = Recorder.make()
    await using agent = createAgent({ ...ordersAgent({ script: [text] }), services: recorder.services })
    await agent.run("Tell me.")
    const files = await recorder.save(base)
    const trajectory = await readTrajectory(files.trajectory)
    const { blobs = [], cassette } = daylightOf<RootExtra>(trajectory)
    expect(blobs).toEqual([hashOf(text)])
    expect(await readFile(join(dirname(base), "blobs", blobs[0]!.replace(":", "-")), "utf8")).toBe(text)
    expect(trajectory.steps.at(-1)?.message).toContain(`[${text.length} characters, ${blobs[0]}]`)
    expect(cassette).toEqual({ path: "long.cassette.jsonl", sha256: hashOf(await readFile(files.cassette, "utf8")) })
    expect(printCassette(await readCassette(files.cassette))).toBe(printCassette(recorder.recording().cassette))
  })
})

describe("a recorder of several sessions", () => {
  it("gives each its own recording, also where they were told the same", async () => {
    const recorder = Recorder.make({ calls: true })
    const texts = ["Two.", "Three.", "Four.", "Five."]
    const model = ScriptedModel.make([{ code: "1 + 1" }, ...texts.slice(0, 2), { code: "1 + 1" }, ...texts.slice(2)])
    const { Layer } = await import("effect")
    const { Model } = await import("@daylight/core")
    const agent = { ...ordersAgent(), model: Layer.succeed(Model, model) }
    for (const id of ["first", "second"]) {
      await using handle = createAgent({ ...agent, services: recorder.services, id })
      for (const asked of ["Count.", "And?"]) await handle.run(asked)
    }
    expect(recorder.sessions).toEqual(["first", "second"])
    for (const [index, session] of recorder.sessions.entries()) {
      const { cassette, trajectory } = recorder.recording(session)
      expect(cassette.answers.map(({ ordinal }) => ordinal)).toEqual([0, 0, 0])
      expect(cassette.runs).toHaveLength(2)
      expect(trajectory.steps.filter(({ source }) => source === "agent").map(({ message }) => message)).toEqual([
        "",
        ...texts.slice(index * 2, index * 2 + 2)
      ])
      const report = await Replay.run({ agent, cassette })
      expect(report.divergence?.report).toBeUndefined()
      expect(report.outcomes.map(({ text }) => text)).toEqual(texts.slice(index * 2, index * 2 + 2))
    }
    expect(() => recorder.recording("third")).toThrow(/no log of session "third"/)
  })

  it("joins each step with the answer that it got, not with an equal one", async () => {
    const { Layer } = await import("effect")
    const { Model, Resilience } = await import("@daylight/core")
    const recorder = Recorder.make()
    const quick = Layer.succeed(Resilience, (model) => Model.resilient(model, { retry: { base: 0 } }))
    const services = Layer.provideMerge(recorder.services, quick)
    const busy = { fail: { _tag: "Overloaded", detail: "busy" } } as const
    await using agent = createAgent({ ...ordersAgent({ script: [busy, busy, "Fine."] }), services })
    await agent.run("Go.")
    const { cassette, trajectory } = recorder.recording()
    expect(cassette.answers.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2])
    expect(daylightOf<StepExtra>(trajectory.steps.at(-1)).ordinal).toBe(2)
  })
})

describe("a sub-agent that was never asked", () => {
  it("is not in the recording: it did nothing", async () => {
    const script = [{ code: "await checker.vars.limit" }, "Done."]
    const { outcome, trajectory } = await record({ script })
    expect(outcome.reason).toBe("completed")
    expect(trajectory.subagent_trajectories).toBeUndefined()
    expect(validateTrajectory(JSON.parse(printTrajectory(trajectory)))).toEqual([])
  })

  it("leaves nothing to record where nothing was asked at all", async () => {
    const recorder = Recorder.make()
    await using agent = createAgent({ ...ordersAgent(), services: recorder.services })
    await agent.inject([])
    expect(recorder.sessions).toEqual([])
    expect(() => recorder.recording()).toThrow(RangeError)
  })
})

describe("a replay of it", () => {
  const replay = async (options = {}) => {
    const { cassette, outcome } = await record()
    const replay = ReplayModel.make(parseCassette(printCassette(cassette), "c"))
    const { Layer } = await import("effect")
    const { Agent, Binding, Model } = await import("@daylight/core")
    const calls: Array<string> = []
    const base = ordersAgent({ calls, ...options })
    const bindings = base.bindings!.map((binding) =>
      binding._tag === "Agent"
        ? Binding.agent(
          "checker",
          Agent.make({ ...binding.agent, model: Layer.succeed(Model, replay.model(["analyst", "checker"])) })
        )
        : binding
    )
    await using agent = createAgent({ ...base, bindings, model: Layer.succeed(Model, replay.model(["analyst"])) })
    const again = await agent.run(prompt)
    return { outcome, again, replay, calls }
  }

  it("has the same outcome, and runs the cells for real", async () => {
    const { again, calls, outcome, replay: account } = await replay()
    expect({ ...again, durationMs: 0 }).toEqual({ ...outcome, durationMs: 0 })
    expect(account.misses).toEqual([])
    expect(account.unused).toEqual([])
    expect(calls).toEqual(["EUR-USD"])
  })

  it("misses where one word of the instructions changed, and says where", async () => {
    const { again, replay: account } = await replay({ instructions: "Answer queries about the orders." })
    expect(again.reason).toBe("model_error")
    const [miss] = account.misses
    expect(miss?.step).toBe(1)
    expect(miss?.differences.map(({ path }) => path)).toEqual(["$.system"])
    expect(miss?.report).toContain("questions")
    expect(miss?.report).toContain("queries")
    expect(account.unused).toHaveLength(7)
  })

  it("misses where a cell gave something else", async () => {
    const { Binding } = await import("@daylight/core")
    const bindings = ordersAgent().bindings!.map((binding) =>
      binding.name === "exchange"
        ? Binding.func((_from: string, _to: string) => 1.2, { name: "exchange", parameters: ["from", "to"] })
        : binding
    )
    const { again, replay: account } = await replay({ bindings })
    expect(again.reason).toBe("model_error")
    expect(account.misses[0]?.step).toBe(3)
    expect(account.misses[0]?.differences[0]?.path).toBe("$.messages[4].content[0].content[0].text")
    expect(again.error?.message).toContain("value]\\n77")
  })
})

describe("a session in a store", () => {
  it("becomes the trajectory that was recorded while it ran, but for what no log holds", async () => {
    const { Effect } = await import("effect")
    const { Agent, Session, SessionStore } = await import("@daylight/core")
    const { VmRuntime } = await import("@daylight/runtime-vm")
    const { approvals, id, labels, model, principal, runtime, services, store, ...definition } = ordersAgent()
    const recorder = Recorder.make({ calls: true })
    const program = Effect.gen(function*() {
      const session = yield* Session.open(Agent.make(definition), { id: "both", labels: { team: "ops" } })
      yield* session.run(prompt)
      return yield* Recorder.fromStore("both", { calls: true })
    })
    const stored = await Effect.runPromise(program.pipe(
      Effect.scoped,
      Effect.provide(recorder.services),
      Effect.provide([model, VmRuntime.layer, SessionStore.layerMemory])
    ))
    const live = recorder.recording()
    const root = daylightOf<RootExtra>(live.trajectory)
    expect(root).toMatchObject({ definition: expect.stringMatching(/^[0-9a-f]{64}$/), labels: { team: "ops" } })
    expect(root.definition).not.toBe(daylightOf<RootExtra>(live.trajectory.subagent_trajectories![0]).definition)
    expect(inLog(live.trajectory)).toEqual(inLog(stored.trajectory))
    expect(live.cassette.runs).toEqual(stored.cassette.runs)
    const sessions = ({ sessions = [] }: typeof live.cassette) => sessions.map(({ answers: _, ...session }) => session)
    expect(sessions(live.cassette)).toEqual(sessions(stored.cassette))
    expect(live.cassette.cells).toEqual(stored.cassette.cells)
    // In a store, each session has its own order.
    expect(answersOf(live.cassette)).toEqual(answersOf(stored.cassette))
  })

  it("becomes a cassette that replays also where its history was summarised in between", async () => {
    const { Effect, Layer } = await import("effect")
    const { Agent, Compactor, Session, SessionStore } = await import("@daylight/core")
    const summarising = Layer.succeed(Compactor, {
      compact: ({ entries, summarise }) =>
        Effect.map(summarise(JSON.stringify(entries[0]!.message), undefined), (summary) => ({
          _tag: "Compacted",
          tier: "summarise",
          summary,
          keepFrom: entries.at(-1)!.seq,
          cleared: [],
          before: 0,
          after: 0
        }))
    })
    const { model, runtime } = ordersAgent({
      script: [
        { code: "const made = 42" },
        { fail: { _tag: "ContextOverflow", detail: "too long", status: 400 } },
        "<summary>They made 42.</summary>",
        "Done."
      ]
    })
    const recorder = Recorder.make()
    const program = Effect.gen(function*() {
      const session = yield* Session.open(Agent.make({ name: "maker" }), { id: "made" })
      yield* session.run("Make it.")
      return yield* Recorder.fromStore("made")
    })
    const stored = await Effect.runPromise(program.pipe(
      Effect.scoped,
      Effect.provide(recorder.services),
      Effect.provide([model, runtime, summarising, SessionStore.layerMemory])
    ))
    const live = recorder.recording()
    expect(live.cassette.answers.map(({ request }) => request.purpose)).toEqual([
      "answer",
      "answer",
      "compaction",
      "answer"
    ])
    expect(answersOf(live.cassette)).toEqual(answersOf(stored.cassette))
    const agent = { name: "maker", model, runtime, services: summarising }
    for (const { cassette } of [live, stored]) {
      const report = await Replay.run({ agent, cassette: parseCassette(printCassette(cassette), "c") })
      expect(report.divergence?.report).toBeUndefined()
      expect(report.outcomes[0]?.text).toBe("Done.")
    }
  })

  it("becomes the same trajectory, and a cassette that replays", async () => {
    const { Effect, Layer } = await import("effect")
    const { Agent, Model, Session, SessionStore } = await import("@daylight/core")
    const { VmRuntime } = await import("@daylight/runtime-vm")
    const {
      approvals: _,
      id: __,
      labels: ___,
      model,
      principal: ____,
      runtime,
      services: _____,
      store: ______,
      ...definition
    } = ordersAgent()
    const { Binding } = await import("@daylight/core")
    const program = Effect.gen(function*() {
      const session = yield* Session.open(Agent.make(definition), { id: "stored" })
      const outcome = yield* session.run(prompt)
      return {
        outcome,
        recording: yield* Recorder.fromStore("stored", { calls: true })
      }
    })
    const { outcome, recording } = await Effect.runPromise(
      program.pipe(Effect.scoped, Effect.provide([model, VmRuntime.layer, SessionStore.layerMemory]))
    )
    expect(recording.trajectory.subagent_trajectories?.[0]?.steps).toHaveLength(3)
    expect(validateTrajectory(JSON.parse(printTrajectory(recording.trajectory)))).toEqual([])
    const replay = ReplayModel.make(parseCassette(printCassette(recording.cassette), "c"))
    const bindings = definition.bindings!.map((binding) =>
      binding._tag === "Agent"
        ? Binding.agent(
          "checker",
          Agent.make({ ...binding.agent, model: Layer.succeed(Model, replay.model(["analyst", "checker"])) })
        )
        : binding
    )
    const rerun = (instructions: string) =>
      Effect.runPromise(
        Effect.gen(function*() {
          const session = yield* Session.open(Agent.make({ ...definition, bindings, instructions }))
          return yield* session.run(prompt)
        }).pipe(
          Effect.scoped,
          Effect.provide([Layer.succeed(Model, replay.model(["analyst"])), runtime, SessionStore.layerMemory])
        )
      )
    const again = await rerun(definition.instructions!)
    expect({ ...again, durationMs: 0 }).toEqual({ ...outcome, durationMs: 0 })
    expect(replay.unused).toEqual([])
    const other = await rerun("Something else.")
    expect(other.reason).toBe("model_error")
    expect(other.error?.message).toContain("$.system")
  })
})

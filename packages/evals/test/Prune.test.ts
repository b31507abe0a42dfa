/** What a recording holds, and what of it nobody needs any more. */
import { Agent, type AgentOptions, Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { pruneRecording, Recorder, Replay, ScriptedModel } from "@daylight/evals"
import { type Cassette, cassetteStats, readCassette, writeCassette } from "@daylight/evals/cassette"
import { daylightOf, readTrajectory, type RootExtra } from "@daylight/evals/trajectory"
import { KernelRuntime } from "@daylight/runtime-kernel"
import { VmRuntime } from "@daylight/runtime-vm"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { recordOf } from "./support/sealed.ts"

const agent = (last = "Done."): AgentOptions => ({
  name: "clerk",
  model: ScriptedModel.layer([{ code: 'await pay("A")' }, { code: "await db.size()\nprint" }, last]),
  runtime: VmRuntime.layer,
  bindings: [
    Binding.func(() => 1, { name: "pay" }),
    Binding.variable("db", { size: () => 3 }, { contract: { size: {} } }),
    Binding.variable("print", "x".repeat(10))
  ]
})

const recorded = async (prompt = "Go.", base?: string) => {
  const place = base ?? join(await mkdtemp(join(tmpdir(), "prune-")), "run")
  const recorder = Recorder.make({ calls: true })
  await using handle = createAgent({ ...agent(), services: recorder.services })
  await handle.run(prompt)
  return recorder.save(place)
}

/** With answers to another prompt, as a file has that grew with what was missing. */
const grown = async (): Promise<{ readonly file: string; readonly own: string; readonly trajectory: string }> => {
  const { cassette: file, trajectory } = await recorded()
  const own = await readFile(file, "utf8")
  const other = await readCassette((await recorded("Another.")).cassette)
  const cassette = await readCassette(file)
  const all: Cassette = {
    ...cassette,
    answers: [...cassette.answers, ...other.answers],
    contents: new Map([...cassette.contents, ...other.contents]),
    messages: new Map([...cassette.messages, ...other.messages])
  }
  await writeCassette(file, all)
  const hash = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`
  const text = await readFile(trajectory, "utf8")
  await writeFile(trajectory, text.replace(hash(own), hash(await readFile(file, "utf8"))))
  return { file, own, trajectory }
}

const replay = async (file: string, options: Partial<Parameters<typeof Replay.run>[0]> = {}) =>
  Replay.run({ agent: agent(), cassette: await readCassette(file), ...options })

const blobName = (text: string) => `sha256-${createHash("sha256").update(text).digest("hex")}`

describe("pruneRecording", () => {
  it("drops what a replay did not ask for, and gives the file as it was before that came", async () => {
    const { file, own, trajectory } = await grown()
    const text = await readFile(file, "utf8")
    const report = await replay(file)
    expect(report).toMatchObject({ same: false, unused: 3, misses: [] })

    const told = await pruneRecording(file, report, { dryRun: true })
    expect(told.answers).toEqual([
      expect.stringMatching(/^answer 4 of 6 \(answer: /),
      expect.stringMatching(/^answer 5 of 6 /),
      'answer 6 of 6 (answer: "Done.")'
    ])
    expect(told.bytes).toEqual({ before: text.length, after: own.length })
    expect(await readFile(file, "utf8")).toBe(text)

    expect(await pruneRecording(file, report)).toEqual(told)
    expect(await readFile(file, "utf8")).toBe(own)
    expect((await replay(file)).same).toBe(true)
    expect(await readdir(dirname(file))).toEqual(["run.cassette.jsonl", "run.trajectory.json"])
    // The trajectory names the cassette by its hash, and still finds it.
    const { cassette } = daylightOf<RootExtra>(await readTrajectory(trajectory))
    expect(cassette?.sha256).toBe(`sha256:${createHash("sha256").update(own).digest("hex")}`)
  })

  it("leaves a file alone of which all is used", async () => {
    const { cassette: file } = await recorded()
    const before = await stat(file, { bigint: true })
    const pruned = await pruneRecording(file, await replay(file))
    expect(pruned).toMatchObject({ answers: [], blobs: [] })
    const after = await stat(file, { bigint: true })
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
  })

  it.each<[string, Partial<Parameters<typeof Replay.run>[0]>, RegExp]>([
    ["missed", { agent: { ...agent(), instructions: "Otherwise." } }, /its replay left the recording: step 1 /],
    ["had no answer to a call", { calls: { pay: "recorded" } }, /left the recording: call 0 \(pay\)/],
    ["was stopped", { to: 1 }, /was replayed in part/]
  ])("touches nothing after a replay that %s", async (why, options, problem) => {
    const { file } = await grown()
    if (why.startsWith("had")) {
      const cassette = await readCassette(file)
      await writeCassette(file, { ...cassette, cells: [] })
    }
    const text = await readFile(file, "utf8")
    await expect(pruneRecording(file, await replay(file, options))).rejects.toThrow(problem)
    expect(await readFile(file, "utf8")).toBe(text)
  })

  it("touches nothing where a sub-agent ended otherwise, whatever else is left over", async () => {
    const worker = Agent.make({ name: "worker", model: ScriptedModel.layer(["Worked."]) })
    const boss: AgentOptions = {
      name: "boss",
      model: ScriptedModel.layer([{ code: 'await worker.ask("Work.")' }, "Done."]),
      runtime: KernelRuntime.layer({ spare: false }),
      bindings: [Binding.agent("worker", worker)]
    }
    const cassette = await recordOf(boss)
    const extra = cassette.answers.map((answer) => ({ ...answer, ordinal: answer.ordinal + 10 }))
    const report = await Replay.run({
      agent: boss,
      depth: "sealed",
      cassette: {
        ...cassette,
        answers: [...cassette.answers, ...extra],
        sessions: cassette.sessions!.map((session) => ({
          ...session,
          answers: [...session.answers, ...session.answers.map((each) => ({ ...each, ordinal: each.ordinal + 10 }))],
          ...(session.runs && {
            runs: session.runs.map((run) => ({ ...run, outcome: { ...run.outcome!, text: "Rested." } }))
          })
        }))
      }
    })
    expect(report.unused).toBe(3)
    expect(report.divergence?.report).toContain("run 1 of boss/worker ended otherwise")
    await expect(pruneRecording("any", report)).rejects.toThrow(/its replay left the recording/)
  })

  it("takes out of the list of an agent's answers what is gone", async () => {
    const { file } = await grown()
    const cassette = await readCassette(file)
    const [root] = cassette.sessions!
    const answers = cassette.answers.map(({ key, ordinal }) => ({ key, ordinal }))
    await writeCassette(file, { ...cassette, sessions: [{ ...root!, answers }] })
    await pruneRecording(file, await replay(file))
    expect((await readCassette(file)).sessions?.[0]?.answers).toEqual(answers.slice(0, 3))
  })

  it("removes long texts that no recording names, and nothing else", async () => {
    const { cassette: file } = await recorded()
    const folder = dirname(file)
    const long = "y".repeat(150_000)
    const recorder = Recorder.make()
    await using other = createAgent({ ...agent(long), services: recorder.services })
    await other.run("Go.")
    await recorder.save(join(folder, "other"))
    const orphan = blobName("left")
    await writeFile(join(folder, "blobs", orphan), "left")
    await writeFile(join(folder, "blobs", "notes.txt"), "mine")
    const report = await replay(file)
    const told = await pruneRecording(file, report, { dryRun: true })
    expect(told.blobs).toEqual([{ file: join(folder, "blobs", orphan), bytes: 4, usedBy: [] }])
    expect(await readdir(join(folder, "blobs"))).toHaveLength(3)
    await pruneRecording(file, report)
    expect((await readdir(join(folder, "blobs"))).sort()).toEqual(["notes.txt", blobName(long)].sort())
  })

  it("removes none where a file that may name it cannot be read", async () => {
    const { cassette: file } = await recorded()
    const folder = dirname(file)
    await mkdir(join(folder, "blobs"))
    await writeFile(join(folder, "blobs", blobName("left")), "left")
    await symlink("nowhere", join(folder, "hidden.trajectory.json"))
    await expect(pruneRecording(file, await replay(file))).rejects.toThrow(/hidden\.trajectory\.json: there is no such/)
    expect(await readdir(join(folder, "blobs"))).toHaveLength(1)
  })
})

describe("cassetteStats", () => {
  it("counts what is there", async () => {
    const { file } = await grown()
    expect(cassetteStats(await readCassette(file))).toEqual({
      version: 1,
      entries: { model: 1, run: 1, content: 2, message: 10, answer: 6, session: 1, cell: 2 },
      models: [{ provider: "scripted", model: "scripted-1", answers: 6 }],
      exchanges: {},
      calls: { pay: 1, "db.size": 1 },
      matching: { ignore: [], volatile: [], renameIds: false, version: 1 }
    })
  })
})

/** `daylight cassette`, as a user types it; no network is there. */
import { readCassette, writeCassette } from "@daylight/evals/cassette"
import { cp, mkdir, mkdtemp, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { daylight, fixture } from "./daylight.ts"

const env = { NODE_OPTIONS: `--import ${join(import.meta.dirname, "fixtures/no-network.mjs")}`, NO_COLOR: "1" }
const command = (...args: ReadonlyArray<string>) => daylight(["cassette", ...args], { env })

/** A recording, and one that also holds answers to another prompt. */
let recorded: string
let grown: string

const record = async (base: string, prompt: string, ...flags: ReadonlyArray<string>) => {
  const { code, stderr } = await daylight(["record", fixture("analyst.ts"), prompt, "--out", base, ...flags], { env })
  if (code !== 0) throw new Error(`nothing was recorded: ${stderr}`)
  return `${base}.cassette.jsonl`
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "cassette-"))
  recorded = await record(join(folder, "growth"), "Which region?", "--calls")
  const other = await readCassette(await record(join(folder, "other/other"), "Another one?"))
  const cassette = await readCassette(recorded)
  grown = join(folder, "grown/grown.cassette.jsonl")
  await mkdir(join(dirname(grown), "blobs"), { recursive: true })
  await writeCassette(grown, {
    ...cassette,
    answers: [...cassette.answers, ...other.answers],
    messages: new Map([...cassette.messages, ...other.messages])
  })
  await writeFile(join(dirname(grown), "blobs", `sha256-${"0".repeat(64)}`), "x".repeat(2_000))
}, 60_000)

/** A copy, so that no test sees what another did. */
const copy = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "cassette-"))
  await cp(dirname(grown), folder, { recursive: true })
  return join(folder, "grown.cassette.jsonl")
}

describe("daylight cassette stats", () => {
  it("tells what is in a file, how old it is, and what is not compared", async () => {
    const file = await copy()
    const cassette = await readCassette(file)
    await writeCassette(file, {
      ...cassette,
      matching: {
        ...cassette.matching,
        ignore: ["$.providerOptions"],
        volatile: [{ path: "$.system", pattern: "uuid" }]
      }
    })
    const old = new Date(Date.now() - 3 * 86_400_000 - 60_000)
    await utimes(file, old, old)
    const { code, stdout } = await command("stats", file)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}written +\d{4}-\d\d-\d\d \d\d:\d\d, 3 days ago$/m)
    expect(stdout).toMatch(/^ {2}models +scripted:scripted-1 \(6 answers\)$/m)
    expect(stdout).toMatch(/^ {2}entries +\d+: .*6 answer.*2 cell/m)
    expect(stdout).toMatch(/^ {2}not compared +\$\.providerOptions, \$\.system \(uuid\)$/m)
    expect(stdout).toMatch(/^ {2}long texts +none$/m)
    expect(stdout).toContain("and 1 in this folder that no recording names, 2 kB")
    expect(stdout).toMatch(/^ {2}format +1, with rules 1$/m)
  })

  it("is one JSON object a file for programs, and goes on after a file that is damaged, foreign or not there", async () => {
    const damaged = join(dirname(await copy()), "damaged.cassette.jsonl")
    await writeFile(damaged, (await readFile(recorded, "utf8")).split("\n").slice(0, 4).join("\n"))
    const trajectory = recorded.replace(".cassette.jsonl", ".trajectory.json")
    const { code, stderr, stdout } = await command("stats", "--json", damaged, trajectory, "nowhere.jsonl", recorded)
    expect(code).toBe(2)
    expect(stdout.trim().split("\n").map((line) => JSON.parse(line))).toMatchObject([{
      file: recorded,
      bytes: (await readFile(recorded)).length,
      version: 1,
      entries: { answer: 3, cell: 2, run: 1 },
      calls: {},
      blobs: { own: { count: 0 }, orphans: { count: 0 } }
    }])
    expect(stderr).toContain(`${damaged}:4: was cut off`)
    expect(stderr).toContain(`${trajectory}:1: `)
    expect(stderr).toContain("nowhere.jsonl: there is no such file")
  })
})

describe("daylight cassette prune", () => {
  it("drops what a replay does not use, and says before what that is", async () => {
    const file = await copy()
    const before = await readFile(file, "utf8")
    const told = await command("prune", file, "--agent", fixture("analyst.ts"), "--dry-run")
    expect(told.code).toBe(0)
    expect(told.stdout).toContain("answer 4 of 6 (answer: ")
    expect(told.stdout).toContain(`blobs/sha256-${"0".repeat(64)} (2 kB)`)
    expect(told.stdout).toMatch(/3 answers and 1 long text would be dropped \(.* kB, then .* kB\)\.\n$/)
    expect(await readFile(file, "utf8")).toBe(before)

    const { code, stdout } = await command("prune", file, "--agent", fixture("analyst.ts"), "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      file,
      dryRun: false,
      answers: [{}, {}, {}].map(() => expect.any(String))
    })
    expect(await readFile(file, "utf8")).toBe(await readFile(recorded, "utf8"))
    expect(await readdir(join(dirname(file), "blobs"))).toEqual([])

    const again = await command("prune", file, "--agent", fixture("analyst.ts"))
    expect(again).toMatchObject({ code: 0, stdout: `${file}: all of it is used.\n` })
  })

  it("drops nothing where the replay leaves the recording", async () => {
    const file = await copy()
    const before = await readFile(file, "utf8")
    const { code, stderr } = await command("prune", file, "--agent", fixture("mailer.ts"))
    expect(code).toBe(1)
    expect(stderr).toContain(`${file}: its replay left the recording, so nothing is dropped.`)
    expect(stderr).toContain("step 1 (answer)")
    expect(await readFile(file, "utf8")).toBe(before)
    expect(await readdir(join(dirname(file), "blobs"))).toHaveLength(1)
  })

  it.each<[string, ReadonlyArray<string>, RegExp]>([
    ["no agent", ["CASSETTE"], /Missing required flag: --agent/],
    ["a file that is not there", ["nowhere.jsonl", "--agent", "AGENT"], /nowhere\.jsonl: there is no such file/],
    ["a trajectory", ["TRAJECTORY", "--agent", "AGENT"], /\.trajectory\.json:1: /],
    ["an agent that is none", ["CASSETTE", "--agent", "nowhere.ts"], /nowhere\.ts/]
  ])("says what is missing: %s", async (_, args, problem) => {
    const places: Readonly<Record<string, string>> = {
      CASSETTE: recorded,
      TRAJECTORY: recorded.replace(".cassette.jsonl", ".trajectory.json"),
      AGENT: fixture("analyst.ts")
    }
    const { code, stderr } = await command("prune", ...args.map((arg) => places[arg] ?? arg))
    expect(code).toBe(2)
    expect(stderr).toMatch(problem)
  })
})

/** The commands on recordings, as a user types them; no network is there. */
import { readTrajectory } from "@daylight/evals/trajectory"
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { daylight, fixture } from "./daylight.ts"

const env = { NODE_OPTIONS: `--import ${join(import.meta.dirname, "fixtures/no-network.mjs")}`, NO_COLOR: "1" }
const command = (...args: ReadonlyArray<string>) => daylight(args, { env })

let base: string
let trajectory: string
let cassette: string

beforeAll(async () => {
  base = join(await mkdtemp(join(tmpdir(), "replay-")), "growth")
  trajectory = `${base}.trajectory.json`
  cassette = `${base}.cassette.jsonl`
  const { code, stderr } = await command("record", fixture("analyst.ts"), "Which region?", "--out", base, "--calls")
  if (code !== 0 || !stderr.includes(`Recorded: ${trajectory}`)) throw new Error(`nothing was recorded: ${stderr}`)
}, 60_000)

/** The agent again, with a change. */
const changed = async (from: string, to: string): Promise<string> => {
  const text = await readFile(fixture("analyst.ts"), "utf8")
  expect(text).toContain(from)
  const file = join(import.meta.dirname, "fixtures", `changed-${process.pid}.ts`)
  await writeFile(file, text.replace(from, to))
  return file
}

describe("daylight replay", () => {
  it("shows a trajectory without running anything", async () => {
    const { code, stdout } = await command("replay", trajectory)
    expect(code).toBe(0)
    expect(stdout).toContain("ReferenceError: ordres is not defined")
    expect(stdout).toContain("The largest region is **north** with 20.")
    expect(stdout).toContain("✓ completed")
    expect(stdout).not.toContain("<variables>")
  })

  it("shows as far as a step", async () => {
    const { code, stdout } = await command("replay", trajectory, "--to", "1")
    expect(code).toBe(0)
    expect(stdout).toContain("cell 1")
    expect(stdout).not.toContain("cell 2")
  })

  it.each(["cassette", "trajectory"])("runs the cells again and has the same outcome, from the %s", async (kind) => {
    const { code, stderr, stdout } = await command(
      "replay",
      kind === "cassette" ? cassette : trajectory,
      "--agent",
      fixture("analyst.ts")
    )
    expect(stderr).toContain("replayed: the same outcome (completed, 3 answers from the recording)")
    expect(stdout).toContain("The largest region is **north** with 20.")
    expect(code).toBe(0)
  })

  it("misses when one word of the instructions is another, and says where", async () => {
    const { readFile, rm } = await import("node:fs/promises")
    const text = await readFile(fixture("analyst.ts"), "utf8")
    const instructions = /instructions: "([^"]*)"/.exec(text)?.[1]
    const file = instructions === undefined
      ? await changed('name: "analyst",', 'name: "analyst",\n  instructions: "Answer in prose.",')
      : await changed(instructions, `${instructions} Please.`)
    try {
      const { code, stderr } = await command("replay", cassette, "--agent", file)
      expect(code).toBe(1)
      expect(stderr).toContain("the replay left its recording: step 1 (answer)")
      expect(stderr).toMatch(/\$\.system, character \d+: recorded ".*", came ".*"/)
      expect(stderr).toContain(`record it again:\n  daylight record ${file} 'Which region?' --out ${base} --calls\n`)
    } finally {
      await rm(file)
    }
  })

  it("misses when the model is another, also without its key", async () => {
    const { code, stderr } = await daylight(
      ["replay", cassette, "--agent", fixture("analyst.ts"), "--model", "openai:gpt-4.1"],
      { env: { ...env, OPENAI_API_KEY: "" } }
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/\$\.model, character \d+: recorded "scripted-1", came "gpt-4.1"/)
  })

  it("gives events for programs", async () => {
    const { stdout } = await command("replay", cassette, "--agent", fixture("analyst.ts"), "--json")
    const lines = stdout.trim().split("\n").map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ type: "outcome", reason: "completed" })
    expect(lines.filter(({ event }) => event?._tag === "CellEnded")).toHaveLength(2)
  })

  it("refuses depth sealed on a runtime that is not, with the reason", async () => {
    const { code, stderr } = await command("replay", cassette, "--agent", fixture("analyst.ts"), "--depth", "sealed")
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/kernel runtime|holds no host calls/)
  })

  it.each<[string, ReadonlyArray<string>, RegExp]>([
    ["a cassette without an agent", ["CASSETTE"], /--agent FILE/],
    ["a depth that needs an agent", ["TRAJECTORY", "--depth", "model"], /--agent FILE/],
    ["a fork without an agent", ["TRAJECTORY", "--fork", "1"], /--agent FILE/],
    ["a file that is not there", ["nowhere.trajectory.json"], /no such file/],
    ["a folder", [import.meta.dirname], /is a folder. Name a file in it/],
    ["a step that is none", ["TRAJECTORY", "--to", "0"], /--to 0: is no step/],
    ["a cell that is none", ["CASSETTE", "--agent", "AGENT", "--fork", "7"], /no cell 7.*cells are 1 to 2/],
    ["a stop and a fork at once", ["CASSETTE", "--agent", "AGENT", "--fork", "1", "--to", "1"], /Use one of the two/],
    ["a model that nobody knows", ["CASSETTE", "--agent", "AGENT", "--model", "gtp-6"], /provider is not known/]
  ])("says what is missing: %s", async (_, args, problem) => {
    const places: Readonly<Record<string, string>> = {
      CASSETTE: cassette,
      TRAJECTORY: trajectory,
      AGENT: fixture("analyst.ts")
    }
    const { code, stderr } = await command("replay", ...args.map((arg) => places[arg] ?? arg))
    expect(code).toBe(2)
    expect(stderr).toMatch(problem)
  })

  it("says that the cassette beside a trajectory is another one by now", async () => {
    const other = `${base}-moved`
    const document = JSON.parse(await readFile(trajectory, "utf8"))
    document.extra.daylight.cassette.sha256 = "sha256:0"
    await writeFile(`${other}.trajectory.json`, JSON.stringify(document))
    const { code, stderr } = await command("replay", `${other}.trajectory.json`, "--agent", fixture("analyst.ts"))
    expect(code).toBe(2)
    expect(stderr).toContain("growth.cassette.jsonl is another one by now")
  })

  it("names the line of a damaged file", async () => {
    const damaged = `${base}.damaged.jsonl`
    await writeFile(damaged, (await readFile(cassette, "utf8")).split("\n").slice(0, 4).join("\n"))
    const { code, stderr } = await command("replay", damaged, "--agent", fixture("analyst.ts"))
    expect(code).toBe(2)
    expect(stderr).toContain(`${damaged}:4: was cut off`)
  })
})

describe("daylight replay --recorded", () => {
  it("answers calls from the recording, so that nothing has an effect, also of a fork and of a prune", async () => {
    const payments = `${base}.payments`
    const place = `${base}-payer`
    const pay = async (...args: ReadonlyArray<string>) => {
      const { code, stderr } = await daylight(args, { env: { ...env, PAYMENTS: payments } })
      return { code, stderr, lines: (await readFile(payments, "utf8")).split("\n").length - 1 }
    }
    const payer = fixture("payer.ts")
    const file = `${place}.cassette.jsonl`
    const recorded = ["--recorded", "**"]
    expect(await pay("record", payer, "Pay.", "--out", place, "--calls")).toMatchObject({ code: 0, lines: 1 })
    const replayed = await pay("replay", file, "--agent", payer, ...recorded)
    expect(replayed.stderr).toContain("replayed: the same outcome")
    expect(replayed).toMatchObject({ code: 0, lines: 1 })
    const forked = await pay("replay", file, "--agent", payer, ...recorded, "--fork", "1")
    expect(forked.stderr).toContain("forked after cell 1")
    // The model that goes on pays for itself; the cell that was followed does not pay again.
    expect(forked.lines).toBe(2)
    expect(await pay("cassette", "prune", file, "--agent", payer, ...recorded)).toMatchObject({ code: 0, lines: 2 })
    expect(await pay("replay", file, "--agent", payer)).toMatchObject({ code: 0, lines: 3 })

    await writeFile(file, (await readFile(file, "utf8")).replaceAll('"args":[{"_tag":"Json","value":5}]', '"args":[]'))
    const missed = await pay("replay", file, "--agent", payer, "--recorded", "pay")
    expect(missed).toMatchObject({ code: 1, lines: 3 })
    expect(missed.stderr).toContain("call 0 (pay) of cell 1 of payer, run 1, step 1 was not recorded.")
    expect(missed.stderr).toContain("the nearest is pay() of cell 1")
    expect(missed.stderr).toContain(`daylight record ${payer} Pay. --out ${place} --calls`)
  })

  it.each<[string, ReadonlyArray<string>, RegExp]>([
    ["no agent", ["TRAJECTORY", "--recorded", "pay"], /--agent FILE/],
    ["a name that nobody has", ["CASSETTE", "--agent", "AGENT", "--recorded", "pya"], /no agent has pya bound/],
    ["what is used directly", ["CASSETTE", "--agent", "AGENT", "--recorded", "orders.*"], /orders\.\* has no contract/]
  ])("says what is missing: %s", async (_, args, problem) => {
    const places: Readonly<Record<string, string>> = {
      CASSETTE: cassette,
      TRAJECTORY: trajectory,
      AGENT: fixture("analyst.ts")
    }
    const { code, stderr } = await command("replay", ...args.map((arg) => places[arg] ?? arg))
    expect(code).toBe(2)
    expect(stderr).toMatch(problem)
  })
})

describe("daylight record --out", () => {
  it("looks at the place before anything runs, and takes a folder as one", async () => {
    const file = `${base}.taken`
    await writeFile(file, "")
    const refused = await command("record", fixture("analyst.ts"), "Which region?", "--out", `${file}/growth`)
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toMatch(/--out .*growth: cannot be written \((EEXIST|ENOTDIR)\)/)
    const folder = `${base}-folder/`
    const { code, stderr } = await command("record", fixture("analyst.ts"), "Which region?", "--out", folder)
    expect(code).toBe(0)
    expect(stderr).toContain(`Recorded: ${folder}recording.trajectory.json`)
  })
})

describe("daylight record --session", () => {
  it("makes the files of a session that lies in a store, which replay as well", async () => {
    const store = `${base}.db`
    const run = await command("run", fixture("analyst.ts"), "Which region?", "--store", store, "--json")
    const { session } = JSON.parse(run.stdout.trim().split("\n").at(-1)!)
    const stored = `${base}-stored`
    const { code, stderr } = await command("record", "--session", session, "--store", store, "--out", stored)
    expect(stderr).toContain(`Recorded: ${stored}.trajectory.json`)
    expect(code).toBe(0)
    const replayed = await command("replay", `${stored}.cassette.jsonl`, "--agent", fixture("analyst.ts"))
    expect(replayed.stderr).toContain("replayed: the same outcome (completed, 3 answers from the recording)")
  })

  it("needs an agent or a session", async () => {
    const { code, stderr } = await command("record")
    expect(code).toBe(2)
    expect(stderr).toContain("--session ID")
  })
})

describe("daylight trajectory", () => {
  it("validates", async () => {
    expect(await command("trajectory", "validate", trajectory)).toMatchObject({
      code: 0,
      stdout: `${trajectory}: valid\n`
    })
    const broken = `${base}.broken.json`
    const document = await readTrajectory(trajectory)
    await writeFile(broken, JSON.stringify({ ...document, colour: "red", steps: document.steps.toReversed() }))
    const { code, stdout } = await command("trajectory", "validate", broken)
    expect(code).toBe(1)
    expect(stdout).toContain("colour")
  })

  it("compares", async () => {
    expect(await command("trajectory", "diff", trajectory, trajectory)).toMatchObject({ code: 0 })
    const other = `${base}.other.json`
    const document = await readTrajectory(trajectory)
    const steps = document.steps.map((step) =>
      step.source === "agent" && step.tool_calls === undefined ? { ...step, message: "South." } : step
    )
    await writeFile(other, JSON.stringify({ ...document, steps }))
    const { code, stdout } = await command("trajectory", "diff", trajectory, other)
    expect(code).toBe(1)
    expect(stdout).toContain("$.message")
    expect(stdout).toContain('+ "South."')
  })

  it("shows no cassette as if it were one, and names a place that it cannot write to", async () => {
    const shown = await command("trajectory", "show", cassette)
    expect(shown).toMatchObject({ code: 2, stdout: "" })
    expect(shown.stderr).toContain("is no trajectory, but a cassette of Daylight. Give the trajectory")
    const place = `${trajectory}/page.html`
    const { code, stderr } = await command("trajectory", "convert", trajectory, "--to", "html", "--out", place)
    expect(code).toBe(2)
    expect(stderr).toContain(`--out ${place}: cannot be written (ENOTDIR)`)
  })

  it("converts from and to other formats, and says what was dropped", async () => {
    const chat = `${base}.chat.json`
    await writeFile(
      chat,
      JSON.stringify({
        seed: 7,
        messages: [{ role: "user", content: "Hi" }, {
          role: "assistant",
          tool_calls: [{ id: "1", function: { name: "f", arguments: '{"a":1}' } }]
        }, { role: "tool", tool_call_id: "1", content: "ok" }]
      })
    )
    const atif = await command("trajectory", "convert", chat)
    expect(JSON.parse(atif.stdout).steps).toHaveLength(2)
    expect(atif.stderr).toContain("dropped seed")
    const otel = await command("trajectory", "convert", trajectory, "--to", "otel")
    expect(JSON.parse(otel.stdout).resourceSpans[0].scopeSpans[0].spans[0].name).toBe("invoke_agent analyst")
    const html = await command("trajectory", "convert", trajectory, "--to", "html")
    expect(html.stdout).toContain("<!doctype html>")
  })
})

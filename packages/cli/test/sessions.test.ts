import { Agent, Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { type Reply, ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { SqliteStore } from "@daylight/store"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { daylight, fixture, type Result, when } from "./daylight.ts"

/** Each command is a process of its own, and this machine may be busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let folder: string
let store: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-"))
  store = join(folder, "sessions.db")
  await session("north-1", { labels: { team: "ops" } }, "Measure the north", [{ code: "6 * 7" }, "It is 42."])
  await session("south-1", { labels: { team: "web" } }, "Measure the south", [{ code: "nothing.here" }, "I cannot."])
  const helper = Agent.make({ name: "helper", model: model(["Done by me."]) })
  const delegating = [{ code: "await helper.run('Help')" }, "It was done."]
  const bindings = [Binding.agent("helper", helper)]
  await session("parent-1", { bindings }, "Delegate", delegating)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const model = (replies: ReadonlyArray<Reply>) => ScriptedModel.layer(replies)

const session = async (
  id: string,
  options: { readonly labels?: Record<string, string>; readonly bindings?: ReadonlyArray<Binding> },
  prompt: string,
  replies: ReadonlyArray<Reply>
): Promise<void> => {
  await using agent = createAgent({
    name: "surveyor",
    id,
    ...options,
    model: model(replies),
    runtime: VmRuntime.layer,
    store: SqliteStore.layer({ filename: store })
  })
  await agent.run(prompt)
}

const sessions = (...args: ReadonlyArray<string>): Promise<Result> => daylight(["sessions", ...args, "--store", store])

const rows = ({ stdout }: Result): ReadonlyArray<any> =>
  stdout.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line))

const ids = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  rows(await sessions("list", "--json", ...args)).map(({ session }) => session)

describe("sessions list", () => {
  it("shows a table, latest first", async () => {
    const { code, stderr, stdout } = await sessions("list")
    expect([code, stderr]).toEqual([0, ""])
    const [head, ...lines] = stdout.trim().split("\n")
    expect(head).toMatch(/^SESSION +AGENT +STATE +UPDATED +CELLS +COST +TITLE$/)
    expect(lines).toHaveLength(4)
    expect(lines.at(-1)).toMatch(/^north-1 +surveyor +completed +\d{4}-\d\d-\d\d \d\d:\d\d +1 +Measure the north$/)
  })

  it.each([
    [["--agent", "helper"], 1],
    [["--label", "team=ops"], ["north-1"]],
    [["--label", "team=ops", "--label", "a=b"], []],
    [["--text", "SOUTH"], ["south-1"]],
    [["--failed"], ["south-1"]],
    [["--outcome", "completed", "--text", "42"], ["north-1"]],
    [["--outcome", "stuck"], []],
    [["--status", "running"], []],
    [["--parent", "parent-1"], 1],
    [["--since", "1h", "--label", "team=web"], ["south-1"]],
    [["--since", "2999-01-01"], []],
    [["--min-usd", "0.01"], []]
  ])("%j", async (filter, expected) => {
    const found = await ids(...filter)
    if (typeof expected === "number") expect(found).toHaveLength(expected)
    else expect(found).toEqual(expected)
  })

  it("goes through pages", async () => {
    const seen: Array<string> = []
    let cursor: ReadonlyArray<string> = []
    do {
      const page = rows(await sessions("list", "--json", "--limit", "3", ...cursor))
      seen.push(...page.flatMap(({ session }) => session ?? []))
      const next = page.at(-1).next
      cursor = next === undefined ? [] : ["--cursor", next]
    } while (cursor.length > 0)
    expect(new Set(seen).size).toBe(4)
    expect(seen).toHaveLength(4)
    expect((await sessions("list", "--limit", "1")).stdout).toContain("There are more: --cursor '")
  })

  it("says what is wrong with a filter, a store or an address", async () => {
    const wrong: ReadonlyArray<readonly [args: ReadonlyArray<string>, said: string]> = [
      [["list", "--label", "ops", "--store", store], "KEY=VALUE"],
      [["list", "--since", "soon", "--store", store], "is no time"],
      [["list", "--parent", "nobody", "--store", store], "there is no such session"],
      [["list", "--store", "mysql://here/x"], "is no kind of store"],
      [["list", "--store", join(folder, "none.db")], "no such file of sessions"],
      [["list"], "--store FILE"],
      [["show", "h-1", "--store", store], "2 sessions are called like this"]
    ]
    for (const [args, said] of wrong) {
      const { code, stderr } = await daylight(["sessions", ...args], { cwd: folder })
      expect([args, code]).toEqual([args, 2])
      expect(stderr).toContain(said)
    }
    const away = await daylight(["sessions", "list", "--store", "postgres://somebody:secret@127.0.0.1:1/none"])
    expect(away.code).toBe(1)
    expect(away.stderr).toContain("the store is not available")
    expect(away.stderr).not.toContain("secret")
  })
})

describe("sessions show", () => {
  it("tells the facts, then what happened", async () => {
    const { code, stdout } = await sessions("show", "north")
    expect(code).toBe(0)
    for (const text of ["north-1", "team=ops", "Measure the north", "6 * 7", "= 42", "It is 42.", "completed"]) {
      expect(stdout).toContain(text)
    }
    const parent = await sessions("show", "parent-1")
    expect(parent.stdout).toMatch(/child +\S+ \(helper\)/)
  })

  it("gives the same lines as run --json", async () => {
    const [summary, ...events] = rows(await sessions("show", "north-1", "--json"))
    expect(summary).toMatchObject({ type: "session", session: "north-1", reason: "completed" })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    expect(events[0]).toMatchObject({ type: "event", agent: ["surveyor"], v: 1, event: { _tag: "SessionOpened" } })
    const later = rows(await sessions("show", "north-1", "--json", "--after", String(events.length - 1)))
    expect(later).toHaveLength(2)
  })
})

describe("a session of another process", () => {
  it("is read along, cannot be deleted, and is interrupted", async () => {
    const running = daylight(["run", fixture("slow.ts"), "Wait", "--store", store, "--json"], {
      watch: () => undefined
    })
    const [id] = await vi.waitUntil(async () => {
      const found = await ids("--agent", "slow", "--status", "running")
      return found.length > 0 && found
    }, { timeout: 30_000, interval: 50 })

    const held = await sessions("delete", id!)
    expect(held.code).toBe(1)
    expect(held.stderr).toContain("held by")

    const following = daylight(["sessions", "show", id!, "--follow", "--store", store], {
      env: { NO_COLOR: "1" },
      watch: when(["cancelled", (child) => child.kill("SIGINT")])
    })
    const told = await sessions("interrupt", id!.slice(0, 12), "--by", "ann", "--json")
    expect(told.code).toBe(0)
    expect(rows(told)[0]).toMatchObject({ session: id, by: "ann", outcome: { reason: "cancelled" } })

    const { code, stderr, stdout } = await running
    expect(code).toBe(130)
    expect(stderr).toContain(`session ${id}`)
    expect(rows({ code, stderr, stdout }).at(-1)).toMatchObject({ type: "outcome", session: id, reason: "cancelled" })
    expect(await following).toMatchObject({ code: 0, stderr: "" })

    const again = await sessions("interrupt", id!)
    expect(again.code).toBe(2)
    expect(again.stderr).toContain("it does not run: nobody holds it now")
  })
})

describe("sessions export, import, delete and prune", () => {
  it("moves a session, byte for byte, by files and by pipes", async () => {
    const file = join(folder, "north.jsonl")
    const other = join(folder, "new", "other.db")
    expect(await sessions("export", "north-1", "--out", file)).toEqual({ code: 0, stdout: "", stderr: "" })
    const imported = await daylight(["sessions", "import", file, "--store", other])
    expect([imported.code, imported.stdout]).toEqual([0, "Imported north-1\n"])
    const piped = await daylight(["sessions", "export", "north-1", "--store", other])
    expect(piped.stdout).toBe(await readFile(file, "utf8"))

    const taken = await daylight(["sessions", "import", file, "--store", other])
    expect(taken.code).toBe(1)
    expect(taken.stderr).toContain("the id is taken")
    const copy = await daylight(["sessions", "import", "-", "--as", "copy", "--store", other], { input: piped.stdout })
    expect([copy.code, copy.stdout]).toEqual([0, "Imported copy\n"])
    const cut = await daylight(["sessions", "import", "-", "--as", "cut", "--store", other], {
      input: piped.stdout.slice(0, -30)
    })
    expect(cut.code).toBe(1)
    const none = await daylight(["sessions", "import", join(folder, "none.jsonl"), "--store", other])
    expect(none.code).toBe(2)
    expect(none.stderr).toContain("cannot be read")
  })

  it("writes a notebook where the file is called so, and nothing where there is no session", async () => {
    const file = join(folder, "north.ipynb")
    expect((await sessions("export", "north-1", "--out", file)).code).toBe(0)
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ nbformat: 4 })
    expect((await sessions("export", "nobody", "--out", join(folder, "nobody.jsonl"))).code).toBe(2)
    expect((await readdir(folder)).filter((name) => /nobody|\.part$/.test(name))).toEqual([])
  })

  it("deletes children when told to, and what is old when it is old enough", async () => {
    const [child] = await ids("--parent", "parent-1")
    const deleted = await sessions("delete", "parent-1", "--children", "--json")
    expect(rows(deleted)).toEqual([{ session: child }, { session: "parent-1" }])

    const dry = await sessions("prune", "--older-than", "0s", "--label", "team=web", "--dry-run", "--json")
    expect(rows(dry)).toEqual([{ removed: ["south-1"], kept: [], dryRun: true }])
    expect((await sessions("prune", "--older-than", "30 days")).stdout).toContain("0 sessions deleted.")
    const kept = await sessions("prune", "--older-than", "0s", "--keep", "1", "--agent", "surveyor", "--json")
    expect(rows(kept)).toEqual([{ removed: ["north-1"], kept: [], dryRun: false }])
    expect(await ids("--agent", "surveyor")).toEqual(["south-1"])
    const wrong = await sessions("prune", "--older-than", "soon")
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain("is no span of time")
  })
})

describe("daylight.config.ts", () => {
  const inFolder = async (config: string, use: (folder: string) => Promise<void>): Promise<void> => {
    // Beside the fixtures, so that its packages are found as those of a project are.
    const folder = await mkdtemp(join(import.meta.dirname, "config-"))
    try {
      await writeFile(join(folder, "daylight.config.ts"), config)
      await writeFile(join(folder, "bare.ts"), 'export default { name: "bare" }\n')
      await use(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const whole = `
    import { ScriptedModel } from "@daylight/core/testing"
    import { VmRuntime } from "@daylight/runtime-vm"
    export default {
      model: ScriptedModel.layer(["From the configuration."]),
      runtime: VmRuntime.layer,
      store: "kept/sessions.db",
      agents: { short: "./bare.ts", here: { instructions: "Answer." } }
    }
  `

  it("gives agents what they lack, names them, and says where sessions are, also from a folder below", () =>
    inFolder(whole, async (folder) => {
      const below = join(folder, "below")
      await mkdir(below)
      for (const [agent, cwd] of [["short", below], ["here", below], ["bare.ts", folder]] as const) {
        const { code, stderr, stdout } = await daylight(["run", agent, "Go"], { cwd })
        expect([agent, code]).toEqual([agent, 0])
        expect(stdout).toContain("From the configuration.")
        expect(stderr).toMatch(/^session \S+\n$/)
      }
      const chatted = await daylight(["chat", "short"], { cwd: folder, input: "Hello\n" })
      expect(chatted.stderr).toMatch(/^session bare-\S+\n$/)
      const listed = await daylight(["sessions", "list", "--json"], { cwd: below })
      expect(rows(listed).map(({ agent }) => agent)).toEqual(["bare", "bare", "here", "bare"])
      const asked = await daylight(["approvals", "list"], { cwd: below })
      expect([asked.code, asked.stdout]).toEqual([0, "Nothing waits for anybody.\n"])

      const elsewhere = join(folder, "elsewhere.db")
      await daylight(["run", "short", "Go"], { cwd: folder, env: { DAYLIGHT_STORE: elsewhere } })
      const there = await daylight(["sessions", "list", "--json", "--store", elsewhere], { cwd: folder })
      expect(rows(there)).toHaveLength(1)

      const unknown = await daylight(["run", "long", "Go"], { cwd: below })
      expect(unknown.code).toBe(2)
      expect(unknown.stderr).toContain("one of the agents of daylight.config.ts: short, here")
    }))

  it.each([
    ["export const a = 1", "has no default export"],
    ["export default { stroe: 'x' }", '"stroe" is not known'],
    ["export default { store: 5 }", "its store is of another kind"],
    ["export default {", "cannot be loaded"]
  ])("that is wrong is named: %s", (config, said) =>
    inFolder(config, async (folder) => {
      for (const args of [["sessions", "list"], ["run", "bare.ts", "Go"]]) {
        const { code, stderr } = await daylight(args, { cwd: folder })
        expect(code).toBe(2)
        expect(stderr).toContain("daylight.config.ts")
        expect(stderr).toContain(said)
      }
    }))
})

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { daylight, fixture, hasTerminal, onTerminal, when } from "./daylight.ts"

const analyst = fixture("analyst.ts")

/** Each command is a process of its own, and this machine may be busy. */
vi.setConfig({ testTimeout: 90_000 })

describe("daylight", () => {
  it("--help tells commands, environment and exit codes", async () => {
    const { code, stderr, stdout } = await daylight(["--help"])
    expect([code, stderr]).toEqual([0, ""])
    for (const word of ["run ", "chat ", "DAYLIGHT_LOG", "NO_COLOR", "130 cancelled", "6 limit reached"]) {
      expect(stdout).toContain(word)
    }
  })

  it("run --help tells arguments, flags and exit codes", async () => {
    const { code, stdout } = await daylight(["run", "--help"])
    expect(code).toBe(0)
    for (const word of ["FILE", "PROMPT", "--json", "--verbose", "Exit codes: 0 completed"]) {
      expect(stdout).toContain(word)
    }
  })

  it("--version tells the version of the package", async () => {
    expect(await daylight(["--version"])).toEqual({ code: 0, stdout: `daylight v${manifest.version}\n`, stderr: "" })
  })

  it("without a command shows the help", async () => {
    const { code, stdout } = await daylight([])
    expect(code).toBe(0)
    expect(stdout).toContain("SUBCOMMANDS")
  })

  it("names what it does not know and what was meant, on standard error alone", async () => {
    for (
      const [args, wrong, meant] of [[["rum"], "rum", "run"], [["run", analyst, "x", "--jsn"], "--jsn", "--json"], [
        ["run"],
        "FILE",
        "run --help"
      ]] as const
    ) {
      const { code, stderr, stdout } = await daylight(args)
      expect([args, code, stdout]).toEqual([args, 2, ""])
      expect(stderr).toContain(wrong)
      expect(stderr).toContain(meant)
    }
  })
})

describe("daylight run", () => {
  it("shows what the agent does and ends with 0", async () => {
    const { code, stderr, stdout } = await daylight(["run", analyst, "Which region is largest?"])
    expect([code, stderr]).toEqual([0, ""])
    const steps = [
      "▶ Which region is largest?\n",
      "┆ Group by region.\n",
      "I add up **each region**.\n",
      "╭─ cell 1 ─",
      "│   2  for (const order of ordres) sums[order.region] = order.total\n",
      "├─ ✗ failed · ",
      "│ ReferenceError: ordres is not defined\n",
      "│ ▸ 2  for (const order of ordres)",
      "│ regions 2\n",
      "│ = { north: 20, south: 5 }\n",
      "The largest region is **north** with 20.\n",
      "✓ completed  3 steps · 2 cells · 45 tokens"
    ]
    let from = 0
    for (const step of steps) {
      const at = stdout.indexOf(step, from)
      expect([step, at >= from]).toEqual([step, true])
      from = at
    }
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })

  it("takes the prompt from a pipe, with - and without", async () => {
    for (const args of [["run", analyst], ["run", analyst, "-"]]) {
      const { code, stdout } = await daylight(args, { input: "Which region\nis largest?\n" })
      expect(code).toBe(0)
      expect(stdout).toContain("▶ Which region\n  is largest?\n")
    }
  })

  it("--json gives one event a line and the outcome last", async () => {
    const { code, stderr, stdout } = await daylight(["run", analyst, "Which?", "--json"])
    expect([code, stderr]).toEqual([0, ""])
    const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line))
    expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(["event", "delta", "outcome"]))
    const events = lines.filter(({ type }) => type === "event")
    for (const event of events) {
      expect(event).toMatchObject({ agent: ["analyst"], v: 1, event: { _tag: expect.any(String) } })
    }
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => events[0].seq + index))
    const text = lines.filter(({ kind, type }) => type === "delta" && kind === "text").map(({ text }) => text).join("")
    expect(text).toContain("The largest region is **north** with 20.")
    expect(lines.at(-1)).toMatchObject({
      type: "outcome",
      session: events[0].session,
      reason: "completed",
      steps: 3,
      cells: 2
    })
    expect(lines.filter(({ type }) => type === "outcome")).toHaveLength(1)
  })

  it("--json keeps standard output free of what the agent's code prints", async () => {
    const { stderr, stdout } = await daylight(["run", fixture("noisy.ts"), "Hi", "--json"])
    for (const line of stdout.trimEnd().split("\n")) expect(() => JSON.parse(line)).not.toThrow()
    expect(stderr).toContain("loaded")
    expect(stderr).toContain("called")
  })

  it("tells the outcome by the exit code", async () => {
    const expected = { limit: 6, model_error: 8, refused: 3 } as const
    for (const [reason, code] of Object.entries(expected)) {
      const result = await daylight(["run", fixture("endings.ts"), reason, "--json"])
      const outcome = JSON.parse(result.stdout.trimEnd().split("\n").at(-1)!)
      expect([reason, outcome.reason, result.code]).toEqual([reason, reason, code])
    }
  })

  it("denies what needs approval where nobody can be asked", async () => {
    const { code, stdout } = await daylight(["run", fixture("mailer.ts"), "Greet"])
    expect(code).toBe(0)
    expect(stdout).toContain("nobody is there to ask")
  })

  it("is cancelled by SIGINT: the outcome is printed, the code is 130", async () => {
    const interrupt = when(["wait for a long", (child) => child.kill("SIGINT")])
    const { code, stdout } = await daylight(["run", fixture("slow.ts"), "Wait"], { watch: interrupt, input: "" })
    expect(stdout).toMatch(/\nI begin and then wait for a long.*\n\n■ cancelled  1 step/)
    expect(code).toBe(130)
  })

  it("--json also ends with the outcome when it was cancelled", async () => {
    const interrupt = when(['"kind":"text"', (child) => child.kill("SIGINT")])
    const { code, stdout } = await daylight(["run", fixture("slow.ts"), "Wait", "--json"], {
      watch: interrupt,
      input: ""
    })
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1)!)).toMatchObject({ type: "outcome", reason: "cancelled" })
    expect(code).toBe(130)
  })

  it("ends at once on a second SIGINT, also when what the agent holds does not close", async () => {
    const twice = when(["I block", (child) => child.kill("SIGINT")], [
      "Ctrl-C to quit",
      (child) => child.kill("SIGINT")
    ])
    const { code, stderr, stdout } = await daylight(["run", fixture("stubborn.ts"), "Wait"], {
      watch: twice,
      input: ""
    })
    expect(stdout).toContain("■ cancelled")
    expect(stderr).toBe("closing what the agent holds (Ctrl-C to quit)\n")
    expect(code).toBe(130)
  })

  it("ends quietly when its reader goes away", async () => {
    const close = when(["Group", (child) => child.stdout.destroy()])
    const { stderr } = await daylight(["run", analyst, "Which?"], { watch: close, input: "" })
    expect(stderr).toBe("")
  })

  it("DAYLIGHT_LOG=debug logs to standard error", async () => {
    const { stderr, stdout } = await daylight(["run", analyst, "Which?"], { env: { DAYLIGHT_LOG: "debug" } })
    expect(stderr).toMatch(/daylight: engine .*promise/)
    expect(stderr).toMatch(/daylight: event analyst-\S+ \d+ RunEnded/)
    expect(stdout).not.toContain("daylight: ")
  })

  it("refuses an empty prompt, and says how to give one", async () => {
    const { code, stderr } = await daylight(["run", analyst], { input: " \n" })
    expect(code).toBe(2)
    expect(stderr).toContain("the prompt: is empty.\nGive it as the last argument, or pipe it in")
  })
})

describe("a FILE that cannot work", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "daylight-cli-"))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const cases: ReadonlyArray<readonly [name: string, source: string, problem: string, remedy: string]> = [
    ["nothing.ts", "export {}", "has no default export", "export default { name:"],
    [
      "named.ts",
      'export const agent = { name: "a" }',
      "has no default export",
      'It exports "agent": add "export default agent".'
    ],
    ["number.ts", "export default 42", "its default export is a number, not an agent", "export default { name:"],
    ["function.ts", "export default () => 1", "its default export is a function", "export default { name:"],
    [
      "handle.ts",
      'export default { name: "a", run() {}, stream() {} }',
      "createAgent already made",
      "Export the options given to createAgent instead."
    ],
    ["nameless.ts", "export default {}", "its default export has no name", "Name the agent"],
    [
      "modelless.ts",
      'export default { name: "a" }',
      'agent "a" has no model',
      "Give it a model, such as Anthropic.layer"
    ],
    [
      "layerless.ts",
      'export default { name: "a", model: {} }',
      'agent "a" model is an object, not a layer',
      "Give it a model"
    ],
    ["syntax.ts", "export default {", "cannot be loaded", "Fix the error in the file"],
    [
      "import.ts",
      'import "./nowhere"\nexport default {}',
      "cannot be loaded: Cannot find module",
      "with their extension"
    ],
    [
      "package.ts",
      'import "no-such-package-here"\nexport default {}',
      "cannot be loaded: Cannot find package",
      "Install what it imports"
    ],
    ["enum.ts", "enum Color { Red }\nexport default Color", "cannot be loaded", "Node strips types only"],
    [
      "throws.ts",
      'const a: string = "x"\nthrow new Error(`no key ${a}`)',
      "cannot be loaded: no key x",
      "throws.ts:2:7"
    ],
    ["agent.py", "print(1)", "cannot be loaded", "Use a .ts, .mts, .js or .mjs file."]
  ]

  it("is named, with what is wrong and what to do, and gives 2", async () => {
    await Promise.all(cases.map(([name, source]) => writeFile(join(folder, name), source)))
    for (const [name, , problem, remedy] of cases) {
      const file = join(folder, name)
      const { code, stderr, stdout } = await daylight(["run", file, "hi"])
      expect([name, code, stdout]).toEqual([name, 2, ""])
      expect(stderr).toContain(`error ${file}: `)
      expect(stderr).toContain(problem)
      expect(stderr).toContain(remedy)
    }
  })

  it("may also be missing, or a folder", async () => {
    const missing = await daylight(["chat", join(folder, "gone.ts")])
    expect([missing.code, missing.stderr]).toEqual([
      2,
      `error ${join(folder, "gone.ts")}: there is no such file.\nGive the path of a file that exports an agent.\n`
    ])
    const directory = await daylight(["run", folder, "hi"])
    expect(directory.code).toBe(2)
    expect(directory.stderr).toContain("is not a file")
  })

  it("is told as JSON where JSON was asked for", async () => {
    const { code, stdout } = await daylight(["run", join(folder, "gone.ts"), "hi", "--json"])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      type: "error",
      name: "Problem",
      message: expect.stringContaining("there is no such file")
    })
  })
})

describe("daylight chat", () => {
  it("answers piped lines one by one, in one session", async () => {
    const input = "Which region?\n\n/vars\n/help\n/nope\nThanks\n/reset\n/vars\n/quit\nnever asked\n"
    const { code, stdout } = await daylight(["chat", analyst], { input })
    expect(code).toBe(0)
    expect(stdout).toContain("▶ Which region?\n")
    expect(stdout).toContain("sums: Object { north, south } 23 B  { north: 20, south: 5 }\n")
    expect(stdout).toMatch(/\norders: Array \[3\] of \{ region, total \}/)
    expect(stdout).toContain("/vars   the variables of the session")
    expect(stdout).toContain("there is no command /nope: /help lists them")
    expect(stdout).toContain("You are welcome.")
    expect(stdout).toContain("only what was bound is left")
    expect(stdout.slice(stdout.indexOf("only what was bound is left"))).not.toContain("sums:")
    expect(stdout).not.toContain("never asked")
  })

  it("--json gives an outcome for each line", async () => {
    const { code, stdout } = await daylight(["chat", analyst, "--json"], { input: "Which?\nThanks" })
    expect(code).toBe(0)
    const outcomes = stdout.trimEnd().split("\n").map((line) => JSON.parse(line)).filter(({ type }) =>
      type === "outcome"
    )
    expect(outcomes.map(({ text }) => text)).toEqual([expect.stringContaining("north"), "You are welcome."])
    expect(new Set(outcomes.map(({ session }) => session)).size).toBe(1)
  })
})

describe.skipIf(!hasTerminal)("on a terminal (needs the `script` command)", () => {
  it("run asks for approval and goes on with the answer", async () => {
    const { code, stdout } = await onTerminal(["run", fixture("mailer.ts"), "Greet both"], {
      env: { NO_COLOR: "1" },
      watch: when(
        ["? send('ann@example.org'", () => undefined],
        ["› ", (child) => child.stdin.write("perhaps\n")],
        ["y: once", () => undefined],
        ["› ", (child) => child.stdin.write("y\n")],
        ["? send('bob@example.org'", () => undefined],
        ["› ", (child) => child.stdin.write("n not him\n")]
      )
    })
    expect(stdout).toContain("✓ allowed once by terminal")
    expect(stdout).toContain("= sent Hello to ann@example.org")
    expect(stdout).toContain("✗ denied by terminal  not him")
    expect(stdout).not.toContain("sent Hello to bob")
    expect(code).toBe(0)
  })

  it("run is cancelled with Ctrl-C, also while a question is open", async () => {
    const { code, stdout } = await onTerminal(["run", fixture("mailer.ts"), "Greet both"], {
      env: { NO_COLOR: "1" },
      watch: when(["n REASON", () => undefined], ["› ", (child) => child.stdin.write("\u0003")])
    })
    expect(stdout).toContain("■ cancelled")
    expect(code).toBe(130)
  })

  it("chat cancels the answer with Ctrl-C, stays, remembers, and leaves with Ctrl-C twice", async () => {
    const { code, stdout } = await onTerminal(["chat", fixture("slow.ts")], {
      env: { NO_COLOR: "1" },
      watch: when(
        ["› ", (child) => child.stdin.write("Wait\r")],
        ["wait for a", (child) => child.stdin.write("\u0003")],
        ["■ cancelled", () => undefined],
        ["› ", (child) => child.stdin.write("Are you there?\r")],
        ["Here again.", () => undefined],
        ["› ", (child) => child.stdin.write("\u0003")],
        ["(Ctrl-C again to quit)", (child) => child.stdin.write("\u0003")]
      )
    })
    expect(stdout).toContain("Here again.")
    expect(code).toBe(0)
  })

  it("chat keeps the lines that were pasted together", async () => {
    const { code, stdout } = await onTerminal(["chat", analyst], {
      env: { NO_COLOR: "1" },
      watch: when(["› ", (child) => child.stdin.write("Which?\rThanks\r/quit\r")])
    })
    expect(stdout).toContain("The largest region is")
    expect(stdout).toContain("You are welcome.")
    expect(code).toBe(0)
  })

  it("colours and a spinner show, and the cursor is back at the end", async () => {
    const { stdout } = await onTerminal(["run", fixture("slow.ts"), "Wait"], {
      watch: when(["wait for a", (child) => setTimeout(() => child.stdin.write("\u0003"), 300)])
    })
    expect(stdout).toContain("\u001b[33m■")
    expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThanOrEqual(stdout.lastIndexOf("\u001b[?25l"))
  })
})

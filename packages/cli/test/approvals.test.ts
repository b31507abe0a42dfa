import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { daylight, fixture, hasTerminal, onTerminal, when } from "./daylight.ts"

/** Each command is a process of its own, and this machine may be busy. */
vi.setConfig({ testTimeout: 90_000 })

describe.skipIf(!hasTerminal)("on a terminal (needs the `script` command)", () => {
  it("a question is answered by number, and asked again until the answer fits", async () => {
    const { code, stdout } = await onTerminal(["run", fixture("asker.ts"), "Paint"], {
      env: { NO_COLOR: "1", DAYLIGHT_ROLES: "support, finance" },
      watch: when(
        ["? Which color?", () => undefined],
        ["2: blue", () => undefined],
        ["› ", (child) => child.stdin.write("green\n")],
        ["one of: red, blue", () => undefined],
        ["› ", (child) => child.stdin.write("2\n")],
        ["? For whom?", () => undefined],
        ["› ", (child) => child.stdin.write("Ann\n")],
        ["? paint('Ann')", () => undefined],
        ["(for finance)", () => undefined],
        ["› ", (child) => child.stdin.write("y\n")]
      )
    })
    expect(stdout).toContain("it is blue")
    expect(stdout).toContain("painted for Ann")
    expect(code).toBe(0)
  })

  it("what only another role may allow is left to that role", async () => {
    const { code, stdout } = await onTerminal(["run", fixture("asker.ts"), "Paint"], {
      env: { NO_COLOR: "1" },
      watch: when(
        ["2: blue", () => undefined],
        ["› ", (child) => child.stdin.write("red\n")],
        ["? For whom?", () => undefined],
        ["› ", (child) => child.stdin.write("Ann\n")],
        ["waits for the role finance", () => undefined],
        ["--role finance", (child) => child.stdin.write("\u0003")]
      )
    })
    expect(stdout).toContain("daylight approvals resolve")
    expect(stdout).not.toContain("painted for")
    expect(code).toBe(130)
  })
})

describe("approvals", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "approvals-"))
    await writeFile(join(folder, "notes.txt"), "no sessions at all")
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("says what is missing, by name and remedy", async () => {
    const nowhere = await daylight(["approvals", "list"])
    expect(nowhere.code).toBe(2)
    expect(nowhere.stderr).toContain("--store FILE")
    const none = await daylight(["approvals", "list", "--store", join(folder, "none.db")])
    expect(none.code).toBe(2)
    expect(none.stderr).toContain("no such file")
    const other = await daylight(["approvals", "list", "--store", join(folder, "notes.txt")])
    expect(other.code).toBe(1)
    const memory = await daylight(["approvals", "list", "--agent", fixture("asker.ts")])
    expect(memory.code).toBe(2)
    expect(memory.stderr).toContain("keeps its sessions in memory")
  })

  it("takes exactly one decision, in its form", async () => {
    const place = ["--store", join(folder, "notes.txt")]
    for (
      const flags of [[], ["--allow", "--deny", "no"], ["--args", "{}"], ["--args", "["], [
        "--answer",
        "x",
        "--session"
      ]]
    ) {
      const { code, stderr } = await daylight(["approvals", "resolve", "key", ...flags, ...place])
      expect({ flags, code }).toEqual({ flags, code: 2 })
      expect(stderr).toMatch(/exactly one|JSON|a list/)
    }
  })
})

import { assert, describe, it } from "vitest"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { main } from "../refunds.ts"
import { Collector } from "./Collector.ts"

const command = join(import.meta.dirname, "../../../packages/cli/src/main.ts")

/** The command in a process of its own: another terminal. */
const daylight = (...args: ReadonlyArray<string>): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--conditions=@daylight/source", command, ...args])
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk) => stdout += String(chunk))
    child.stderr.on("data", (chunk) => stderr += String(chunk))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

const withStore = async (test: (store: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "refunds-"))
  try {
    await test(join(folder, "sessions.db"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Waits until the example says that something waits. */
const waiting = async (output: Collector): Promise<string> => {
  for (;;) {
    const key = /approvals resolve (\S+)/.exec(output.text)?.[1]
    if (key !== undefined) return key
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe("refunds", { timeout: 60_000 }, () => {
  it("one goes through, one is denied and caught, one is allowed from another terminal, all in one cell", () =>
    withStore(async (store) => {
      const output = new Collector()
      const running = main({ env: {}, output, store })
      const key = await waiting(output)

      const listed = await daylight("approvals", "list", "--store", store)
      assert.strictEqual(listed.code, 0, listed.stderr)
      assert.include(listed.stdout, "refund('C-33', 180)")
      assert.include(listed.stdout, "for the role finance")
      assert.include(listed.stdout, key)

      const refused = await daylight("approvals", "resolve", key, "--allow", "--store", store)
      assert.strictEqual(refused.code, 2)
      assert.include(refused.stderr, "only the role finance may answer")

      const end = key.slice(-8)
      const told = await daylight(
        "approvals",
        "resolve",
        end,
        "--allow",
        "--role",
        "finance",
        "--by",
        "flo",
        "--store",
        store
      )
      assert.strictEqual(told.code, 0, told.stderr)
      assert.include(told.stdout, "Allowed refund('C-33', 180)")

      const { outcome, refunds, results } = await running
      assert.strictEqual(outcome.reason, "completed")
      assert.strictEqual(outcome.cells, 1)
      assert.deepEqual(refunds.map(({ order }) => order), ["A-17", "C-33"])
      assert.lengthOf(new Set(refunds.map(({ idempotencyKey }) => idempotencyKey)), 2)
      assert.deepEqual(results, [
        "refunded 20 for A-17",
        "B-4: not refunded, refund: denied by policy: more than 500 is never refunded here",
        "refunded 180 for C-33"
      ])
      assert.include(output.text, "flo decided: allow")
      const again = await daylight("approvals", "resolve", key, "--allow", "--role", "finance", "--store", store)
      assert.strictEqual(again.code, 2)
      assert.include(again.stderr, "nothing waits under this key")
    }))

  it("the one that waits can be denied, or given other arguments", () =>
    withStore(async (store) => {
      const first = new Collector()
      const denied = main({ env: {}, output: first, store })
      await daylight("approvals", "resolve", await waiting(first), "--deny", "ask the customer first", "--store", store)
      assert.include((await denied).results[2]!, "ask the customer first")

      const second = new Collector()
      const changed = main({ env: {}, output: second, store })
      const key = await waiting(second)
      const args = ["--args", '["C-33", 90]', "--role", "finance"]
      assert.strictEqual((await daylight("approvals", "resolve", key, ...args, "--store", store)).code, 0)
      assert.strictEqual((await changed).results[2], "refunded 90 for C-33")
    }))
})

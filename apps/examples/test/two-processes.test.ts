import { assert, describe, it } from "vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { main } from "../two-processes.ts"
import { Collector } from "./Collector.ts"

describe("two processes", { timeout: 90_000 }, () => {
  it("one runs an agent, the other lists it, reads along and interrupts it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "two-processes-"))
    const output = new Collector()
    try {
      const { events, exitCode, listed, outcomes, pid } = await main({
        env: {},
        output,
        store: join(folder, "sessions.db")
      })
      assert.notStrictEqual(pid, process.pid)
      assert.strictEqual(listed.agent, "surveyor")
      assert.deepEqual(listed.labels, { lake: "Attersee" })
      assert.include(listed.owner?.holder, String(pid))

      // The log is whole, from its first event to the end of the second run.
      assert.strictEqual(events[0], "SessionOpened")
      assert.deepEqual(outcomes, ["cancelled", "completed"])

      // The agent went on with what it had, and ended by itself.
      const places = Number(/gives: \{ places: (\d+), deepest: \d+ \}/.exec(output.text)?.[1])
      assert.isAtLeast(places, 3)
      assert.isAtLeast(events.filter((tag) => tag === "CallEnded").length, places)
      assert.strictEqual(exitCode, 0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

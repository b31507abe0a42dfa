import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { describe, expect, test } from "vitest"
import { isGone, makeOwner } from "../src/internal/Owner.ts"

const own = makeOwner().process

describe("a process that owns sessions", () => {
  test("lives while it runs, and is gone when it ended", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
    const mark = { ...own, pid: child.pid!, started: "" }
    expect(isGone(mark)).toBe(false)
    child.kill("SIGKILL")
    await once(child, "close")
    expect(isGone(mark)).toBe(true)
  })

  test("is this one", () => {
    expect(isGone(own)).toBe(false)
    expect(makeOwner().name).toContain(`process ${process.pid} on `)
  })

  test("is not taken for a later one of the same number", () => {
    // Where a system does not tell when a process started, its number has to do.
    expect(isGone({ ...own, started: "1" })).toBe(own.started !== "")
  })

  test("may live on another machine for all we know, whatever its number", () => {
    expect(isGone({ ...own, machine: "elsewhere", pid: 999_999_999 })).toBe(false)
  })
})

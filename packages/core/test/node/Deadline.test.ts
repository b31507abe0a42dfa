import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { Deadline } from "../../src/node/Deadline.ts"

describe("Deadline", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const start = (limit: number) => {
    const seen = { expired: 0 }
    return { seen, deadline: new Deadline(limit, () => seen.expired++) }
  }

  it("calls once, when the time is up", () => {
    const { seen } = start(100)
    vi.advanceTimersByTime(99)
    assert.strictEqual(seen.expired, 0)
    vi.advanceTimersByTime(1_000)
    assert.strictEqual(seen.expired, 1)
  })

  it("does not count pauses, which nest", () => {
    const { deadline, seen } = start(100)
    vi.advanceTimersByTime(60)
    deadline.pause(true)
    deadline.pause(true)
    vi.advanceTimersByTime(10_000)
    deadline.pause(false)
    vi.advanceTimersByTime(10_000)
    deadline.pause(false)
    vi.advanceTimersByTime(39)
    assert.strictEqual(seen.expired, 0)
    vi.advanceTimersByTime(2)
    assert.strictEqual(seen.expired, 1)
  })

  it("ends when cleared, whatever is paused", () => {
    const { deadline, seen } = start(100)
    deadline.pause(true)
    deadline.clear()
    deadline.pause(false)
    vi.advanceTimersByTime(10_000)
    assert.strictEqual(seen.expired, 0)
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("without a limit keeps the process alive and never calls", () => {
    const { deadline, seen } = start(Infinity)
    assert.strictEqual(vi.getTimerCount(), 1)
    vi.advanceTimersByTime(1e10)
    assert.strictEqual(seen.expired, 0)
    deadline.clear()
    assert.strictEqual(vi.getTimerCount(), 0)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { retryAfterMs } from "../../src/internal/RetryAfter.ts"

const now = Date.parse("2026-03-01T12:00:00Z")
const after = (value: string) => retryAfterMs({ "Retry-After": value }, "", now)

describe("Retry-After", () => {
  it("takes seconds, a date, and milliseconds before both", () => {
    assert.strictEqual(after("120"), 120_000)
    assert.strictEqual(after("0.5"), 500)
    assert.strictEqual(after("Sun, 01 Mar 2026 12:01:30 GMT"), 90_000)
    assert.strictEqual(after("Sun, 01 Mar 2026 11:00:00 GMT"), 0)
    assert.strictEqual(retryAfterMs(new Headers({ "retry-after": "9", "retry-after-ms": "250" }), "", now), 250)
  })

  it("reads what is only in the text", () => {
    assert.strictEqual(retryAfterMs(undefined, "Rate limit reached. Please try again in 1m3.2s.", now), 63_200)
    assert.strictEqual(retryAfterMs(undefined, "Please try again in 6ms.", now), 6)
    assert.strictEqual(retryAfterMs(undefined, '{"retryDelay": "37s"}', now), 37_000)
  })

  it("says nothing where nothing usable is said", () => {
    for (const value of ["", "soon", "-3", "NaN"]) assert.isUndefined(after(value))
    assert.isUndefined(retryAfterMs(undefined, "try again later", now))
  })
})

import { expect, test } from "vitest"
import { play } from "../support.ts"

test("what may be put out fits into the window beside what is sent", async () => {
  const { requests } = await play({
    model: { info: { contextWindow: 8_000, maxOutputTokens: 8_000 } },
    script: [{ code: "'x'.repeat(4_000)" }, { code: "'y'.repeat(4_000)" }, "ok"]
  })
  const outputs = requests.map((request) => request.maxOutputTokens)
  expect(outputs[0]).toBeLessThan(8_000)
  expect(outputs[1]).toBeLessThan(outputs[0]!)
  expect(outputs[2]).toBeLessThan(outputs[1]!)
  expect(outputs[2]).toBeGreaterThanOrEqual(1_024)
})

test("a window that is far costs nothing and limits nothing", async () => {
  const { requests } = await play({ script: ["ok"] })
  expect(requests[0]!.maxOutputTokens).toBe(8_192)
})

import { expect, test } from "vitest"
import { main } from "../kernel.ts"
import { Collector } from "./Collector.ts"

test("a run goes on after its process was killed in the middle of a cell", async () => {
  const output = new Collector()
  const { killed, outcome, processes, rows } = await main({ env: {}, output })
  expect(outcome.reason).toBe("completed")
  expect(killed!.rows).toBeGreaterThan(0)
  expect(killed!.rows).toBeLessThan(40)
  expect(processes).toBeGreaterThan(1)
  expect(rows).toBe(40)
  const sum = Array.from({ length: 40 }, (_, n) => n * n).reduce((a, b) => a + b)
  expect(outcome.text).toContain(`all squares come to ${sum}`)
}, 30_000)

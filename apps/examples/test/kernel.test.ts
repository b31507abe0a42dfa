import { expect, test } from "vitest"
import { main } from "../kernel.ts"
import { Collector } from "./Collector.ts"

test("a cell goes on from its middle after its process was killed, and writes no row twice", async () => {
  const output = new Collector()
  const { killed, outcome, processes, rows } = await main({ env: {}, output })
  expect(outcome.reason).toBe("completed")
  expect(outcome.cells).toBe(3)
  expect(killed!.rows).toBeGreaterThan(0)
  expect(killed!.rows).toBeLessThan(40)
  expect(processes).toBeGreaterThan(1)
  expect(rows).toBe(40)
  const sum = Array.from({ length: 40 }, (_, n) => n * n).reduce((a, b) => a + b)
  expect(outcome.text).toContain(`all squares come to ${sum}`)
  // What a person sees: who was killed, who went on, and that nothing is missing.
  expect(output.text).toMatch(
    /(\d+) rows: process (\d+) is killed[^]*\n(?!\1 rows)\d+ rows: process (?!\2 )\d+ goes on/
  )
  expect(output.text).toContain("40 rows: done, with 2 processes and 3 cells.")
}, 30_000)

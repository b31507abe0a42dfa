import { KernelRuntime } from "@daylight/runtime-kernel"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openDatabase } from "../pipeline/Database.ts"
import { main } from "../pipeline/main.ts"
import { Collector } from "./Collector.ts"
import { prepareTruth, trueRates, trueSeasons, trueSpecies } from "./truth.ts"

describe("the pipeline, on its script", () => {
  const folder = mkdtempSync(join(tmpdir(), "pipeline-"))
  const output = new Collector()
  const db = openDatabase()
  let result: Awaited<ReturnType<typeof main>>

  beforeAll(async () => {
    prepareTruth(db)
    result = await main({ env: {}, output, folder })
  }, 60_000)
  afterAll(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })

  it("says that it runs on a script", () => {
    assert.include(output.text, "come from a script")
  })

  it("answers with the rates that SQL gives", () => {
    const rates = trueRates(db)
    assert.strictEqual(result.answer.airports.compared, rates.length)
    assertRates(result.answer.hitMost, rates)
    assertRates(result.answer.harmedMost, rates.toSorted((a, b) => b.damagingPer10k - a.damagingPer10k))
  })

  it("answers with the seasons that SQL gives", () => {
    const seasons = trueSeasons(db)
    const { busiestMonth, harshestMonth } = result.answer
    const busiest = seasons.toSorted((a, b) => b.strikes - a.strikes)[0]!
    const harshest = seasons.toSorted((a, b) => b.damaging / b.strikes - a.damaging / a.strikes)[0]!
    assert.deepInclude(busiestMonth, busiest)
    assert.deepInclude(harshestMonth, harshest)
  })

  it("answers with the species that SQL gives", () => {
    const [costliest] = trueSpecies(db)
    assert.strictEqual(result.answer.costliestSpecies.name, costliest!.name)
    assert.strictEqual(result.answer.costliestSpecies.strikes, costliest!.strikes)
    assert.approximately(result.answer.costliestSpecies.shareOfCost, costliest!.shareOfCost, 1e-9)
  })

  it("accounts for every row", () => {
    const kept = db.prepare(
      "select count(*) as n, sum(airline) as airlines, count(distinct iata) as matched from strike"
    ).get()!
    assert.deepEqual(result.answer.rows, { raw: 10_000, kept: Number(kept["n"]), airlines: Number(kept["airlines"]) })
    assert.deepInclude(result.answer.airports, { named: 50, matched: Number(kept["matched"]), notComparable: ["ACY"] })

    const affected = (issue: string) => result.issues.find((entry) => entry.issue.includes(issue))?.rows
    const count = (where: string) =>
      db.prepare(`select count(*) as n from (select distinct * from birdstrikes) where ${where}`).get()!["n"]
    assert.strictEqual(affected("duplicates"), 10_000 - Number(kept["n"]))
    assert.strictEqual(affected("damage code"), count(`"Effect Amount of damage" in ('B', 'C')`))
    assert.strictEqual(
      affected("repair was billed"),
      count(`"Effect Amount of damage" = 'None' and cast("Cost Repair" as integer) > 0`)
    )
    assert.strictEqual(affected("cost of 0"), count(`"Cost Total $" = '0'`))
    assert.strictEqual(affected("not in the directory"), count(`"Airport Name" like 'BARKSDALE%'`))
  })

  it("does the same where its cells run in a process of their own", { timeout: 60_000 }, async () => {
    const { answer, files, issues } = await main({
      env: {},
      output: new Collector(),
      folder: join(folder, "kernel"),
      runtime: KernelRuntime.layer()
    })
    assert.deepStrictEqual(answer, result.answer)
    assert.deepStrictEqual(issues, result.issues)
    // The models were told the same, to the letter.
    assert.strictEqual(readFileSync(files.cassette, "utf8"), readFileSync(result.files.cassette, "utf8"))
  })

  it("gives the chart out as the very object of the runtime", () => {
    assert.strictEqual(result.chart, result.chartInRuntime)
    // The outlines of the states went in as an object of this program, and lie in the chart as that object.
    assert.isTrue(contains(result.chart, result.usStates))
  })

  it("draws every mark", () => {
    const svg = readFileSync(result.files.svg, "utf8")
    const drawn = (role: RegExp) => svg.match(role)?.length ?? 0
    const [map] = /aria-roledescription="shape mark container".*?<\/g>/s.exec(svg)!
    assert.isAtLeast(map.match(/<path/g)!.length, 50)
    assert.strictEqual(drawn(/aria-roledescription="circle"/g), result.answer.airports.compared + 2 * 6)
    assert.strictEqual(drawn(/aria-roledescription="bar"/g), 15 + 12)
    assert.include(svg, "Where airliners are hit")
    assert.notMatch(svg, /NaN|undefined/)
  })

  it("writes a page that needs no network", () => {
    const html = readFileSync(result.files.html, "utf8")
    assert.include(html, result.answer.headline)
    assert.include(html, "<svg")
    assert.notMatch(html, /<script|<link|src=/)
    for (const { issue } of result.issues) assert.include(html, issue)
  })

  it("shows the steps of all three agents, failures included", () => {
    for (const row of ["▶ cleaner", "▶ analyst", "✓ cleaner: completed", "✓ analyst: completed", "╭─ cell 8"]) {
      assert.include(output.text, row)
    }
    assert.include(output.text, "db.query is not a function")
    assert.include(output.text, "reading 'trim'")
    assert.include(output.text, "reading 'departures'")
  })

  it("runs a script without a figure of the answer in it", () => {
    for (const name of ["orchestrator", "cleaner", "analyst"]) {
      const script = readFileSync(new URL(`../pipeline/transcripts/${name}.md`, import.meta.url), "utf8")
      const { costliestSpecies, hitMost, rows } = result.answer
      for (
        const figure of [
          rows.kept,
          rows.airlines,
          hitMost[0]!.strikes,
          hitMost[0]!.per10k.toFixed(1),
          costliestSpecies.strikes,
          costliestSpecies.name,
          hitMost[0]!.name
        ]
      ) {
        assert.notInclude(script, String(figure), `${name}.md`)
      }
    }
  })
})

describe("a pipeline that is cancelled", () => {
  it("says so, shows how far it came, and writes no chart", async () => {
    const folder = join(tmpdir(), `cancelled-${process.pid}`)
    const output = new Collector()
    const cancel = new AbortController()
    output.onText = (text) => {
      if (text.includes("airport names agree")) cancel.abort()
    }
    const failure = await main({ env: {}, output, folder, signal: cancel.signal }).then(
      () => undefined,
      (error: Error) => error
    )
    assert.match(failure?.message ?? "", /did not finish \(cancelled\)/)
    assert.include(output.text, "■ cancelled")
    assert.isFalse(existsSync(folder))
  })
})

const assertRates = (
  found: ReadonlyArray<{ iata: string; strikes: number; per10k: number; damagingPer10k: number }>,
  rates: ReturnType<typeof trueRates>
) => {
  assert.deepEqual(
    found.map(({ iata, strikes }) => ({ iata, strikes })),
    rates.slice(0, found.length).map(({ iata, strikes }) => ({ iata, strikes }))
  )
  found.forEach((rate, index) => {
    assert.approximately(rate.per10k, rates[index]!.per10k, 1e-9)
    assert.approximately(rate.damagingPer10k, rates[index]!.damagingPer10k, 1e-9)
  })
}

const contains = (tree: unknown, wanted: object): boolean =>
  tree === wanted ||
  (typeof tree === "object" && tree !== null && Object.values(tree).some((branch) => contains(branch, wanted)))

/** The answer as lines for a terminal. */
import type { Answer } from "./Answer.ts"
import { integer, monthName, percent } from "./format.ts"
import type { QualityIssue } from "./QualityLog.ts"

export const summarise = (answer: Answer, issues: ReadonlyArray<QualityIssue>): string => {
  const { airports, busiestMonth, costliestSpecies, harshestMonth, rows } = answer
  const [hit] = answer.hitMost
  const [harmed] = answer.harmedMost
  return lines([
    "",
    answer.headline,
    "",
    `  ${hit!.name}: ${hit!.per10k.toFixed(1)} strikes per 10,000 departures, ${
      percent(hit!.damagingShare)
    } of them damaging`,
    `  ${harmed!.name}: ${harmed!.per10k.toFixed(1)} strikes per 10,000 departures, ${
      percent(harmed!.damagingShare)
    } of them damaging`,
    `  ${monthName(busiestMonth.month)} has the most strikes (${integer(busiestMonth.strikes)}), ${
      monthName(harshestMonth.month)
    } the most harmful (${percent(harshestMonth.damagingShare)} damaging)`,
    `  ${costliestSpecies.name}: ${percent(costliestSpecies.shareOfStrikes)} of the strikes, ${
      percent(costliestSpecies.shareOfCost)
    } of the reported cost`,
    "",
    `What was done to the data: ${integer(rows.raw)} rows in, ${
      integer(rows.kept)
    } kept; ${airports.exactMatches} of ${airports.named} airport names agreed at first, ${airports.matched} in the end`,
    ...issues.map(({ decision, issue, rows: affected, unit }) =>
      `  ${`${integer(affected)} ${unit}`.padStart(10)}  ${issue}: ${decision}`
    ),
    "",
    "What the numbers cannot tell",
    ...answer.caveats.map((caveat) => `  ${caveat}`)
  ])
}

const lines = (text: ReadonlyArray<string>): string => text.map((line) => `${line}\n`).join("")

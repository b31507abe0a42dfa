/** What the orchestrator has to answer. The engine checks it before a run counts as completed. */
import * as z from "zod"

const share = z.number().min(0).max(1)

const AirportFinding = z.object({
  iata: z.string(),
  name: z.string(),
  strikes: z.int().positive(),
  per10k: z.number().positive().describe("Strikes on airliners per 10,000 departures"),
  damagingPer10k: z.number().nonnegative(),
  damagingShare: share
})

const Month = z.object({ month: z.int().min(1).max(12), strikes: z.int(), damaging: z.int(), damagingShare: share })

export const Answer = z.object({
  headline: z.string().describe("One sentence, the finding itself"),
  hitMost: z.array(AirportFinding).min(3).describe("Highest per10k first"),
  harmedMost: z.array(AirportFinding).min(3).describe("Highest damagingPer10k first"),
  busiestMonth: Month.describe("Most strikes"),
  harshestMonth: Month.describe("Highest damagingShare"),
  costliestSpecies: z.object({
    name: z.string(),
    strikes: z.int(),
    shareOfStrikes: share,
    shareOfCost: share,
    damagingShare: share
  }),
  rows: z.object({ raw: z.int(), kept: z.int(), airlines: z.int().describe("Kept rows of passenger airlines") }),
  airports: z.object({
    named: z.int(),
    matched: z.int(),
    exactMatches: z.int().describe("Names that agreed before any cleaning"),
    compared: z.int().describe("Airports with a trustworthy rate"),
    notComparable: z.array(z.string()).describe("Codes left out because the flights table cannot be trusted there")
  }),
  caveats: z.array(z.string()).min(1).describe("What the numbers cannot tell")
})
export type Answer = z.infer<typeof Answer>

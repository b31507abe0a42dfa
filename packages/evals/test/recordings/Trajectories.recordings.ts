/** Trajectories of other tools: each imports and is valid ATIF; whatever is none is named with the reason. */
import { importTrajectories, printTrajectory, RecordingError, validateTrajectory } from "@daylight/evals/trajectory"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { describe, expect, it } from "vitest"
import { readManifest } from "./Exchanges.ts"

const folder = process.env["DAYLIGHT_RECORDINGS"]
const sources = /^(swe-agent|openhands|inspect|tau-bench|atif-nat|codeact)\//

/** What lies beside trajectories and is none. */
const others: ReadonlyArray<readonly [file: RegExp, reason: string]> = [
  [/^codeact\/.*\.(py|md)$/, "source code of a benchmark"],
  [/^atif-nat\/.*_atof\.jsonl$/, "events of another format (ATOF), kept beside the ATIF file of the same name"],
  [/^tau-bench\/.*\.rewards\.json$/, "rewards only, without conversations"],
  [/^inspect\/utility_/, "events for a test of a viewer, without messages"]
]

describe.skipIf(folder === undefined)("recordings (DAYLIGHT_RECORDINGS says where they lie)", () => {
  const files = folder === undefined ? [] : readManifest(folder).filter((file) => sources.test(file))

  it("of other tools become trajectories", () => {
    const problems: Array<string> = []
    const formats = new Map<string, number>()
    const reasons = new Map<string, number>()
    const lost = new Set<string>()
    for (const file of files) {
      const reason = others.find(([pattern]) => pattern.test(file))?.[1]
      try {
        const found = importTrajectories(readFileSync(join(folder!, file)), file)
        if (reason !== undefined) problems.push(`${file}: imports, although it is ${reason}`)
        for (const { format, lost: without, trajectory } of found) {
          formats.set(format, (formats.get(format) ?? 0) + 1)
          for (const what of without) lost.add(`${format}: ${what.replace(/ \(\d+ times\)/, "")}`)
          const text = printTrajectory(trajectory, file, { env: {} })
          problems.push(...validateTrajectory(JSON.parse(text)).map((problem) => `${file}: ${problem}`))
          if (!trajectory.steps.some(({ source }) => source === "agent")) problems.push(`${file}: no step of an agent`)
        }
      } catch (error) {
        if (!(error instanceof RecordingError) || reason === undefined) {
          problems.push(`${file}: ${(error as Error).message}`)
        } else reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      }
    }
    expect(problems).toEqual([])
    const total = [...formats.values()].reduce((sum, n) => sum + n, 0)
    console.log(
      `${total} recordings replayed as trajectories: ${[...formats].map(([format, n]) => `${n} ${format}`).join(", ")}`
    )
    console.log([...reasons].map(([reason, n]) => `  ${n} not imported: ${reason}`).join("\n"))
    console.log([...lost].sort().map((what) => `  dropped, and said so: ${what}`).join("\n"))
  })
})

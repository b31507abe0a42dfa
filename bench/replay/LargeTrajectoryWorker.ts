/** Works through two large trajectories in a process of its own, and says what that took. */
import { diffTrajectoryFiles, eventsOfFile, htmlOfFile, validateTrajectoryFile } from "@daylight/evals/trajectory"

const [left, right] = process.argv.slice(2)
const started = performance.now()
const problems = await validateTrajectoryFile(left!)
let shown = 0
for await (const live of eventsOfFile(left!)) shown += live._tag === "Recorded" ? 1 : 0
let page = 0
for await (const piece of htmlOfFile(left!)) page += piece.length
const { same, steps } = await diffTrajectoryFiles(left!, right!)
const changed = steps.filter(({ kind }) => kind === "changed").length
if (problems.length > 0 || same || changed !== 50 || shown < 10_000 || page < 50_000_000) {
  throw new Error(`wrong: ${changed} changed, ${shown} events`)
}
console.log(JSON.stringify({ kilobytes: process.resourceUsage().maxRSS, ms: performance.now() - started }))

/**
 * Row 10: a recorded run again; beside it what recording adds to a step, and how much memory a large trajectory takes.
 */
import * as LargeTrajectory from "./replay/LargeTrajectory.ts"
import * as RecordedRun from "./replay/RecordedRun.ts"
import * as RecordingCost from "./replay/RecordingCost.ts"
import { printTable } from "./support/Table.ts"

await printTable("Record and replay", async () => [
  ...await RecordedRun.measure(),
  ...await RecordingCost.measure(),
  ...await LargeTrajectory.measure()
])

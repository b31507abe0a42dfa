/** Trajectories: what agents did, as files that other tools read. */
export { textOf } from "./Contents.ts"
export { type CallExtra, daylightOf, type HostCallExtra, type RootExtra, type StepExtra } from "./Daylight.ts"
export { diffTrajectories, diffTrajectoryFiles, type StepDifference, type TrajectoryDiff } from "./Diff.ts"
export { type FromEventsOptions, type SessionLog, trajectoryOf } from "./FromEvents.ts"
export { type Imported, importTrajectories } from "./import/Import.ts"
export { withoutLargeTexts } from "./LargeTexts.ts"
export {
  atifVersion,
  type Content,
  type ContentPart,
  type Metrics,
  type ObservationResult,
  type Step,
  type ToolCall,
  Trajectory
} from "./Trajectory.ts"
export { eventsOfFile, htmlOfFile, isLargeTrajectory, stepsOf, validateTrajectoryFile } from "./OnDisk.ts"
export { parseTrajectory, printTrajectory, readTrajectory, writeTrajectory } from "./TrajectoryFile.ts"
export { codeOf, eventsOf, type ToEventsOptions } from "./ToEvents.ts"
export { validateTrajectory } from "./Validate.ts"
export { RecordingError } from "../RecordingError.ts"
export { toCodeActInstruct } from "./export/CodeActInstruct.ts"
export { htmlOf, toHtml } from "./export/Html.ts"
export { type OtelOptions, type OtelSpan, type OtlpTraces, toOtel } from "./export/Otel.ts"

/** Record a run, run it again without a network, look at what the agent did. */
export { Recorder, type RecorderOptions, type Recording } from "./Recorder.ts"
export { type BlobFile, blobsBeside } from "./recording/Blobs.ts"
export { type Pruned, type PruneOptions, pruneRecording } from "./recording/PruneRecording.ts"
export { type SavedRecording, saveRecording } from "./recording/SaveRecording.ts"
export { RecordingError } from "./RecordingError.ts"
export { ReplayModel } from "./cassette/ReplayModel.ts"
export { FakeModel, type FakeRule, type Matcher } from "./FakeModel.ts"
export { type Reply, type Script, ScriptedModel, type ScriptOptions } from "@daylight/core/testing"
export type { CallRule, CallRules } from "./replay/CallRules.ts"
export type { Divergence } from "./replay/Divergence.ts"
export {
  type Forked,
  type ForkOptions,
  Replay,
  type ReplayReport,
  type ReplayRunOptions,
  type UnseenModel
} from "./replay/Replay.ts"
export { type Fault, type FaultKind, FaultPlan, type FaultRule } from "./faults/FaultPlan.ts"
export { Faults } from "./faults/Faults.ts"
export { type OtlpOptions, Telemetry, type TelemetryOptions } from "./telemetry/Telemetry.ts"

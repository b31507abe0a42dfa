/** Recordings of models, servers and host calls, and what answers from them. */
export { type AiSdkMiddleware, aiSdkMiddleware } from "./AiSdkMiddleware.ts"
export {
  type Cassette,
  cassetteVersion,
  modelOf,
  type Piece,
  type RecordedAnswer,
  type RecordedCell,
  type RecordedExchange,
  type RecordedModel,
  type RecordedPart,
  type RecordedRun,
  type RecordedSession
} from "./Cassette.ts"
export { type CassetteStats, cassetteStats, type ModelStats } from "./CassetteStats.ts"
export { readCassette, writeCassette } from "./CassetteFile.ts"
export { parseCassette, printCassette } from "./CassetteText.ts"
export { type CassetteSession, type CassetteSessionOptions, openCassette } from "./CassetteSession.ts"
export { type HttpMiss, HttpReplay, type HttpReplayOptions } from "./HttpReplay.ts"
export { HttpTape, type HttpTapeOptions } from "./HttpTape.ts"
export { type Matching, strict, type Volatile } from "./Matching.ts"
export { Mode, modeOf, type ModeOptions } from "./Mode.ts"
export type { Miss } from "./MissReport.ts"
export { type ModelReplay, ReplayModel, type ReplayOptions } from "./ReplayModel.ts"
export { RecordingError } from "../RecordingError.ts"

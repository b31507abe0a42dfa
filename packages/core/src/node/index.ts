/**
 * What every Node runtime is made of: a notebook, and the parts of it. Imports neither a parser nor Effect, so that a
 * kernel's child process stays small.
 */
export { CellRun, CellStopped, currentRun, runAs, runOutside } from "./CellRun.ts"
export { describeVariable, sightOf, typeNameOf } from "./Describe.ts"
export { type CellResult, Execution, type ExecutionLimits, type NotebookCell, type Runnable } from "./Execution.ts"
export { fingerprintOf } from "./Fingerprint.ts"
export { fileOf, type Frame, parseFrames } from "./Frames.ts"
export { absent } from "./Globals.ts"
export { hintFor, hints, type Scene } from "./Hints.ts"
export { consoleText, previewOf, sampleOf } from "./Inspect.ts"
export { memoryBytes } from "./Memory.ts"
export type { PrintLimits } from "./Mirror.ts"
export type { Modules } from "./Modules.ts"
export { Notebook, type NotebookBinding, type NotebookOptions } from "./Notebook.ts"
export { type Failure, failureOf, issuedAt, problemOf } from "./Problem.ts"
export { presentAs, type Presentation, type Sight, withSource } from "./StandIns.ts"

type Declare = typeof import("./declarations/index.ts").declare

/** TypeScript declarations of bindings and variables. Loaded when first asked for, since it brings the parser. */
export const declarationsOf = async (...args: Parameters<Declare>): Promise<string> =>
  (await import("./declarations/index.ts")).declare(...args)

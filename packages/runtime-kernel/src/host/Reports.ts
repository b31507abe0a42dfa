/**
 * Reports of cells that could not make their own: their process is gone.
 */
import type { CellReport, NamespaceDiff } from "@daylight/core"
import { type EndLimits, problemOfEnding } from "./Endings.ts"
import type { Ending } from "./KernelProcess.ts"

/** `lost`: what the namespace will lack when it comes back. */
export const reportOfEnding = (
  ending: Ending,
  limits: EndLimits,
  lost: NamespaceDiff["lost"],
  startedAt: number
): CellReport => ({
  problem: problemOfEnding(ending, limits),
  preview: "",
  stdout: "",
  stderr: "",
  stored: [],
  namespace: { added: [], changed: [], removed: [], lost },
  durationMs: performance.now() - startedAt
})

/** An error of the cell ends only the cell: calls that are under way go on, as promises do. */
export const isStopped = ({ problem }: CellReport): boolean =>
  problem?.stage === "timeout" || problem?.stage === "interrupted"

/**
 * Reports of cells that could not make their own: their process is gone.
 */
import type { CellReport, NamespaceDiff } from "@daylight/core"
import { type EndLimits, problemOfEnding } from "./Endings.ts"
import type { Ending } from "./Transport.ts"

/**
 * `lost`: what the namespace will lack when it comes back. What was printed until then is told whole or from its end.
 */
export const reportOfEnding = (
  ending: Ending,
  limits: EndLimits,
  cell: { readonly startedAt: number; readonly printed: ReadonlyArray<string> },
  lost: NamespaceDiff["lost"]
): CellReport => ({
  problem: problemOfEnding(ending, limits),
  preview: "",
  stdout: lastOf(cell.printed.join(""), limits.inlineChars ?? Infinity),
  stderr: "",
  stored: [],
  namespace: { added: [], changed: [], removed: [], lost },
  durationMs: performance.now() - cell.startedAt
})

const lastOf = (text: string, chars: number): string =>
  text.length <= chars
    ? text
    : `[${text.length - chars} characters before this were lost with the process]\n${text.slice(-chars)}`

/** An error of the cell ends only the cell: calls that are under way go on, as promises do. */
export const isStopped = ({ problem }: CellReport): boolean =>
  problem?.stage === "timeout" || problem?.stage === "interrupted"

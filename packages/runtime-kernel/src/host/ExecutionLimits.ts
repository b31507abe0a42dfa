/**
 * The limits of a cell in the units that its process counts in.
 */
import type { CellLimits } from "@daylight/core"
import type { ExecutionLimits } from "@daylight/core/node"
import * as Duration from "effect/Duration"

const known = new WeakMap<CellLimits, ExecutionLimits>()

/** Every cell of a session has the same limits, so they are translated once. */
export const executionLimits = (limits: CellLimits): ExecutionLimits => {
  const before = known.get(limits)
  if (before !== undefined) return before
  const milliseconds = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration))
  const { inlineChars, outputBytes, previewChars } = limits
  const translated = {
    timeMs: milliseconds(limits.time),
    cpuMs: milliseconds(limits.cpu),
    outputBytes,
    inlineChars,
    previewChars
  }
  known.set(limits, translated)
  return translated
}

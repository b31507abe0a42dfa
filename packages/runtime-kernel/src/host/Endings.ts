/**
 * How the end of a process is told: as the problem of the cell that was running.
 */
import type { CellProblem } from "@daylight/core"
import type { Ending, Why } from "./Transport.ts"

/** The limits that a process may have been ended for. */
export interface EndLimits {
  readonly cpuMs: number
  readonly timeMs: number
  readonly residentBytes: number
  readonly heapBytes: number
  /** Output up to this many characters is shown whole. */
  readonly inlineChars?: number | undefined
}

/** What took too long, if that is why. */
export const expiryOf = (
  why: Why | undefined,
  { cpuMs, timeMs }: Pick<EndLimits, "cpuMs" | "timeMs">
): string | undefined => {
  switch (why) {
    case "cpu":
      return `the code ran for more than ${cpuMs} ms without yielding, inside one native call`
    case "time":
      return `still waiting after ${timeMs} ms`
    default:
      return undefined
  }
}

const restored = "the process of the cell was ended; variables are as they were before this cell"

export const problemOfEnding = (ending: Ending, limits: EndLimits): CellProblem => {
  const { code, said, signal, why } = ending
  const expired = expiryOf(why, limits)
  if (expired !== undefined) return problem("timeout", "TimeoutError", expired, restored)
  switch (why) {
    case "memory":
      return problem("limit", "MemoryLimit", `the process used more than ${megabytes(limits.residentBytes)}`, restored)
    case "interrupted":
      return problem("interrupted", "Interrupted", "the cell was interrupted", restored)
    case "diverged":
      return problem(
        "interrupted",
        "Diverged",
        "the cell ran again after a crash and did something else than before",
        restored
      )
    case "protocol":
      return problem("crash", "Crash", "the process of the cell sent something that is no message", restored)
    case "closed":
      return problem("crash", "Closed", "the runtime was closed")
  }
  if (/heap out of memory|invalid array length|Allocation failed/i.test(said)) {
    return problem(
      "limit",
      "MemoryLimit",
      `the cell needed more than ${megabytes(limits.heapBytes)} of memory`,
      restored
    )
  }
  return problem("crash", "Crash", `the process of the cell ended with ${signal ?? `code ${code}`}`, restored)
}

const problem = (stage: CellProblem["stage"], name: string, message: string, hint?: string): CellProblem => ({
  stage,
  name,
  message,
  frames: [],
  ...(hint !== undefined && { hint })
})

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

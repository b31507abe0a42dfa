/**
 * What a run, and each of its cells, may use.
 */
import * as Duration from "effect/Duration"

/**
 * The units of a limit are the units of the budget: one vocabulary. Absent means the value in `Defaults`; `Infinity`
 * means none.
 */
export interface Limits {
  readonly steps?: number | undefined
  readonly cells?: number | undefined
  /** Calls of what has a contract: what is done with other live objects does not count. */
  readonly hostCalls?: number | undefined
  readonly tokens?: number | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Active time: waiting for a person does not count. */
  readonly time?: Duration.Input | undefined
}
export type Unit = keyof Limits

/**
 * What holds for each cell; not budgets, since nothing is shared or used up. `time` pauses while a person is asked;
 * `cpu` is time without yielding.
 */
export interface CellLimits {
  readonly time: Duration.Input
  readonly cpu: Duration.Input
  /** Cap on what a cell may print, in bytes. */
  readonly outputBytes: number
  /** Output up to this many characters is shown whole. */
  readonly inlineChars: number
  /** What is shown of longer output, which is bound to a variable. */
  readonly previewChars: number
}

/** The limits of a cell as a runtime counts them: in milliseconds, `Infinity` for no limit. */
export interface CountedCellLimits extends Omit<CellLimits, "time" | "cpu"> {
  readonly timeMs: number
  readonly cpuMs: number
}

const counted = new WeakMap<CellLimits, CountedCellLimits>()

/** Every cell of a session has the same limits, so they are translated once. */
export const countCellLimits = (limits: CellLimits): CountedCellLimits => {
  const before = counted.get(limits)
  if (before !== undefined) return before
  const { cpu, inlineChars, outputBytes, previewChars, time } = limits
  const translated = { timeMs: milliseconds(time), cpuMs: milliseconds(cpu), outputBytes, inlineChars, previewChars }
  counted.set(limits, translated)
  return translated
}

const milliseconds = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration))

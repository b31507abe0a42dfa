/**
 * What a run, and each of its cells, may use.
 */
import type * as Duration from "effect/Duration"

/**
 * The units of a limit are the units of the budget: one vocabulary. Absent means the value in `Defaults`; `Infinity`
 * means none.
 */
export interface Limits {
  readonly steps?: number | undefined
  readonly cells?: number | undefined
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

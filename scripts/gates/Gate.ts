/** What a gate is: one question about the repository that `npm test` asks, answered by yes or by what is wrong. */

export interface GateResult {
  /** What was looked at, in a few words, for the summary. */
  readonly detail: string
  /** What is wrong, each with its remedy; none if the gate is passed. */
  readonly problems: ReadonlyArray<string>
  /** How many tests the gate stands for; itself, if left out. */
  readonly counts?: Counts | undefined
}

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface Gate {
  readonly name: string
  /** `progress` shows what is being looked at while the gate runs. */
  readonly run: (progress: (what: string) => void) => Promise<GateResult>
}

export const none: Counts = { passed: 0, failed: 0, skipped: 0 }

export const countsOf = (result: GateResult): Counts =>
  result.counts ?? (result.problems.length === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 })

export const add = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped
})

/** `12 passed, 0 failed`, and the skipped ones if there are any: the last line of every test command. */
export const total = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`

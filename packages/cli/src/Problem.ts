/** What a person did that cannot work: the thing, what is wrong with it, what to do. No stack trace is shown for it. */
export class Problem extends Error {
  override readonly name = "Problem"
  readonly exitCode: number

  constructor(subject: string, problem: string, remedy: string, exitCode: number) {
    super(`${subject}: ${problem}.\n${remedy}`)
    this.exitCode = exitCode
  }
}

/** The message of anything thrown; the stack too where it is a defect of ours or of the agent's own code. */
export const describe = (error: unknown, withStack: boolean): string => {
  if (!(error instanceof Error)) return String(error)
  if (withStack && error.stack) return error.stack
  return error.message === "" ? error.name : error.message
}

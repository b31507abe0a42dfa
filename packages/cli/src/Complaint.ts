/** What went wrong with a command: told to a person on standard error, and to the shell by a code. */
import * as ExitCode from "./ExitCode.ts"
import * as Log from "./Log.ts"
import { describe, Problem } from "./Problem.ts"
import { makePaint, wantsColor } from "./renderer/Paint.ts"
import { safeLines } from "./renderer/Safe.ts"

/** The stack comes along with `DAYLIGHT_LOG=debug`, except for what is the person's own doing. */
export const complain = (error: unknown): void => {
  const paint = makePaint(wantsColor(process.stderr.isTTY === true, process.env))
  const withStack = !(error instanceof Problem) && Log.level() === "debug"
  const [first = "", ...others] = safeLines(describe(error, withStack))
  process.stderr.write(`${[`${paint("error", ["bad"])} ${first}`, ...others].join("\n")}\n`)
}

export const exitCodeOf = (error: unknown): number => {
  if (error instanceof Problem) return error.exitCode
  return error instanceof Error && theirs.has(error.name) ? ExitCode.usage : ExitCode.failure
}

/** What was given does not fit: wrong options, or a file that is no recording. */
const theirs: ReadonlySet<string> = new Set(["InvalidInput", "RecordingError"])

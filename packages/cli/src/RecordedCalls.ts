/** Which calls the recording answers in a replay, as a user names them. */
import type { CallRules } from "@daylight/evals"

/** Without a path the application answers all of them. */
export const recordedCalls = (paths: ReadonlyArray<string>): CallRules | undefined =>
  paths.length === 0 ? undefined : Object.fromEntries(paths.map((path) => [path, "recorded"]))

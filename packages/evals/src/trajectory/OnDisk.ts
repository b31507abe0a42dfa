/**
 * Trajectories that are too large to be in memory as a whole: their steps stay in the file, and come one by one.
 */
import { stat } from "node:fs/promises"
import { htmlEnd, htmlOfStep, htmlStart } from "./export/Html.ts"
import { readSteps } from "./LargeDocument.ts"
import { Teller, type ToEventsOptions } from "./ToEvents.ts"
import type { Step, Trajectory } from "./Trajectory.ts"
import { checkVersion, invalid, large, reading } from "./TrajectoryFile.ts"
import { rootProblems, rootShape, stepProblems, stepShape } from "./Validate.ts"
import type { Live } from "@daylight/core"

/** A trajectory of such a size that one reads it step by step. Not one of another format, whatever its size. */
export const isLargeTrajectory = async (file: string): Promise<boolean> => {
  const size = await stat(file).then((found) => found.size, () => 0) // not there: told by whoever reads it
  if (size < large) return false
  const { rest } = await around(file).catch(() => ({ rest: undefined })) // no document: told by whoever reads it
  const version = (rest as { readonly schema_version?: unknown } | undefined)?.schema_version
  return typeof version === "string" && version.startsWith("ATIF-")
}

/** Each step of a file. Throws `RecordingError`, also at the end: for what is around the steps. */
export async function* stepsOf(file: string): AsyncGenerator<Step, void, undefined> {
  const steps = readSteps(file)
  for (let index = 0;; index++) {
    const { done, value } = await reading(file, steps.next())
    const problems = done === true ? [] : stepShape(value, index)
    if (problems.length > 0) throw invalid(problems, file)
    if (done === true) return checkVersion(value, file)
    yield value as Step
  }
}

/** As `eventsOf`. Throws `RecordingError`. */
export async function* eventsOfFile(
  file: string,
  options: ToEventsOptions = {}
): AsyncGenerator<Live, void, undefined> {
  let events: Array<Live> = []
  const { root } = await rootOf(file)
  const teller = new Teller(root, [], [], (live) => void events.push(live), options.to)
  for await (const step of stepsOf(file)) {
    teller.take(step)
    yield* events
    events = []
  }
  teller.end()
  yield* events
}

/** As `htmlOf`. Throws `RecordingError`. */
export async function* htmlOfFile(file: string): AsyncGenerator<string, void, undefined> {
  const { count, root } = await rootOf(file)
  yield* htmlStart(root, count)
  for await (const step of stepsOf(file)) yield* htmlOfStep(step, root)
  yield* htmlEnd(root)
}

/** All that is wrong with a trajectory, as `validateTrajectory` tells it. Rejects with `RecordingError` for no JSON. */
export const validateTrajectoryFile = async (file: string): Promise<ReadonlyArray<string>> => {
  const { count, rest } = await reading(file, around(file))
  const shape = [...rootShape(rest), ...await problemsOf(file, stepShape)]
  if (shape.length > 0) return shape
  const root = rest as Trajectory
  return [
    ...await problemsOf(file, (step, index) => stepProblems(step as Step, index, root)),
    ...rootProblems(root, count)
  ]
}

/** What is around the steps, and how many there are. */
const around = async (file: string): Promise<{ readonly rest: unknown; readonly count: number }> => {
  const steps = readSteps(file)
  for (let count = 0;; count++) {
    const { done, value } = await steps.next()
    if (done === true) return { rest: value, count }
  }
}

const rootOf = async (file: string): Promise<{ readonly root: Trajectory; readonly count: number }> => {
  const { count, rest } = await reading(file, around(file))
  checkVersion(rest, file)
  const problems = [...rootShape(rest), ...rootProblems(rest as Trajectory, count)]
  if (problems.length > 0) throw invalid(problems, file)
  return { root: rest as Trajectory, count }
}

const problemsOf = async (
  file: string,
  check: (step: unknown, index: number) => ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  let index = 0
  for await (const step of readSteps(file)) problems.push(...check(step, index++))
  return problems
}

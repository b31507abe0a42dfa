/**
 * Whether a document is valid ATIF: its shape, and the rules that a shape cannot say.
 */
import * as Schema from "effect/Schema"
import { atifVersion, Step, Trajectory } from "./Trajectory.ts"

/** All problems, each with the place it is at. None: the document is valid. Never throws. */
export const validateTrajectory = (document: unknown): ReadonlyArray<string> => {
  const shape = shapeProblems(document)
  return shape.length > 0 ? shape : ruleProblems(document as Trajectory, "$")
}

const options = { errors: "all", onExcessProperty: "error" } as const
const decodeRoot = Schema.decodeUnknownSync(Trajectory, options)
const decodeStep = Schema.decodeUnknownSync(Step, options)

/** Step by step: a large document is not copied as a whole. */
const shapeProblems = (document: unknown): ReadonlyArray<string> => {
  const { steps } = (document ?? {}) as { readonly steps?: unknown }
  if (!Array.isArray(steps)) return rootShape(document)
  return [...rootShape({ ...document as object, steps: [] }), ...steps.flatMap(stepShape)]
}

/** What is wrong with the shape of all but the steps. */
export const rootShape = (document: unknown): ReadonlyArray<string> => problemsOf(() => decodeRoot(document))

/** What is wrong with the shape of a step. */
export const stepShape = (step: unknown, index: number): ReadonlyArray<string> =>
  problemsOf(() => decodeStep(step)).map((problem) => `$.steps[${index}]: ${problem}`)

const problemsOf = (decode: () => unknown): ReadonlyArray<string> => {
  try {
    decode()
    return []
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return message.split(/\n(?! )/).map((problem) => problem.replaceAll(/\s*\n\s*/g, " "))
  }
}

const ruleProblems = (trajectory: Trajectory, at: string): ReadonlyArray<string> => [
  ...trajectory.steps.flatMap((step, index) => stepProblems(step, index, trajectory, at)),
  ...rootProblems(trajectory, trajectory.steps.length, at)
]

/** Rules of a document of so many steps, but for the steps themselves. */
export const rootProblems = (trajectory: Trajectory, steps: number, at = "$"): ReadonlyArray<string> => {
  const { schema_version: version, subagent_trajectories: children = [] } = trajectory
  const problems: Array<string> = []
  const ids = children.map((child) => child.trajectory_id)
  ids.forEach((id, index) => {
    const place = `${at}.subagent_trajectories[${index}]`
    if (version === atifVersion && id === undefined) {
      problems.push(`${place} has no trajectory_id, so nothing can refer to it`)
    }
    if (id !== undefined && ids.indexOf(id) !== index) {
      problems.push(`${place}: the trajectory_id ${JSON.stringify(id)} is there twice`)
    }
  })
  if (steps === 0) problems.push(`${at}.steps is empty`)
  return [
    ...problems,
    ...children.flatMap((child, index) => ruleProblems(child, `${at}.subagent_trajectories[${index}]`))
  ]
}

const agentOnly = [
  "model_name",
  "reasoning_effort",
  "reasoning_content",
  "tool_calls",
  "metrics",
  "llm_call_count"
] as const

/** Rules of a step, in its place. */
export const stepProblems = (
  step: Step,
  index: number,
  { schema_version, subagent_trajectories }: Trajectory,
  above = "$"
): ReadonlyArray<string> => {
  const at = `${above}.steps[${index}]`
  const problems: Array<string> = []
  if (step.step_id !== index + 1) {
    problems.push(`${at}.step_id is ${step.step_id}, and steps count 1, 2, 3: expected ${index + 1}`)
  }
  if (step.timestamp !== undefined && !isIsoTime(step.timestamp)) {
    problems.push(`${at}.timestamp ${JSON.stringify(step.timestamp)} is no ISO 8601 time`)
  }
  if (step.source !== "agent") {
    for (const key of agentOnly) {
      if (step[key] !== undefined && !(key === "llm_call_count" && step[key] === 0)) {
        problems.push(`${at}.${key}: only steps of an agent have one`)
      }
    }
  }
  if (step.llm_call_count === 0 && step.source === "agent") {
    if (step.metrics !== undefined) problems.push(`${at}.metrics: no model was asked (llm_call_count is 0)`)
    if (step.reasoning_content !== undefined) {
      problems.push(`${at}.reasoning_content: no model was asked (llm_call_count is 0)`)
    }
  }
  if (step.llm_call_count !== undefined && step.llm_call_count < 0) problems.push(`${at}.llm_call_count is negative`)
  const calls = (step.tool_calls ?? []).map((call) => call.tool_call_id)
  const known = new Set(calls)
  calls.forEach((id, call) => {
    if (calls.indexOf(id) !== call) {
      problems.push(`${at}.tool_calls[${call}]: the id ${JSON.stringify(id)} is there twice`)
    }
  })
  step.observation?.results.forEach((result, number) => {
    const place = `${at}.observation.results[${number}]`
    const source = result.source_call_id
    if (source !== undefined && !known.has(source)) {
      problems.push(`${place}.source_call_id ${JSON.stringify(source)} is no tool call of this step`)
    }
    for (const ref of result.subagent_trajectory_ref ?? []) {
      if (schema_version !== atifVersion) continue
      if (ref.trajectory_id === undefined && ref.trajectory_path === undefined) {
        problems.push(`${place}: a reference to a trajectory needs trajectory_id or trajectory_path`)
      } else if (
        ref.trajectory_path === undefined &&
        !(subagent_trajectories ?? []).some((child) => child.trajectory_id === ref.trajectory_id)
      ) {
        problems.push(`${place}: there is no trajectory ${JSON.stringify(ref.trajectory_id)} in this document`)
      }
    }
  })
  return problems
}

const isIsoTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text) &&
  !Number.isNaN(Date.parse(text))

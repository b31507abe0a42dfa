/**
 * Where two trajectories differ, step by step. Times, durations and ids do not count.
 */
import type * as Schema from "effect/Schema"
import { canonical, sha256 } from "../internal/Canonical.ts"
import { type Difference, jsonDiff } from "../internal/JsonDiff.ts"
import { alignment } from "../internal/Myers.ts"
import { textOf } from "./Contents.ts"
import { type CallExtra, daylightOf, type StepExtra } from "./Daylight.ts"
import type { Step, Trajectory } from "./Trajectory.ts"

/** One pair of steps that belong together, or a step that is on one side only. */
export interface StepDifference {
  readonly kind: "same" | "changed" | "removed" | "added"
  readonly left: Step | undefined
  readonly right: Step | undefined
  /** Of a pair: by path within the step. */
  readonly differences: ReadonlyArray<Difference>
}

export interface TrajectoryDiff {
  readonly same: boolean
  readonly steps: ReadonlyArray<StepDifference>
  /** The first place where they part, if they do. */
  readonly first: StepDifference | undefined
}

/** The shortest way from one to the other; steps that merely changed are shown as pairs. */
export const diffTrajectories = (left: Trajectory, right: Trajectory): TrajectoryDiff => {
  const a = left.steps.map(essence)
  const b = right.steps.map(essence)
  const digest = (step: Essence) => sha256(canonical(step))
  const steps: Array<StepDifference> = []
  let removed: Array<number> = []
  let added: Array<number> = []
  const flush = () => {
    pairUp(removed, added, a, b).forEach(([x, y]) => {
      steps.push({
        kind: x === undefined ? "added" : y === undefined ? "removed" : "changed",
        left: x === undefined ? undefined : left.steps[x],
        right: y === undefined ? undefined : right.steps[y],
        differences: x === undefined || y === undefined ? [] : jsonDiff(a[x], b[y])
      })
    })
    removed = []
    added = []
  }
  for (const [x, y] of alignment(a.map(digest), b.map(digest))) {
    if (x !== undefined && y !== undefined) {
      flush()
      steps.push({ kind: "same", left: left.steps[x], right: right.steps[y], differences: [] })
    } else if (x !== undefined) removed.push(x)
    else if (y !== undefined) added.push(y)
  }
  flush()
  const first = steps.find(({ kind }) => kind !== "same")
  return { same: first === undefined, steps, first }
}

/** In order; steps of the same source become pairs, the rest stays alone. */
const pairUp = (
  removed: ReadonlyArray<number>,
  added: ReadonlyArray<number>,
  a: ReadonlyArray<Essence>,
  b: ReadonlyArray<Essence>
): ReadonlyArray<readonly [number | undefined, number | undefined]> => {
  const pairs: Array<readonly [number | undefined, number | undefined]> = []
  let next = 0
  for (const x of removed) {
    const y = added.findIndex((index, at) => at >= next && b[index]!.source === a[x]!.source)
    if (y < 0) {
      pairs.push([x, undefined])
      continue
    }
    for (; next < y; next++) pairs.push([undefined, added[next]])
    pairs.push([x, added[y]])
    next = y + 1
  }
  for (; next < added.length; next++) pairs.push([undefined, added[next]])
  return pairs
}

interface Essence {
  readonly source: string
  readonly message: string
  readonly [field: string]: Schema.Json | undefined
}

/** What counts of a step. Calls are told apart by their place. */
const essence = (step: Step): Essence => {
  const extra = daylightOf<StepExtra>(step)
  const ids = new Map((step.tool_calls ?? []).map((call, index) => [call.tool_call_id, `#${index + 1}`]))
  return {
    source: step.source,
    message: textOf(step.message),
    model: step.model_name,
    reasoning: step.reasoning_content,
    finish: extra.finishReason,
    error: extra.error,
    calls: step.tool_calls?.map((call) => {
      const own = daylightOf<CallExtra>(call)
      return {
        name: call.function_name,
        arguments: call.arguments,
        status: own.status ?? null,
        host: (own.calls ?? []).map(({ args, error, path, status, value }) => ({
          path,
          args,
          status,
          value: value ?? null,
          error: error ?? null
        }))
      }
    }),
    results: step.observation?.results.map((result) => ({
      of: ids.get(result.source_call_id ?? "") ?? null,
      content: textOf(result.content)
    })),
    tokens: step.metrics === undefined
      ? undefined
      : [step.metrics.prompt_tokens ?? 0, step.metrics.completion_tokens ?? 0]
  }
}

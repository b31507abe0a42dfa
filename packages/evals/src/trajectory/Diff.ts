/**
 * Where two trajectories differ, step by step. Times, durations and ids do not count.
 */
import type * as Schema from "effect/Schema"
import { canonical, sha256 } from "../internal/Canonical.ts"
import { type Difference, jsonDiff } from "../internal/JsonDiff.ts"
import { alignment } from "../internal/Myers.ts"
import { textOf } from "./Contents.ts"
import { type CallExtra, daylightOf, type StepExtra } from "./Daylight.ts"
import { stepsOf } from "./OnDisk.ts"
import type { Step, Trajectory } from "./Trajectory.ts"

/** One pair of steps that belong together, or a step that is on one side only. */
export interface StepDifference {
  readonly kind: "same" | "changed" | "removed" | "added"
  /** Numbers of the steps, from 1. */
  readonly at: { readonly left: number | undefined; readonly right: number | undefined }
  /** The steps themselves. Of two files, steps that are the same are not kept. */
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
  const places = alignSteps(left.steps.map(markOf), right.steps.map(markOf))
  return diffOf(places, (index) => left.steps[index], (index) => right.steps[index])
}

/** Of two files, step by step: neither is ever in memory as a whole. Rejects with `RecordingError`. */
export const diffTrajectoryFiles = async (left: string, right: string): Promise<TrajectoryDiff> => {
  const places = alignSteps(await marksOf(left), await marksOf(right))
  const parting = places.filter(({ kind }) => kind !== "same")
  const [a, b] = [await stepsAt(left, parting.map(({ x }) => x)), await stepsAt(right, parting.map(({ y }) => y))]
  return diffOf(places, (index) => a.get(index), (index) => b.get(index))
}

/** What alignment needs to know of a step. */
interface Mark {
  readonly digest: string
  readonly source: string
}

const markOf = (step: Step): Mark => ({ digest: sha256(canonical(essence(step))), source: step.source })

const marksOf = async (file: string): Promise<ReadonlyArray<Mark>> => {
  const marks: Array<Mark> = []
  for await (const step of stepsOf(file)) marks.push(markOf(step))
  return marks
}

const stepsAt = async (
  file: string,
  indices: ReadonlyArray<number | undefined>
): Promise<ReadonlyMap<number, Step>> => {
  const wanted = new Set(indices)
  const found = new Map<number, Step>()
  let index = 0
  for await (const step of stepsOf(file)) {
    if (wanted.has(index)) found.set(index, step)
    index++
  }
  return found
}

interface Place {
  readonly kind: StepDifference["kind"]
  readonly x: number | undefined
  readonly y: number | undefined
}

const alignSteps = (a: ReadonlyArray<Mark>, b: ReadonlyArray<Mark>): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  let removed: Array<number> = []
  let added: Array<number> = []
  const flush = () => {
    for (const [x, y] of pairUp(removed, added, a, b)) {
      places.push({ kind: x === undefined ? "added" : y === undefined ? "removed" : "changed", x, y })
    }
    removed = []
    added = []
  }
  for (const [x, y] of alignment(a.map(({ digest }) => digest), b.map(({ digest }) => digest))) {
    if (x !== undefined && y !== undefined) {
      flush()
      places.push({ kind: "same", x, y })
    } else if (x !== undefined) removed.push(x)
    else if (y !== undefined) added.push(y)
  }
  flush()
  return places
}

type StepAt = (index: number) => Step | undefined

const diffOf = (places: ReadonlyArray<Place>, leftAt: StepAt, rightAt: StepAt): TrajectoryDiff => {
  const steps = places.map(({ kind, x, y }): StepDifference => {
    const left = x === undefined ? undefined : leftAt(x)
    const right = y === undefined ? undefined : rightAt(y)
    return {
      kind,
      at: { left: x === undefined ? undefined : x + 1, right: y === undefined ? undefined : y + 1 },
      left,
      right,
      differences: kind === "changed" && left !== undefined && right !== undefined
        ? jsonDiff(essence(left), essence(right))
        : []
    }
  })
  const first = steps.find(({ kind }) => kind !== "same")
  return { same: first === undefined, steps, first }
}

/** In order; steps of the same source become pairs, the rest stays alone. */
const pairUp = (
  removed: ReadonlyArray<number>,
  added: ReadonlyArray<number>,
  a: ReadonlyArray<Mark>,
  b: ReadonlyArray<Mark>
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

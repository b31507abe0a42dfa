/**
 * A runtime whose host calls are answered from a recording: cells run for real, the application takes no part. Only a
 * sealed runtime will do, since what reaches the world by another way than the boundary would still happen.
 */
import {
  type Boundary,
  eventVersion,
  type HostCall,
  HostCallError,
  type Runtime,
  RuntimeError,
  RuntimeFactory,
  SessionId,
  type Value
} from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RecordedCall, RecordedCell } from "../cassette/Cassette.ts"
import { canonical } from "../internal/Canonical.ts"
import { type Difference, jsonDiff } from "../internal/JsonDiff.ts"

/** A call of a cell that the recording does not have in its place. */
export interface CallDivergence {
  readonly cell: number
  readonly ordinal: number
  readonly path: string
  readonly difference: Difference
}

export interface SealedOptions {
  readonly calls: ReadonlyArray<RecordedCall>
  /** Cells that follow their recorded course: clocks, timers, order. */
  readonly cells?: ReadonlyArray<RecordedCell> | undefined
  readonly onDivergence: (divergence: CallDivergence) => void
}

/** Fails with `RuntimeError` (`StartFailed`) on a runtime that is not sealed, and says why. */
export const sealedRuntime = <E>(
  runtime: Layer.Layer<RuntimeFactory, E>,
  options: SealedOptions
): Layer.Layer<RuntimeFactory, E> =>
  Layer.effect(
    RuntimeFactory,
    Effect.map(RuntimeFactory, ({ open }) =>
      RuntimeFactory.of({
        open: (request) =>
          Effect.map(
            Effect.filterOrFail(
              open({ ...request, boundary: recordedBoundary(request.boundary, options) }),
              (opened) => opened.capabilities.sealed,
              notSealed
            ),
            (opened) => following(opened, options)
          )
      }))
  ).pipe(Layer.provide(runtime))

/** A cell with a recorded course goes that way; the runtime itself sees to it. */
const following = (runtime: Runtime, { cells = [], onDivergence }: SealedOptions): Runtime => {
  const { execute, replay } = runtime
  if (replay === undefined || cells.length === 0) return runtime
  const courses = new Map(cells.map((course) => [course.cell, course]))
  const follow: Runtime["execute"] = (cell) => {
    const course = courses.get(cell.id)
    if (course === undefined) return execute.call(runtime, cell)
    const events = course.events.map((event, index) => ({
      session: SessionId.make("recorded"),
      seq: index + 1,
      time: 0,
      v: eventVersion,
      event
    }))
    const verdict = replay.call(runtime, events)
    return Effect.all([execute.call(runtime, { ...cell, seed: course.seed }), verdict], { concurrency: 2 }).pipe(
      Effect.map(([ran, went]) => {
        if (went !== "live") onDivergence(courseLeft(cell.id))
        return ran
      })
    )
  }
  return new Proxy(runtime, { get: (target, key) => key === "execute" ? follow : Reflect.get(target, key, target) })
}

const courseLeft = (cell: number): CallDivergence => ({
  cell,
  ordinal: 0,
  path: "its course",
  difference: { path: "$", expected: "the recorded course of calls and timers", came: "another" }
})

const notSealed = () =>
  new RuntimeError({
    reason: {
      _tag: "StartFailed",
      detail:
        'a sealed replay needs a runtime in which nothing reaches the world but through the boundary, and this one shares the application\'s process. Use the kernel runtime, or replay at depth "model"'
    }
  })

const recordedBoundary = (boundary: Boundary, { calls, onDivergence }: SealedOptions): Boundary => {
  const recorded = new Map(calls.map((call) => [`${call.cell}:${call.ordinal}`, call]))
  return {
    invoke: (call, _perform, paused) => {
      const known = recorded.get(`${call.cell}:${call.ordinal}`)
      const difference = differenceOf(known, call)
      if (known === undefined || difference !== undefined) {
        onDivergence({ cell: call.cell, ordinal: call.ordinal, path: call.path, difference: difference! })
        return Effect.fail(new HostCallError({ path: call.path, reason: { _tag: "Diverged", ordinal: call.ordinal } }))
      }
      if (known.refusal !== undefined) return Effect.fail(new HostCallError({ path: call.path, reason: known.refusal }))
      // Validation, limits and the ledger are the engine's as ever; only the call itself is not made.
      return boundary.invoke(call, () => resultOf(known), paused)
    }
  }
}

const differenceOf = (known: RecordedCall | undefined, call: HostCall): Difference | undefined => {
  const came = { path: call.path, operation: call.operation, args: call.args.map(comparable) }
  if (known === undefined) return { path: "$", expected: undefined, came }
  const expected = {
    path: known.path,
    operation: known.operation,
    args: known.args.map((arg, index) => arg._tag === "Json" ? arg.value : comparable(call.args[index]))
  }
  return jsonDiff(expected, came, 1)[0]
}

/** What can be compared of an argument: plain data. */
const comparable = (value: unknown): unknown => {
  try {
    return JSON.parse(canonical(value)) as unknown
  } catch {
    return "(no plain data)" // compared by its place only
  }
}

const resultOf = (call: RecordedCall): unknown => {
  if (call.status === "completed") return call.value === undefined ? undefined : valueOf(call.value, call.path)
  if (call.status === "unknown") {
    throw new HostCallError({
      path: call.path,
      reason: { _tag: "UnknownOutcome", key: `${call.cell}:${call.ordinal}` }
    })
  }
  const { code, message = "failed", name = "Error" } = call.error ?? {}
  throw Object.assign(new Error(message), { name, ...(code !== undefined && { code }) })
}

const numbers: Readonly<Record<string, unknown>> = {
  "-1": undefined,
  "-3": NaN,
  "-4": Infinity,
  "-5": -Infinity,
  "-6": -0
}

/** The value itself, where it was plain; a live object is not in a recording. */
const valueOf = (value: Value, path: string): unknown => {
  if (value._tag === "Json") return structuredClone(value.value)
  if (value._tag === "Devalue") {
    if (value.text in numbers) return numbers[value.text]
    const [[kind, text] = ["", ""]] = JSON.parse(value.text) as [[string, string]]
    if (kind === "BigInt") return BigInt(text)
    if (kind === "Date") return new Date(text === "" ? NaN : text)
  }
  const type = value._tag === "Ref" ? value.type : value._tag
  throw new HostCallError({ path, reason: { _tag: "ReferenceLost", type } })
}

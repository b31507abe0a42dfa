/**
 * A runtime whose cells follow a recording: they run for real, and all that comes to them is recorded, so that the
 * application takes no part. Only a sealed runtime will do, since what reaches the world by another way than the
 * boundary would still happen.
 */
import {
  type Boundary,
  type CellReport,
  type Diverged,
  eventVersion,
  HostCallError,
  type Recorded,
  type Runtime,
  RuntimeError,
  RuntimeFactory,
  SessionId
} from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { RecordedCell } from "../cassette/Cassette.ts"
import { type Difference, jsonDiff } from "../internal/JsonDiff.ts"
import type { LiveObjects } from "./LiveObjects.ts"

/** Where a cell left its recording. */
export interface CellDivergence {
  readonly cell: number
  /** Which call or timer, or what else of it: "call 2 (exchange)". */
  readonly what: string
  readonly difference: Difference
}

export interface SealedOptions {
  /** Of one session. */
  readonly cells: ReadonlyArray<RecordedCell>
  readonly live: LiveObjects
  /** What the model was told of the variables when the run that is active began. */
  readonly told: () => string
  readonly onDivergence: (divergence: CellDivergence) => void
  /** A cell has come to where it was stopped when it was recorded. */
  readonly onStopped?: (() => void) | undefined
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
              open({ ...request, boundary: closedBoundary(request.boundary, options) }),
              (opened) => opened.capabilities.sealed,
              notSealed
            ),
            (opened) => following(opened, options)
          )
      }))
  ).pipe(Layer.provide(runtime))

const notSealed = () =>
  new RuntimeError({
    reason: {
      _tag: "StartFailed",
      detail:
        'a sealed replay needs a runtime in which nothing reaches the world but through the boundary, and this one shares the application\'s process. Use the kernel runtime, or replay at depth "model"'
    }
  })

/** Cells are answered by their record. What comes here is not in it. */
const closedBoundary = ({ note }: Boundary, { onDivergence }: SealedOptions): Boundary => ({
  invoke: ({ args, cell, operation, ordinal, path }) =>
    Effect.suspend(() => {
      onDivergence({
        cell,
        what: `call ${ordinal} (${path})`,
        difference: { path: "$", expected: undefined, came: { path, operation, args: args.map(plain) } }
      })
      return Effect.fail(new HostCallError({ path, reason: { _tag: "Diverged", ordinal } }))
    }),
  ...(note !== undefined && { note })
})

const plain = (value: unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown
  } catch {
    return "(no plain data)"
  }
}

const following = (runtime: Runtime, options: SealedOptions): Runtime => {
  const { execute, replay } = runtime
  if (replay === undefined) return runtime
  const courses = new Map(options.cells.map((course) => [course.cell, course]))
  const learned = membersOf(options.cells)
  const follow: Runtime["execute"] = (cell) =>
    Effect.gen(function*() {
      const course = courses.get(cell.id)
      if (course === undefined) return yield* execute.call(runtime, cell)
      const seed = course.events.find((event) => event._tag === "CellStarted")?.seed ?? cell.seed
      const events = recorded([...course.events, ...isWhole(course) ? learned : []])
      const verdict = yield* Effect.forkChild(Effect.result(replay.call(runtime, events)), { startImmediately: true })
      const early = verdict.pollUnsafe()
      if (early?._tag === "Success" && Result.isFailure(early.value)) {
        const { failure } = early.value
        options.onDivergence({
          cell: cell.id,
          what: "its record",
          difference: { path: "$", expected: "a record that can be followed", came: failure.message }
        })
        return yield* failure
      }
      const stops = reportOf(course)?.problem?.stage === "interrupted"
      if (stops) {
        yield* Effect.forkChild(Effect.tap(Fiber.join(verdict), () => Effect.sync(() => options.onStopped?.())))
      }
      const { report, ...rest } = yield* execute.call(runtime, { ...cell, seed })
      const expected = reportOf(course)
      const ran = { ...rest, report: expected === undefined ? report : options.live.seen(expected, report) }
      const went = yield* Fiber.join(verdict)
      const divergence = Result.isSuccess(went) && went.success !== "live"
        ? ofCourse(course, went.success)
        : ofReport(course, ran.report)
      if (divergence !== undefined) options.onDivergence(divergence)
      return ran
    })
  const describe = Effect.map(runtime.describe, (variables) => options.live.described(variables, options.told()))
  return new Proxy(runtime, {
    get: (target, key) => key === "execute" ? follow : key === "describe" ? describe : Reflect.get(target, key, target)
  })
}

const recorded = (events: RecordedCell["events"]): ReadonlyArray<Recorded> =>
  events.map((event, index) => ({
    session: SessionId.make("recorded"),
    seq: index + 1,
    time: 0,
    v: eventVersion,
    event
  }))

const isWhole = ({ events }: RecordedCell): boolean => events.some((event) => event._tag === "CellEnded")

/** What all cells did with live objects: one that a cell got may be used by a later one. */
const membersOf = (cells: ReadonlyArray<RecordedCell>): RecordedCell["events"] => {
  const paths = new Map<string, RecordedCell["events"][number]>()
  for (const { events } of cells) {
    for (const event of events) if (event._tag === "CallStarted") paths.set(`${event.operation} ${event.path}`, event)
  }
  return [...paths.values()]
}

const ofCourse = ({ cell, events }: RecordedCell, { came, expected, ordinal }: Diverged): CellDivergence => {
  const call = events.find((event) => event._tag === "CallStarted" && event.ordinal === ordinal)
  const what = call?._tag === "CallStarted" ? `call ${ordinal} (${call.path})` : `call or timer ${ordinal}`
  return { cell, what, difference: jsonDiff(expected, came, 1)[0] ?? { path: "$", expected, came } }
}

const reportOf = ({ events }: RecordedCell): CellReport | undefined =>
  events.find((event) => event._tag === "CellEnded")?.report

/** What the model was told of it. */
const told = ({ preview, problem, stderr, stdout }: CellReport) => ({
  problem: problem && `${problem.name}: ${problem.message}`,
  preview,
  stdout,
  stderr
})

const ofReport = (course: RecordedCell, came: CellReport): CellDivergence | undefined => {
  const expected = reportOf(course)
  if (expected === undefined || expected.problem?.stage === "interrupted") return undefined
  const [difference] = jsonDiff(told(expected), told(came), 1)
  return difference && { cell: course.cell, what: "what it gave", difference }
}

/**
 * A runtime as the cases of the conformance suite use it: promises, parsed cells, a boundary that records.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Bound } from "../../Binding.ts"
import { type Boundary, type HostCall, HostCallError } from "../../Boundary.ts"
import type { CallContext } from "../../CallContext.ts"
import type { CellProblem, CellReport, Variable } from "../../Cell.ts"
import { SessionId } from "../../Ids.ts"
import { validate } from "../../schema/Validate.ts"
import type { CellLimits } from "../../Limits.ts"
import { Platform } from "../../Platform.ts"
import { type Runtime, RuntimeFactory } from "../../Runtime.ts"
import { parseCell } from "../../syntax/index.ts"
import { fail } from "./Check.ts"

/** Short enough for a test, long enough for a slow machine. */
export const limits: CellLimits = {
  time: "10 seconds",
  cpu: "5 seconds",
  outputBytes: 200_000,
  inlineChars: 1_000,
  previewChars: 200
}

export interface OpenOptions {
  readonly bindings?: ReadonlyArray<Bound> | undefined
  readonly limits?: Partial<CellLimits> | undefined
  /** What the boundary says of a call: nothing to allow it, or why not, at once or later. */
  readonly decide?: ((call: HostCall) => string | undefined | Promise<string | undefined>) | undefined
  readonly near?: Opened | undefined
}

export interface Ran {
  readonly report: CellReport
  readonly value: unknown
}

/** A cell under way. */
export interface Started {
  readonly result: Promise<Ran>
  /** Interrupts the fiber, and returns when the cell has stopped. */
  readonly interrupt: () => Promise<void>
}

/** What the boundary saw, in order. */
export type CallRecord = Pick<HostCall, "path" | "operation" | "args" | "cell" | "ordinal"> & {
  readonly what: "started" | "completed" | "failed" | "refused"
}

export interface Opened {
  readonly runtime: Runtime
  readonly calls: ReadonlyArray<CallRecord>
  readonly run: (code: string, limits?: Partial<CellLimits>) => Promise<Ran>
  /** Of a cell that has to succeed. */
  readonly value: (code: string) => Promise<unknown>
  /** Of a cell that has to fail. */
  readonly problem: (code: string, limits?: Partial<CellLimits>) => Promise<CellProblem>
  readonly start: (code: string, limits?: Partial<CellLimits>) => Started
  readonly bind: (...bindings: ReadonlyArray<Bound>) => Promise<void>
  readonly get: (name: string) => Promise<unknown>
  readonly set: (name: string, value: unknown) => Promise<void>
  readonly variable: (name: string) => Promise<Variable | undefined>
  readonly declarations: () => Promise<string>
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
}

const empty: CellReport = {
  preview: "",
  stdout: "",
  stderr: "",
  stored: [],
  namespace: { added: [], changed: [], removed: [], lost: [] },
  durationMs: 0
}

export const openRuntime = async (
  layer: Layer.Layer<RuntimeFactory, unknown>,
  options: OpenOptions = {}
): Promise<Opened> => {
  const scope = Scope.makeUnsafe()
  const calls: Array<CallRecord> = []
  const runtime = await Effect.runPromise(
    Effect.flatMap(
      RuntimeFactory,
      (factory) =>
        factory.open({
          session: SessionId.make("conformance"),
          boundary: recordingBoundary(calls, options.decide),
          near: options.near?.runtime
        })
    )
      .pipe(Effect.provideService(Scope.Scope, scope), Effect.provide(layer))
  )
  let id = 0

  const start: Opened["start"] = (code, own = {}) => {
    const parsed = parseCell(code, Platform.defaultValue().strip)
    if ("stage" in parsed) {
      return {
        result: Promise.resolve({ value: undefined, report: { ...empty, problem: parsed } }),
        interrupt: async () => {}
      }
    }
    const cell = { id: ++id, parsed, seed: "conformance", limits: { ...limits, ...options.limits, ...own } }
    const fiber = Effect.runFork(runtime.execute(cell))
    return {
      result: Effect.runPromise(Fiber.join(fiber)),
      interrupt: () => Effect.runPromise(Effect.asVoid(Fiber.interrupt(fiber)))
    }
  }
  const run: Opened["run"] = (code, limits) => start(code, limits).result
  const opened: Opened = {
    runtime,
    calls,
    start,
    run,
    value: async (code) => {
      const { report, value } = await run(code)
      return report.problem === undefined
        ? value
        : fail(`${JSON.stringify(code)} failed: ${report.problem.name}: ${report.problem.message}`)
    },
    problem: async (code, limits) =>
      (await run(code, limits)).report.problem ?? fail(`${JSON.stringify(code)} was to fail`),
    bind: (...bindings) => Effect.runPromise(runtime.bind(bindings)),
    get: (name) => Effect.runPromise(runtime.get(name)),
    set: (name, value) => Effect.runPromise(runtime.set(name, value)),
    variable: async (name) => (await Effect.runPromise(runtime.describe)).find((variable) => variable.name === name),
    declarations: () => Effect.runPromise(runtime.declarations),
    reset: () => Effect.runPromise(runtime.reset),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
  if (options.bindings !== undefined) await opened.bind(...options.bindings)
  return opened
}

const neverAborted = new AbortController().signal

/** Validates, decides, performs, records: the order of the engine's own gate. */
const recordingBoundary = (calls: Array<CallRecord>, decide: OpenOptions["decide"]): Boundary => ({
  invoke: Effect.fnUntraced(function*(call, perform, paused) {
    const record = (what: CallRecord["what"]): void => {
      const { args, cell, operation, ordinal, path } = call
      calls.push({ what, path, operation, args, cell, ordinal })
    }
    const refuse = (reason: HostCallError["reason"]) => {
      record("refused")
      return Effect.fail(new HostCallError({ path: call.path, reason }))
    }
    const input = call.contract?.input
    const checked = input === undefined
      ? { ok: true as const, value: call.args }
      : yield* settle(validate(input, call.args))
    if (!checked.ok) return yield* refuse({ _tag: "InvalidArguments", problem: checked.problem })
    const decided = decide?.(call)
    if (decided instanceof Promise) paused?.(true)
    const why = yield* settle(decided)
    if (decided instanceof Promise) paused?.(false)
    if (why !== undefined) return yield* refuse({ _tag: "Denied", by: "test", why })
    record("started")
    const context: CallContext = {
      session: SessionId.make("conformance"),
      agent: ["conformance"],
      cell: call.cell,
      ordinal: call.ordinal,
      key: `conformance:${call.cell}:${call.ordinal}`,
      signal: neverAborted,
      labels: {},
      progress: () => {}
    }
    const performed = Effect.suspend(() => {
      try {
        return settle(perform(checked.value, context))
      } catch (error) {
        return Effect.fail(error)
      }
    })
    return yield* performed.pipe(
      Effect.tap(() => Effect.sync(() => record("completed"))),
      Effect.tapError(() => Effect.sync(() => record("failed")))
    )
  })
})

/** An effect of a runtime, as a promise. */
export const promise = <A>(effect: Effect.Effect<A, unknown>): Promise<A> => Effect.runPromise(effect)

/** What the application threw passes as it is, whatever it is. */
const settle = <A>(value: A | Promise<A>): Effect.Effect<A, unknown> =>
  value instanceof Promise
    ? Effect.callback((resume) => void value.then(Effect.succeed, Effect.fail).then(resume))
    : Effect.succeed(value)

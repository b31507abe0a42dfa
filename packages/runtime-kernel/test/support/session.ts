/**
 * A namespace in a kernel, as tests use it: cells from text, promises, and a boundary that lets everything pass and
 * writes it down.
 */
import {
  type Bound,
  type Boundary,
  type CallContext,
  type CellLimits,
  type CellProblem,
  type CellReport,
  type HostCall,
  Platform,
  type Runtime,
  RuntimeFactory,
  SessionId
} from "@daylight/core"
import { parseCell } from "@daylight/core/syntax"
import { KernelRuntime, type KernelRuntimeOptions, type KernelState } from "@daylight/runtime-kernel"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { bundleKernel } from "./program.ts"

export const program = await bundleKernel()

export const limits: CellLimits = {
  time: "10 seconds",
  cpu: "2 seconds",
  outputBytes: 200_000,
  inlineChars: 2_000,
  previewChars: 200
}

export interface SessionOptions extends KernelRuntimeOptions {
  readonly bindings?: ReadonlyArray<Bound> | undefined
  readonly near?: Session | undefined
  readonly layer?: Layer.Layer<RuntimeFactory> | undefined
  /** Default: lets everything pass. */
  readonly boundary?: Boundary | undefined
}

export interface Ran {
  readonly report: CellReport
  readonly value: unknown
}

export interface Session {
  readonly runtime: Runtime
  readonly calls: ReadonlyArray<HostCall>
  readonly run: (
    code: string,
    own?: Partial<CellLimits> & { readonly cell?: number; readonly seed?: string }
  ) => Promise<Ran>
  readonly start: (
    code: string,
    own?: Partial<CellLimits>
  ) => { readonly ran: Promise<Ran>; readonly interrupt: () => Promise<void> }
  /** Of a cell that has to succeed. */
  readonly value: (code: string) => Promise<unknown>
  /** Of a cell that has to fail. */
  readonly problem: (code: string, own?: Partial<CellLimits>) => Promise<CellProblem>
  readonly get: (name: string) => Promise<unknown>
  readonly set: (name: string, value: unknown) => Promise<void>
  readonly state: () => KernelState
  /** Ends the process from outside. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
  readonly close: () => Promise<void>
}

export const openSession = async (
  { bindings = [], boundary, layer, near, ...options }: SessionOptions = {}
): Promise<Session> => {
  const scope = Scope.makeUnsafe()
  const calls: Array<HostCall> = []
  const runtime = await Effect.runPromise(
    Effect.flatMap(
      RuntimeFactory,
      (factory) =>
        factory.open({ session: SessionId.make("test"), boundary: boundary ?? recording(calls), near: near?.runtime })
    ).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.provide(layer ?? KernelRuntime.layer({ program, spare: false, ...options }))
    )
  )
  if (bindings.length > 0) await Effect.runPromise(runtime.bind(bindings))
  let last = 0
  const cellOf = (code: string, own: Parameters<Session["run"]>[1] = {}) => {
    const parsed = parseCell(code, Platform.defaultValue().strip)
    if ("stage" in parsed) throw new Error(`the cell does not parse: ${parsed.message}`)
    const { cell = ++last, seed = `seed ${cell}`, ...rest } = own
    return { id: cell, parsed, seed, limits: { ...limits, ...rest } }
  }
  const state = () => KernelRuntime.inspect(runtime)!
  const session: Session = {
    runtime,
    calls,
    state,
    run: async (code, own) => Effect.runPromise(runtime.execute(cellOf(code, own))),
    start: (code, own) => {
      const fiber = Effect.runFork(runtime.execute(cellOf(code, own)))
      const ran = Effect.runPromise(Fiber.join(fiber))
      ran.catch(() => {}) // an interrupted cell has no result
      return { ran, interrupt: () => Effect.runPromise(Effect.asVoid(Fiber.interrupt(fiber))) }
    },
    value: async (code) => {
      const { report, value } = await session.run(code)
      if (report.problem !== undefined) {
        throw new Error(`${code} failed: ${report.problem.name}: ${report.problem.message}`)
      }
      return value
    },
    problem: async (code, own) => {
      const { report } = await session.run(code, own)
      if (report.problem === undefined) throw new Error(`${code} was to fail; it gave ${report.preview}`)
      return report.problem
    },
    get: (name) => Effect.runPromise(runtime.get(name)),
    set: (name, value) => Effect.runPromise(runtime.set(name, value)),
    kill: async (signal = "SIGKILL") => {
      const { pid } = state()
      if (pid === undefined) return
      process.kill(pid, signal)
      await until(() => state().pid !== pid)
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
  return session
}

/** Opens a session for one piece of work. */
export const withSession = async <A>(options: SessionOptions, use: (session: Session) => Promise<A>): Promise<A> => {
  const session = await openSession(options)
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

export const until = async (holds: () => boolean, ms = 5_000): Promise<void> => {
  const end = performance.now() + ms
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it did not happen within ${ms} ms`)
    await pause(2)
  }
}

/** Whether there is such a process, and not only what is left of one. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // After the name in parentheses: Z for one that has ended, and whose parent has not asked yet.
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return process.platform !== "linux"
  }
}

const context = (call: HostCall): CallContext => ({
  session: SessionId.make("test"),
  agent: ["test"],
  cell: call.cell,
  ordinal: call.ordinal,
  key: `test:${call.cell}:${call.ordinal}`,
  labels: {},
  signal: new AbortController().signal,
  progress: () => {}
})

/** Lets everything pass, and writes it down. */
export const recording = (calls: Array<HostCall>): Boundary => ({
  invoke: (call, perform) => {
    calls.push(call)
    return Effect.suspend(() => {
      try {
        const value = perform(call.args, context(call))
        return value instanceof Promise
          ? Effect.callback<unknown, unknown>((resume) => void value.then(Effect.succeed, Effect.fail).then(resume))
          : Effect.succeed(value)
      } catch (error) {
        return Effect.fail(error)
      }
    })
  }
})

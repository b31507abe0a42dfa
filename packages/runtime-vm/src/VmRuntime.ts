/**
 * Cells in this process. Objects of the application are bound as they are, and what a cell makes is handed out as it
 * is: nothing is copied, whatever its size. A seat belt and no boundary: code in the same process can reach the
 * process. For code that is not trusted there is the kernel.
 */
import {
  type Bound,
  type Boundary,
  type Cell,
  type CellReport,
  countCellLimits,
  InvalidInput,
  type Runtime,
  RuntimeError,
  RuntimeFactory
} from "@daylight/core"
import {
  declarationsOf,
  fingerprintOf,
  type Modules,
  Notebook,
  type NotebookBinding,
  type NotebookOptions,
  presentAs,
  type PrintLimits,
  sightOf,
  typeNameOf
} from "@daylight/core/node"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { type Caller, Calls, isSynchronous } from "./Calls.ts"
import { makeFacade } from "./Facade.ts"

export interface VmRuntimeOptions {
  /**
   * What cells may import, by specifier: `{ lodash: () => import("lodash") }`. Modules are not guarded by the boundary.
   * Default: none.
   */
  readonly modules?: Modules | undefined
  /** Bytes of oversized outputs that are kept as variables; the oldest go first, and that is said. Default 32 MiB. */
  readonly storedBytes?: number | undefined
  /** Timers that may be armed at once. Default 10,000. */
  readonly timers?: number | undefined
}

/**
 * One namespace in this process.
 *
 * Stops loops that do not yield and calls that do not end. Does not stop one native call that takes long (a regular
 * expression that backtracks, a huge `fill`), and has no limit on memory.
 */
class VmNamespace implements Runtime {
  readonly capabilities = { preemptive: false, isolated: false, sealed: false }
  readonly #notebook: Notebook
  readonly #calls: Calls
  readonly #turn = Semaphore.makeUnsafe(1)
  readonly #bound = new Map<string, Bound>()
  /** What stands in a cell for an object of the application, and the object. */
  readonly #originals = new WeakMap<object, unknown>()
  #closed = false

  constructor(boundary: Boundary, options: NotebookOptions) {
    this.#notebook = new Notebook(options)
    this.#calls = new Calls(boundary)
  }

  readonly bind: Runtime["bind"] = (bindings) =>
    Effect.suspend((): Effect.Effect<void, RuntimeError | InvalidInput> => {
      const names = new Set<string>()
      for (const { name } of bindings) {
        if (names.has(name)) {
          return Effect.fail(refused(name, "the name is used twice", "Give each binding a name of its own"))
        }
        if (this.#notebook.isTaken(name)) {
          return Effect.fail(
            refused(name, "a cell made a variable of this name", "Choose another name, or remove the variable first")
          )
        }
        names.add(name)
      }
      for (const bound of bindings) this.#bind(bound)
      return this.#open()
    })

  readonly unbind: Runtime["unbind"] = (names) =>
    Effect.sync(() => {
      for (const name of names) {
        this.#bound.delete(name)
        this.#notebook.unbind(name)
      }
    })

  readonly execute: Runtime["execute"] = (cell) =>
    this.#turn.withPermit(Effect.flatMap(Effect.context<never>(), (services) => this.#run(cell, services)))

  readonly get: Runtime["get"] = (name) =>
    Effect.suspend(() =>
      this.#notebook.has(name) ? Effect.succeed(this.#original(this.#notebook.get(name))) : missing(name)
    )

  /** A function or type of the application is no variable. */
  readonly set: Runtime["set"] = (name, value) =>
    Effect.suspend(() => {
      if (this.#closed) return this.#open()
      const bound = this.#bound.get(name)
      if (bound !== undefined && !isVariable(bound)) return missing(name)
      return Effect.sync(() => this.#notebook.set(name, value))
    })

  readonly remove: Runtime["remove"] = (name) => Effect.sync(() => this.#notebook.remove(name))

  readonly describe: Runtime["describe"] = Effect.sync(() => this.#notebook.describe())

  readonly declarations: Runtime["declarations"] = Effect.promise(() =>
    declarationsOf([...this.#bound.values()], this.#notebook.made())
  )

  /** Waits for the cell that is running. */
  readonly reset: Runtime["reset"] = Effect.suspend(() =>
    this.#turn.withPermit(Effect.sync(() => {
      this.#calls.interrupt()
      this.#notebook.reset()
    }))
  )

  close(): void {
    this.#closed = true
    this.#calls.interrupt()
    this.#notebook.close()
    this.#bound.clear()
  }

  #run(cell: Cell, services: Context.Context<never>): ReturnType<Runtime["execute"]> {
    if (this.#closed) return Effect.fail(closed())
    return Effect.callback((resume) => {
      const pause = (on: boolean): void => execution.pause(on)
      const caller: Caller = { cell: cell.id, ordinal: 0, services, fibers: new Set(), over: false, pause }
      const limits = countCellLimits(cell.limits)
      const execution = this.#notebook.prepare({ id: cell.id, parsed: cell.parsed, limits }, ({ report, value }) => {
        this.#calls.caller = undefined
        if (isStopped(report)) this.#calls.interrupt(caller)
        resume(Effect.succeed({ report, value: this.#original(value) }))
      })
      this.#calls.caller = caller
      execution.start()
      return Effect.sync(() => execution.interrupt())
    })
  }

  #open(): Effect.Effect<void, RuntimeError> {
    return this.#closed ? Effect.fail(closed()) : Effect.void
  }

  #bind(bound: Bound): void {
    this.#bound.set(bound.name, bound)
    const placed = this.#placed(bound)
    if (placed === undefined) this.#notebook.unbind(bound.name)
    else this.#notebook.bind(bound.name, placed)
  }

  /** What a cell sees. A type without a class is for the declarations only. */
  #placed(bound: Bound): NotebookBinding | undefined {
    switch (bound._tag) {
      case "Variable":
        return this.#variable(bound)
      case "Function": {
        const contract = bound.contract ?? {}
        const call = this.#standIn(
          this.#calls.contracted(bound.name, contract, (...args) => bound.call(...this.#arguments(args))),
          bound.call
        )
        return {
          value: call,
          readonly: true,
          sensitive: false,
          asynchronous: isSynchronous(contract) ? [] : [bound.name]
        }
      }
      case "Type":
        return bound.value && { value: bound.value, readonly: true, sensitive: false, asynchronous: [] }
      case "Builtin":
        return { value: bound.call, readonly: true, sensitive: false, asynchronous: [bound.name] }
    }
  }

  #variable(
    { contract, name, sensitive = false, value }: Extract<Bound, { readonly _tag: "Variable" }>
  ): NotebookBinding {
    if (contract === undefined || (typeof value !== "object" && typeof value !== "function") || value === null) {
      return { value, readonly: false, sensitive, asynchronous: [] }
    }
    const facade = makeFacade(
      value,
      contract,
      (method, call) =>
        this.#calls.contracted(`${name}.${method}`, contract[method]!, (...args) => call(...this.#arguments(args)))
    )
    const asynchronous = Object.entries(contract).filter(([, contract]) => !isSynchronous(contract)).map(([method]) =>
      `${name}.${method}`
    )
    const shown = {
      type: typeNameOf(value),
      text: "[Proxy]",
      look: (limits: PrintLimits) => sightOf(value, limits),
      fingerprint: () => fingerprintOf(value)
    }
    return { value: this.#standIn(presentAs(facade, shown), value), readonly: true, sensitive, asynchronous }
  }

  #standIn<A extends object>(standIn: A, original: unknown): A {
    this.#originals.set(standIn, original)
    return standIn
  }

  /** The application gets its own objects back, and not what stands for them in cells. */
  #original(value: unknown): unknown {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) return value
    return this.#originals.has(value) ? this.#originals.get(value) : value
  }

  #arguments(args: ReadonlyArray<unknown>): ReadonlyArray<any> {
    return args.map((arg) => this.#original(arg))
  }
}

const isVariable = (bound: Bound): boolean => bound._tag === "Variable" && bound.contract === undefined

/** An error of the cell ends only the cell: calls that are under way go on, as promises do. */
const isStopped = ({ problem }: CellReport): boolean => problem?.stage === "timeout" || problem?.stage === "interrupted"

const closed = (): RuntimeError =>
  new RuntimeError({ reason: { _tag: "Crashed", detail: "it was closed with its session" } })

const missing = (name: string) => Effect.fail(new RuntimeError({ reason: { _tag: "NoSuchVariable", name } }))

const refused = (name: string, problem: string, remedy: string): InvalidInput =>
  new InvalidInput({ subject: `binding ${JSON.stringify(name)}`, problem, remedy })

const layerWith = (options: VmRuntimeOptions): Layer.Layer<RuntimeFactory> =>
  Layer.succeed(
    RuntimeFactory,
    RuntimeFactory.of({
      open: ({ boundary, output }) =>
        Effect.acquireRelease(
          Effect.sync(() => new VmNamespace(boundary, { ...options, output })),
          (namespace) => Effect.sync(() => namespace.close())
        )
    })
  )

/**
 * The runtime that runs cells in this process.
 *
 * ```ts
 * import { VmRuntime } from "@daylight/runtime-vm"
 *
 * const runtime = VmRuntime.layerWith({ modules: { "node:path": () => import("node:path") } })
 * ```
 */
export const VmRuntime = {
  /** No modules, defaults for the rest. */
  layer: layerWith({}),
  layerWith
}

/**
 * A namespace that cells run in, one after another, as in a notebook: top-level names stay, may be declared again, and
 * are seen by everything that came before. Knows nothing of sessions, models or parsing: it gets cells ready-made.
 *
 * Nothing is made before the first cell or `set`, so an idle notebook costs next to nothing.
 */
import type { Variable } from "../Cell.ts"
import { type CellResult, Execution, type NotebookCell } from "./Execution.ts"
import { parseFrames } from "./Frames.ts"
import type { Scene } from "./Hints.ts"
import type { Modules } from "./Modules.ts"
import { dataOf, defineName, type Namespace } from "./Namespace.ts"
import type { Failure } from "./Problem.ts"
import { Strays } from "./Strays.ts"
import { Workspace, type WorkspaceOptions } from "./Workspace.ts"

export interface NotebookOptions {
  /** What a cell may import. Default: nothing. */
  readonly modules?: Modules | undefined
  /** Bytes of oversized outputs that are kept as variables; the oldest go first. Default 32 MiB. */
  readonly storedBytes?: number | undefined
  /** Timers that may be armed at once. Default 10,000. */
  readonly timers?: number | undefined
  /** Milliseconds without yielding for code that runs while no cell does. Default 1,000. */
  readonly cpuMs?: number | undefined
  /** Told what a cell prints, as it prints it. */
  readonly output?: ((text: string) => void) | undefined
  /** Called while guarded code runs, every few milliseconds. */
  readonly poll?: (() => void) | undefined
  /**
   * Called with each new context after its globals are there, to replace some of them. `failed` takes errors that
   * nobody catches: they are told with the next cell.
   */
  readonly furnish?: ((namespace: Namespace, failed: (error: unknown, what: string) => void) => void) | undefined
}

/** A name that belongs to the application. */
export interface NotebookBinding {
  readonly value: unknown
  /** A cell can neither assign nor declare it, and it is no variable. */
  readonly readonly: boolean
  /** No sample of it is ever shown. */
  readonly sensitive: boolean
  /** Paths that give promises: `search`, or `db.query` of a contracted object. */
  readonly asynchronous: ReadonlyArray<string>
}

export class Notebook {
  readonly #options: Omit<WorkspaceOptions, "notebook" | "strays" | "sensitive">
  readonly #output: NotebookOptions["output"]
  readonly #bindings = new Map<string, NotebookBinding>()
  readonly #readonly = new Set<string>()
  readonly #sensitive = new Set<string>()
  readonly #strays: Strays
  #lost: ReadonlySet<string> = new Set()
  #workspace: Workspace | undefined

  constructor(options: NotebookOptions = {}) {
    this.#options = {
      modules: options.modules ?? {},
      storedBytes: options.storedBytes ?? 32 * 1024 * 1024,
      timers: options.timers ?? 10_000,
      cpuMs: options.cpuMs ?? 1_000,
      poll: options.poll,
      furnish: options.furnish
    }
    this.#output = options.output
    this.#strays = new Strays(this)
  }

  /** Whether a cell made a variable of this name, which a binding would overwrite. */
  isTaken(name: string): boolean {
    return !this.#bindings.has(name) && this.#workspace?.variables.has(name) === true
  }

  bind(name: string, binding: NotebookBinding): void {
    if (this.#bindings.has(name)) this.unbind(name)
    this.#bindings.set(name, binding)
    if (binding.readonly) this.#readonly.add(name)
    if (binding.sensitive) this.#sensitive.add(name)
    if (this.#workspace !== undefined) this.#place(this.#workspace, name, binding)
  }

  /** Gives whether it was bound. */
  unbind(name: string): boolean {
    const binding = this.#bindings.get(name)
    if (binding === undefined) return false
    this.#bindings.delete(name)
    this.#readonly.delete(name)
    this.#sensitive.delete(name)
    if (this.#workspace === undefined) return true
    if (binding.readonly) Reflect.deleteProperty(this.#workspace.namespace, name)
    else this.#workspace.variables.remove(name)
    return true
  }

  has(name: string): boolean {
    if (this.#readonly.has(name)) return true
    return this.#workspace === undefined ? this.#bindings.has(name) : this.#workspace.variables.has(name)
  }

  /** What the name holds now: a binding, or what a cell made of it. */
  get(name: string): unknown {
    if (this.#workspace === undefined || this.#readonly.has(name)) return this.#bindings.get(name)?.value
    return dataOf(this.#workspace.namespace, name)
  }

  set(name: string, value: unknown): void {
    const { namespace, variables } = this.#open()
    const before = Object.getOwnPropertyDescriptor(namespace, name)
    if (before?.enumerable && before.writable) namespace[name] = value
    else defineName(namespace, name, value, { writable: true, enumerable: true })
    variables.note(name)
  }

  /** Gives whether there was such a variable. */
  remove(name: string): boolean {
    if (this.#readonly.has(name)) return false
    if (this.#workspace === undefined && !this.#bindings.has(name)) return false
    return this.#open().variables.remove(name)
  }

  describe(): ReadonlyArray<Variable> {
    return this.#workspace === undefined && this.#bindings.size === 0 ? [] : this.#open().variables.describe()
  }

  /** Of all variables: those that cells made, and bindings that can be assigned. */
  names(): ReadonlyArray<string> {
    return this.#workspace?.variables.names() ?? []
  }

  /** Names and values of the variables that cells made. */
  made(): ReadonlyArray<readonly [name: string, value: unknown]> {
    const workspace = this.#workspace
    if (workspace === undefined) return []
    return workspace.variables.names()
      .filter((name) =>
        !this.#bindings.has(name) || this.#bindings.get(name)!.value !== dataOf(workspace.namespace, name)
      )
      .map((name) => [name, dataOf(workspace.namespace, name)])
  }

  /** Makes a cell ready; `start()` runs it. One at a time: whoever calls keeps the order. */
  prepare(cell: NotebookCell, done: (result: CellResult) => void): Execution {
    const workspace = this.#open()
    return new Execution(
      {
        workspace,
        notebook: this,
        strays: this.#strays,
        readonly: this.#readonly,
        output: this.#output,
        scene: (failure, cell, line) => this.#scene(workspace, failure, cell, line)
      },
      cell,
      done
    )
  }

  /** Drops what cells made; what was bound is bound again, as the application gave it. */
  reset(): void {
    const workspace = this.#workspace
    if (workspace === undefined) return
    this.#lost = new Set(workspace.variables.names().filter((name) => !this.#bindings.has(name)))
    workspace.end("the namespace was reset")
    this.#strays.clear()
    this.#workspace = undefined
  }

  /** Ends timers and everything else that would outlive it. */
  close(): void {
    this.#workspace?.end("the runtime was closed")
    this.#workspace = undefined
    this.#bindings.clear()
    this.#strays.close()
  }

  #open(): Workspace {
    if (this.#workspace !== undefined) return this.#workspace
    const workspace = this.#workspace = new Workspace({
      ...this.#options,
      notebook: this,
      strays: this.#strays,
      sensitive: this.#sensitive
    })
    for (const [name, binding] of this.#bindings) this.#place(workspace, name, binding)
    return workspace
  }

  #place({ namespace, variables }: Workspace, name: string, { value, readonly }: NotebookBinding): void {
    defineName(namespace, name, value, { writable: !readonly, enumerable: !readonly })
    if (!readonly) variables.note(name)
  }

  #scene(workspace: Workspace, failure: Failure, cell: NotebookCell, line: number | undefined): Scene {
    return {
      code: cell.parsed.code,
      line: line ?? parseFrames(failure.stack).find((frame) => frame.cell === cell.id)?.line,
      names: [
        ...workspace.variables.names(),
        ...this.#readonly,
        ...Object.getOwnPropertyNames(workspace.namespace).filter((name) => !name.startsWith("__"))
      ],
      lost: this.#lost,
      readonly: this.#readonly,
      lookup: (name) => dataOf(workspace.namespace, name),
      asynchronous: new Set([...this.#bindings.values()].flatMap(({ asynchronous }) => asynchronous))
    }
  }
}

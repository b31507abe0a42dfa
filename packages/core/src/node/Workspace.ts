/**
 * One context and all that lives in it. Made with the first cell, thrown away by a reset.
 */
import { type CellRun, CellStopped, currentRun, type Life } from "./CellRun.ts"
import { makeConsole } from "./Console.ts"
import { installGlobals } from "./Globals.ts"
import { Guard } from "./Guard.ts"
import { makeImport, type Modules } from "./Modules.ts"
import { defineName, makeNamespace, type Namespace } from "./Namespace.ts"
import { Output } from "./Output.ts"
import { bridgeRealm } from "./Realm.ts"
import { Stored } from "./Stored.ts"
import type { Strays } from "./Strays.ts"
import { Timers } from "./Timers.ts"
import { Variables } from "./Variables.ts"

/** What a workspace takes from its notebook. */
export interface WorkspaceOptions {
  readonly notebook: object
  readonly strays: Strays
  readonly modules: Modules
  readonly storedBytes: number
  readonly timers: number
  readonly cpuMs: number
  readonly sensitive: ReadonlySet<string>
  readonly poll?: (() => void) | undefined
  readonly furnish?: ((namespace: Namespace, failed: (error: unknown, what: string) => void) => void) | undefined
}

/** Bytes kept of what code prints while no cell is running. */
const backgroundBytes = 64_000

export class Workspace {
  readonly namespace: Namespace
  readonly guard: Guard
  readonly timers: Timers
  readonly variables: Variables
  readonly stored: Stored
  readonly life: Life = { over: undefined }
  /** The cell that is running: what is printed is its output, whoever prints. */
  active: CellRun | undefined
  #background = { stdout: new Output(backgroundBytes), stderr: new Output(backgroundBytes) }

  constructor(options: WorkspaceOptions) {
    const namespace = this.namespace = makeNamespace()
    bridgeRealm(namespace) // Errors thrown deep inside a library of the host still have to name the line of the cell.
    ;(namespace.Error as ErrorConstructor).stackTraceLimit = 30
    this.guard = new Guard(namespace, options.cpuMs, options.poll)
    this.timers = new Timers(options.strays, options.timers)
    this.variables = new Variables(namespace, options.sensitive)
    this.stored = new Stored(namespace, options.storedBytes)
    const console = makeConsole((stream) => {
      const run = currentRun()
      if (run?.notebook === options.notebook && run.stopped) return undefined
      return this.active?.[stream] ?? this.#background[stream]
    })
    installGlobals(namespace, console, this.timers)
    const hidden = { writable: false, enumerable: false }
    defineName(namespace, "__import", makeImport(options.modules), hidden)
    defineName(namespace, "__meta", Object.freeze({ url: "cell:" }), hidden)
    options.furnish?.(namespace, (error, what) => options.strays.hold(error, what))
    options.strays.watch((namespace.Promise as PromiseConstructor).prototype)
  }

  /** What was printed since the last cell ended. */
  takeBackground(): { readonly stdout: string; readonly stderr: string } {
    const { stdout, stderr } = this.#background
    if (stdout.empty && stderr.empty) return { stdout: "", stderr: "" }
    this.#background = { stdout: new Output(backgroundBytes), stderr: new Output(backgroundBytes) }
    return { stdout: stdout.text(), stderr: stderr.text() }
  }

  /** No code of the context gets further than its next loop or call. */
  end(why: string): void {
    this.life.over = new CellStopped("interrupted", why)
    this.timers.clear()
    this.guard.hurry()
  }
}

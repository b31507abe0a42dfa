/**
 * One cell on its way through a workspace: compiled, run, waited for, reported.
 */
import { Script } from "node:vm"
import type { CellProblem, CellReport, ParsedCell } from "../Cell.ts"
import { CellRun, CellStopped, runAs, runOutside } from "./CellRun.ts"
import { Deadline } from "./Deadline.ts"
import { Declarations } from "./Declarations.ts"
import { fileOf } from "./Frames.ts"
import { hintFor, type Scene } from "./Hints.ts"
import { type Failure, failureOf, problemOf } from "./Problem.ts"
import { isPromise, type ReportLimits, reportOf } from "./Report.ts"
import { sampleOf } from "./Inspect.ts"
import type { Strays } from "./Strays.ts"
import type { Workspace } from "./Workspace.ts"

/** The part of a cell that has to be where it runs. */
export type Runnable = Pick<ParsedCell, "code" | "rewritten" | "hoisted" | "names">

/** Times in milliseconds, `Infinity` for no limit. */
export interface ExecutionLimits extends ReportLimits {
  readonly timeMs: number
  readonly cpuMs: number
  readonly outputBytes: number
}

export interface NotebookCell {
  readonly id: number
  readonly parsed: Runnable
  readonly limits: ExecutionLimits
}

export interface CellResult {
  readonly report: CellReport
  /** The last value, itself. */
  readonly value: unknown
  /** What was thrown, itself. */
  readonly error?: unknown
}

/** What an execution takes from its notebook. */
export interface ExecutionScene {
  readonly workspace: Workspace
  readonly notebook: object
  readonly strays: Strays
  readonly readonly: ReadonlySet<string>
  readonly output: ((text: string) => void) | undefined
  readonly scene: (failure: Failure, cell: NotebookCell, line: number | undefined) => Scene
}

export class Execution {
  readonly run: CellRun
  readonly #cell: NotebookCell
  readonly #at: ExecutionScene
  readonly #done: (result: CellResult) => void
  readonly #background: { readonly stdout: string; readonly stderr: string }
  readonly #started = performance.now()
  #deadline: Deadline | undefined
  /** Pauses of calls that were made before the cell first waited. */
  #pauses = 0
  #declarations: Declarations | undefined
  #ended = false

  /** `done` is called once, before `start` returns where nothing has to be waited for. */
  constructor(at: ExecutionScene, cell: NotebookCell, done: (result: CellResult) => void) {
    this.#at = at
    this.#cell = cell
    this.#done = done
    this.run = new CellRun(at.notebook, at.workspace.life, cell.id, cell.limits, at.output)
    this.#background = at.workspace.takeBackground()
  }

  get ended(): boolean {
    return this.#ended
  }

  start(): void {
    const { workspace } = this.#at
    workspace.active = this.run
    workspace.guard.restart()
    let value: unknown
    try {
      const scripts = this.#compile()
      if (scripts === undefined) return
      this.#declarations = new Declarations(workspace.namespace, this.#cell.parsed.names)
      value = runAs(this.run, () => {
        let last: unknown
        for (const script of scripts) last = script.runInContext(workspace.namespace, { displayErrors: false })
        return last
      })
    } catch (error) {
      return this.#fail(error)
    }
    if (!isPromise(value)) return this.#end(value, undefined)
    if (this.#ended) return
    this.#deadline = new Deadline(this.#cell.limits.timeMs, () => {
      this.#stop(new CellStopped("timeout", `still waiting after ${this.#cell.limits.timeMs} ms`))
    })
    for (let i = 0; i < this.#pauses; i++) this.#deadline.pause(true)
    try {
      Promise.prototype.then.call(value, (last) => this.#end(last, undefined), (error) => this.#fail(error))
    } catch (error) {
      this.#fail(error) // a promise asks for its constructor, which may be code of the cell
    }
  }

  /** Stops the wall clock while a person is asked. */
  pause(on: boolean): void {
    this.#pauses += on ? 1 : -1
    this.#deadline?.pause(on)
  }

  /** `expired`: what took too long. Default: somebody wants it to end. */
  interrupt(expired?: string): void {
    this.#stop(
      expired === undefined
        ? new CellStopped("interrupted", "the cell was interrupted")
        : new CellStopped("timeout", expired)
    )
  }

  /** Functions first, each at its own place, then the rest. */
  #compile(): ReadonlyArray<Script> | undefined {
    const { hoisted, rewritten, names } = this.#cell.parsed
    const filename = fileOf(this.#cell.id)
    const strict = "'use strict';"
    try {
      const scripts = hoisted.map(({ code, line, column }) =>
        new Script(strict + code, { filename, lineOffset: line, columnOffset: column - strict.length })
      )
      scripts.push(new Script(rewritten, { filename, lineOffset: -1 }))
      for (const name of names.keys()) if (this.#at.readonly.has(name)) return void this.#refuse(name)
      return scripts
    } catch (error) {
      const line = /^cell-\d+\.ts:(\d+)/.exec((error as Error).stack ?? "")?.[1]
      this.#end(undefined, {
        stage: "syntax",
        name: "SyntaxError",
        message: (error as Error).message,
        frames: [],
        ...(line === undefined ? {} : { line: Number(line) })
      }, error)
      return undefined
    }
  }

  /** Before anything has run: a declaration of what belongs to the application. */
  #refuse(name: string): void {
    const { code } = this.#cell.parsed
    const escaped = name.replace(/[$]/g, "\\$&")
    const at = new RegExp(`\\b(?:let|const|var|class|function\\*?|import)\\b[^;=]*?(?<![\\w$])${escaped}(?![\\w$])`)
      .exec(code)
    const line = at === null ? undefined : code.slice(0, at.index + at[0].length).split("\n").length
    const failure = failureOf(new TypeError(`Cannot declare '${name}': it is read-only`))
    const problem = problemOf(
      { ...failure, stack: "" },
      this.#cell,
      hintFor(failure, this.#at.scene(failure, this.#cell, line))
    )
    this.#end(undefined, line === undefined ? problem : { ...problem, line }, failure.error)
  }

  #stop(reason: CellStopped): void {
    if (this.#ended) return
    this.run.stop(reason)
    this.#at.workspace.guard.hurry()
    this.#fail(reason)
  }

  #fail(error: unknown): void {
    if (this.#ended) return
    const failure = failureOf(error)
    const { line } = problemOf(failure, this.#cell)
    this.#end(
      undefined,
      problemOf(failure, this.#cell, hintFor(failure, this.#at.scene(failure, this.#cell, line))),
      error
    )
  }

  #end(value: unknown, problem: CellProblem | undefined, error?: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#deadline?.clear()
    if (problem !== undefined) this.#declarations?.takeBack()
    const report = (): void => runOutside(() => this.#report(value, problem, error))
    // A rejection held so far may just have found its handler; Node says so after this turn.
    if (this.#at.strays.waiting) setImmediate(report)
    else report()
  }

  #report(value: unknown, problem: CellProblem | undefined, error: unknown): void {
    const { workspace, strays } = this.#at
    workspace.active = undefined
    const late = strays.take((error) => {
      const { name, message } = failureOf(error)
      return name === "Thrown" ? sampleOf(error) : `${name}: ${message}`
    })
    const report = reportOf(workspace, {
      code: this.#cell.parsed.code,
      value,
      problem,
      stdout: this.#background.stdout + this.run.stdout.text(),
      stderr: this.#background.stderr + late + this.run.stderr.text(),
      durationMs: performance.now() - this.#started
    }, this.#cell.limits)
    this.#done(problem === undefined ? { report, value } : { report, value, error })
  }
}

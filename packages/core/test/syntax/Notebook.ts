/**
 * The smallest runtime that honours what the rewrite asks of one: a fresh context, names defined before the cell runs,
 * functions as scripts of their own, guards with a count-down, imports through `__import`.
 */
import { stripTypeScriptTypes } from "node:module"
import * as vm from "node:vm"
import type { CellProblem, ParsedCell } from "../../src/Cell.ts"
import { parseCell } from "../../src/syntax/index.ts"

export const strip = (code: string): string => stripTypeScriptTypes(code, { mode: "strip" })

const strictPrefix = "'use strict';"

export class Notebook {
  readonly context = vm.createContext(vm.constants.DONT_CONTEXTIFY)
  /** Guards passed before `__t` is called, and calls of it that a cell survives. */
  private patience = Infinity
  private cells = 0

  constructor(globals: Readonly<Record<string, unknown>> = {}) {
    this.define("__import", async (specifier: string, options: unknown, names: ReadonlyArray<string> = []) => {
      const module = await import(specifier, options as ImportCallOptions)
      for (const name of names) {
        if (!(name in module)) throw new SyntaxError(`${specifier} has no export named '${name}'`)
      }
      return module
    })
    this.define("__meta", Object.freeze({ url: "cell:" }))
    this.define("__spent", () => {
      if (--this.patience < 0) throw new Error("stopped by a guard")
    })
    vm.runInContext(
      "let __b=1000;const __t=()=>{__b=1000;__spent()};const __g=()=>{if(--__b<0)__t()}",
      this.context
    )
    for (const [name, value] of Object.entries(globals)) this.define(name, value)
  }

  private define(name: string, value: unknown): void {
    Object.defineProperty(this.context, name, { value, writable: true, configurable: true, enumerable: true })
  }

  parse(code: string): ParsedCell {
    const parsed = parseCell(code, strip)
    if ("stage" in parsed) throw Object.assign(new SyntaxError(parsed.message), { problem: parsed })
    return parsed
  }

  problem(code: string): CellProblem | undefined {
    const parsed = parseCell(code, strip)
    return "stage" in parsed ? parsed : undefined
  }

  async run(code: string, patience = Infinity): Promise<unknown> {
    const parsed = this.parse(code)
    this.patience = patience
    const filename = `cell-${++this.cells}.ts`
    const hoisted = parsed.hoisted.map(({ code, column, line }) =>
      new vm.Script(strictPrefix + code, { filename, lineOffset: line, columnOffset: column - strictPrefix.length })
    )
    const main = new vm.Script(parsed.rewritten, { filename, lineOffset: -1 })
    for (const name of parsed.names.keys()) if (!Object.hasOwn(this.context, name)) this.define(name, undefined)
    for (const script of hoisted) script.runInContext(this.context)
    return main.runInContext(this.context, { displayErrors: false })
  }
}

/** Line and column of the first frame of a cell in an error's stack. */
export const positionOf = (error: unknown): string | undefined =>
  /cell-\d+\.ts:(\d+:\d+)/.exec((error as Error).stack ?? "")?.[1]

/**
 * Cases of the runtime conformance suite: what they are, and the short forms most of them are written in.
 */
import type { CellProblem } from "../../Cell.ts"
import { equal, fail, includes } from "./Check.ts"
import type { Opened, OpenOptions } from "./Opened.ts"

/** What not every runtime promises. A case that needs one is left out where it is lacking. */
export type Capability =
  /** Objects go in and come out as the very same references. */
  | "sameReferences"
  /** A namespace near another one hands it its objects without copying. */
  | "near"
  /** A function of the application may call a function of a cell and have its result at once. */
  | "synchronousCallbacks"

export interface ConformanceCase {
  readonly group: string
  readonly name: string
  readonly needs: ReadonlyArray<Capability>
  /** Rejects where the runtime does not conform. `open` may be called more than once. */
  readonly run: (open: (options?: OpenOptions) => Promise<Opened>) => Promise<void>
}

type Cells = string | ReadonlyArray<string>

/** The cells of a list all run; the last one is what the case is about. */
const runAll = async (opened: Opened, cells: Cells) => {
  const all = typeof cells === "string" ? [cells] : cells
  for (const code of all.slice(0, -1)) await opened.value(code)
  return opened.run(all.at(-1)!)
}

/** Adds cases to a group. */
export class Group {
  readonly cases: Array<ConformanceCase> = []
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** A case written out. */
  test(
    name: string,
    run: (opened: Opened) => Promise<void>,
    options: OpenOptions & { readonly needs?: ReadonlyArray<Capability> } = {}
  ): this {
    return this.open(name, async (open) => run(await open(options)), options.needs)
  }

  /** A case that opens its own runtimes. */
  open(name: string, run: ConformanceCase["run"], needs: ReadonlyArray<Capability> = []): this {
    this.cases.push({ group: this.#name, name, needs, run })
    return this
  }

  /** The last cell has this value, by structure. */
  value(name: string, cells: Cells, expected: unknown): this {
    return this.test(name, async (opened) => {
      const { report, value } = await runAll(opened, cells)
      if (report.problem !== undefined) fail(`the cell failed: ${report.problem.name}: ${report.problem.message}`)
      equal(value, expected, "value")
    })
  }

  /** The last cell prints this. */
  prints(name: string, cells: Cells, expected: { readonly stdout?: string; readonly stderr?: string }): this {
    return this.test(name, async (opened) => {
      const { report } = await runAll(opened, cells)
      if (report.problem !== undefined) fail(`the cell failed: ${report.problem.name}: ${report.problem.message}`)
      equal(report.stdout, expected.stdout ?? "", "stdout")
      equal(report.stderr, expected.stderr ?? "", "stderr")
    })
  }

  /** The last cell fails like this; texts have to be contained. */
  problem(
    name: string,
    cells: Cells,
    expected: Partial<Pick<CellProblem, "stage" | "name" | "message" | "line" | "column" | "hint">>
  ): this {
    return this.test(name, async (opened) => {
      const { report } = await runAll(opened, cells)
      const { problem } = report
      if (problem === undefined) return fail(`the cell was to fail; its value was ${report.preview}`)
      equal(problem.stage, expected.stage ?? "run", "stage")
      if (expected.name !== undefined) equal(problem.name, expected.name, "name")
      if (expected.line !== undefined) equal(problem.line, expected.line, "line")
      if (expected.column !== undefined) equal(problem.column, expected.column, "column")
      if (expected.message !== undefined) includes(problem.message, expected.message, "message")
      if (expected.hint !== undefined) includes(problem.hint ?? "", expected.hint, "hint")
    })
  }
}

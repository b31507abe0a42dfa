/**
 * What every runtime has to do, as cases that run against any of them: in this process, in a child process, or one of
 * your own. Values are compared by structure; what only some runtimes promise is a named capability.
 */
import type * as Layer from "effect/Layer"
import type { RuntimeFactory } from "../Runtime.ts"
import { bindings, boundary, reset, retrieval } from "./conformance/Application.ts"
import type { Capability, ConformanceCase } from "./conformance/Case.ts"
import { awaiting, typescript, value } from "./conformance/Code.ts"
import { errors, failing, hints } from "./conformance/Failures.ts"
import { type Opened, openRuntime } from "./conformance/Opened.ts"
import { concurrency, interrupting, limits } from "./conformance/Running.ts"
import { redeclaration, scope } from "./conformance/Scope.ts"
import { console, globals, strays, timers } from "./conformance/Surroundings.ts"
import { changes, declarations, description, stored } from "./conformance/Telling.ts"

export type { Capability, ConformanceCase } from "./conformance/Case.ts"

export interface ConformanceOptions {
  /** Of the runtime, for the titles. */
  readonly name: string
  readonly layer: Layer.Layer<RuntimeFactory, unknown>
  /**
   * What the runtime does not promise; the cases that need it are left out, and the title says so. Default: it promises
   * all.
   */
  readonly lacks?: ReadonlyArray<Capability> | undefined
}

/** The part of vitest that is used; other test libraries have it too. */
export interface TestLibrary {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/** All cases, as data. */
export const runtimeCases: ReadonlyArray<ConformanceCase> = [
  scope,
  redeclaration,
  typescript,
  awaiting,
  value,
  errors,
  failing,
  hints,
  console,
  globals,
  timers,
  strays,
  bindings,
  boundary,
  retrieval,
  reset,
  changes,
  description,
  declarations,
  stored,
  limits,
  interrupting,
  concurrency
].flatMap((group) => group.cases)

/** Runs one case; rejects where the runtime does not conform. Closes what the case opened. */
export const runCase = async ({ run }: ConformanceCase, layer: ConformanceOptions["layer"]): Promise<void> => {
  const opened: Array<Opened> = []
  try {
    await run(async (options) => {
      const runtime = await openRuntime(layer, options)
      opened.push(runtime)
      return runtime
    })
  } finally {
    for (const runtime of opened) await runtime.close()
  }
}

/**
 * Registers all cases with a test library:
 *
 * ```ts
 * import { describe, it } from "vitest"
 * runtimeConformance({ describe, it }, { name: "vm", layer: VmRuntime.layer })
 * ```
 */
export const runtimeConformance = (
  { describe, it }: TestLibrary,
  { lacks = [], layer, name }: ConformanceOptions
): void => {
  const held = runtimeCases.filter(({ needs }) => !needs.some((capability) => lacks.includes(capability)))
  const groups = Map.groupBy(held, ({ group }) => group)
  describe(`${name} runtime${lacks.length === 0 ? "" : `, which lacks: ${lacks.join(", ")}`}`, () => {
    for (const [group, cases] of groups) {
      describe(group, () => {
        for (const each of cases) it(each.name, () => runCase(each, layer))
      })
    }
  })
}

/**
 * Static rules over a cell, before it runs. Hardening against slips and simple attacks, no sandbox: what is built at
 * run time from data no rule can see, and code in the same process can reach the process. For code that is not trusted
 * there is a runtime in a process of its own, and the boundary for what it may do.
 */
import * as Context from "effect/Context"
import type { CellProblem, ParsedCell } from "./Cell.ts"
import type { SecurityRule } from "./security/SecurityRule.ts"
import { staticCheck } from "./security/StaticCheck.ts"

export interface Security {
  /** An empty array allows. `bound`: names of bindings, and of variables that earlier cells made. */
  readonly check: (cell: ParsedCell, bound: ReadonlySet<string>) => ReadonlyArray<CellProblem>
}

const reference: Context.Reference<Security> = Context.Reference<Security>("@daylight/core/Security", {
  defaultValue: () => standard
})

const make = (rules: ReadonlyArray<SecurityRule>): Security => ({
  check: (cell, bound) => staticCheck.check(rules, cell, bound)
})

const standard = make([{ _tag: "Preset", name: "standard" }])

export const Security = Object.assign(reference, {
  /** The default: forbids what ordinary code of an analyst never does. */
  standard,
  /** Also forbids reflection, all imports and computed calls. */
  strict: make([{ _tag: "Preset", name: "strict" }]),
  /** No rules at all. */
  none: { check: () => [] } as Security,
  /**
   * Rules of one's own, beside a preset or alone.
   *
   * ```ts
   * import { Security } from "@daylight/core"
   *
   * const security = Security.make([
   *   { _tag: "Preset", name: "standard", except: { imports: ["node:os"] } },
   *   { _tag: "Call", paths: ["db.drop*"], instead: "Ask for it in your answer." }
   * ])
   * ```
   */
  make
})

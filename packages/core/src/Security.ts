/**
 * Static rules over a cell, before it runs. Hardening against slips and simple attacks, no sandbox: what is built at
 * run time from data no rule can see, and code in the same process can reach the process. For code that is not trusted
 * there is a runtime in a process of its own, and the boundary for what it may do.
 */
import * as Context from "effect/Context"
import type { CellProblem, ParsedCell } from "./Cell.ts"
import { standardRules, strictRules } from "./security/Presets.ts"
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

const standard = make(standardRules)

export const Security = Object.assign(reference, {
  /** The default: what ordinary code of an analyst never does. */
  standard,
  /** Also forbids reflection, all imports and computed calls. */
  strict: make(strictRules),
  /** No rules at all. */
  none: { check: () => [] } as Security,
  /** The rules of the presets, to be combined with others. */
  rules: { standard: standardRules, strict: strictRules },
  /**
   * Rules of one's own.
   *
   * ```ts
   * import { Security } from "@daylight/core"
   *
   * const security = Security.make([
   *   ...Security.rules.standard,
   *   { _tag: "Call", paths: ["db.drop*"], instead: "Ask for it in your answer." }
   * ])
   * ```
   */
  make,
  /** The standard rules, less some imports, globals or properties that an application grants. */
  standardExcept: (
    granted: {
      readonly imports?: ReadonlyArray<string> | undefined
      readonly globals?: ReadonlyArray<string> | undefined
      readonly properties?: ReadonlyArray<string> | undefined
    }
  ): Security => make(standardRules.map((rule) => relaxed(rule, granted)))
})

const relaxed = (rule: SecurityRule, granted: Parameters<typeof Security.standardExcept>[0]): SecurityRule => {
  switch (rule._tag) {
    case "Import":
      return { ...rule, except: [...rule.except ?? [], ...granted.imports ?? []] }
    case "Global":
      return { ...rule, names: without(rule.names, granted.globals) }
    case "Property":
      return { ...rule, names: without(rule.names, granted.properties) }
    default:
      return rule
  }
}

const without = (names: ReadonlyArray<string>, granted: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  names.filter((name) => !granted.includes(name))

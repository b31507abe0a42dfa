/**
 * Checks a cell against rules in one walk over its tree. Each rule reports a place once; a rule that throws forbids the
 * cell.
 */
import type { AnyNode, Program } from "acorn"
import type { CellProblem } from "../Cell.ts"
import { forEachChild } from "../syntax/Children.ts"
import { lineStarts } from "../syntax/Text.ts"
import { compileRule } from "./Compile.ts"
import type { CompiledRule, Finding, Report, Visit } from "./CompiledRule.ts"
import { withPresets } from "./Presets.ts"
import type { SecurityRule } from "./SecurityRule.ts"
import type { StaticCheck } from "./StaticCheck.ts"
import { View } from "./View.ts"

interface Looking {
  /** Place among the rules. */
  readonly rule: number
  readonly visit: Visit
}

interface Compiled {
  readonly rules: ReadonlyArray<CompiledRule>
  /** Which rules look at which kind of node. */
  readonly byType: ReadonlyMap<string, ReadonlyArray<Looking>>
}

const compiled = new WeakMap<ReadonlyArray<SecurityRule>, Compiled>()

const compile = (rules: ReadonlyArray<SecurityRule>): Compiled => {
  let known = compiled.get(rules)
  if (known === undefined) {
    const all = withPresets(rules).map(compileRule)
    const byType = new Map<string, Array<Looking>>()
    for (const [rule, { visits }] of all.entries()) {
      for (const [type, visit] of Object.entries(visits)) {
        const list = byType.get(type)
        if (list === undefined) byType.set(type, [{ rule, visit }])
        else list.push({ rule, visit })
      }
    }
    compiled.set(rules, known = { rules: all, byType })
  }
  return known
}

type Found = Finding & { readonly rule: string }

export const checkRules: StaticCheck = (rules, cell, bound) => {
  const { byType, rules: all } = compile(rules)
  const program = cell.program as unknown as Program
  const view = new View(program, cell.javascript, bound)
  const findings: Array<Found> = []
  const seen = new Set<string>()
  const add = ({ instead, name }: CompiledRule, finding: Finding): void => {
    const place = `${name}:${finding.offset}`
    if (seen.has(place)) return
    seen.add(place)
    findings.push({ instead, ...finding, rule: name })
  }
  const failed = (rule: CompiledRule, error: unknown): void =>
    add(rule, { what: `the rule failed: ${error instanceof Error ? error.message : String(error)}` })
  const reports = all.map((rule): Report => (what, at) => add(rule, { what, offset: at.start }))

  const { ancestors } = view
  const walk = (node: AnyNode): void => {
    const looking = byType.get(node.type)
    if (looking !== undefined) {
      for (const { rule, visit } of looking) {
        try {
          visit(node, view, reports[rule]!)
        } catch (error) {
          failed(all[rule]!, error)
        }
      }
    }
    ancestors.push(node)
    forEachChild(node, walk)
    ancestors.pop()
  }
  walk(program)
  for (const rule of all) {
    try {
      for (const finding of rule.whole?.(cell, bound) ?? none) add(rule, finding)
    } catch (error) {
      failed(rule, error)
    }
  }
  if (findings.length === 0) return none
  const starts = lineStarts(cell.code)
  return findings.sort((a, b) => (a.offset ?? -1) - (b.offset ?? -1)).map((finding) => problemOf(finding, starts))
}

const none: ReadonlyArray<never> = []

const problemOf = (
  { instead, offset, rule, what }: Found,
  starts: ReadonlyArray<number>
): CellProblem => ({
  stage: "security",
  name: "SecurityViolation",
  message: `${what} (rule ${rule})`,
  frames: [],
  ...(offset !== undefined && placeOf(offset, starts)),
  ...(instead !== undefined && { hint: instead })
})

const placeOf = (offset: number, starts: ReadonlyArray<number>): { line: number; column: number } => {
  let line = starts.length - 1
  while (line > 0 && starts[line]! > offset) line--
  return { line: line + 1, column: offset - starts[line]! + 1 }
}

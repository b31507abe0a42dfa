import type { AnyNode } from "acorn"
import type { ParsedCell } from "../Cell.ts"
import type { View } from "./View.ts"

/** One thing that a rule found. */
export interface Finding {
  readonly what: string
  readonly offset?: number | undefined
  readonly instead?: string | undefined
}

export type Report = (what: string, at: AnyNode) => void

/** What one rule does at one kind of node. */
export type Visit = (node: any, view: View, report: Report) => void

/** A rule, ready to be used on many cells. */
export interface CompiledRule {
  readonly name: string
  readonly instead: string | undefined
  /** By type of node. */
  readonly visits: { readonly [type: string]: Visit }
  /** Over the cell as a whole. */
  readonly whole?: ((cell: ParsedCell, bound: ReadonlySet<string>) => ReadonlyArray<Finding>) | undefined
}

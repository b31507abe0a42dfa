/**
 * One piece of model-written code: parsed, run, reported.
 */
import * as Schema from "effect/Schema"
import type { CellLimits } from "./Limits.ts"

/**
 * A cell, parsed once, in the host: the static rules, the type check and the notebook rewrite all work on this.
 * Runtimes get it ready-made, so both have the same semantics and a kernel carries no parser. Offsets are those of
 * `code`.
 */
export interface ParsedCell {
  readonly code: string
  /**
   * The same text with types blanked: equal length, equal lines. Enums, namespaces and parameter properties are a
   * syntax problem that names the plain alternative.
   */
  readonly javascript: string
  /** ESTree. */
  readonly program: { readonly type: "Program"; readonly body: ReadonlyArray<unknown> }
  /**
   * The notebook form, one expression: top-level names are properties of the namespace, the last expression is the
   * value. Compiled with a line offset of -1.
   */
  readonly rewritten: string
  /**
   * Top-level function declarations, blanked in `rewritten`: each is a script of its own at its own place, so that
   * hoisting stays native.
   */
  readonly hoisted: ReadonlyArray<
    { readonly name: string; readonly code: string; readonly line: number; readonly column: number }
  >
  /** What the cell declares. A runtime defines them first, and takes those back that a failing cell never assigned. */
  readonly names: ReadonlyMap<string, "let" | "const" | "var" | "function" | "class" | "import">
  readonly imports: ReadonlyArray<string>
  /** `rewritten` gives a promise. */
  readonly awaits: boolean
}

/** Interrupting the fiber of `execute` stops the cell: there is no second way. */
export interface Cell {
  readonly id: number
  readonly parsed: ParsedCell
  readonly limits: CellLimits
  /** Randomness of the cell grows from it; clock readings are recorded. */
  readonly seed: string
}

/**
 * Clock readings of one cell, run-length coded `[ms, reads, ...]` in steps of 0.1 ms, in order. Each event carries
 * those that no earlier event carries, so a crash leaves no hole.
 */
export const Entropy = Schema.Array(Schema.Finite)
export type Entropy = typeof Entropy.Type

export const CellProblem = Schema.Struct({
  /** Where it stopped. Up to `types` nothing has run, so no side effect has happened. */
  stage: Schema.Literals(["syntax", "security", "types", "run", "timeout", "limit", "crash", "interrupted"]),
  name: Schema.String,
  message: Schema.String,
  /** 1-based, in the model's own text. */
  line: Schema.optional(Schema.Int),
  column: Schema.optional(Schema.Int),
  frames: Schema.Array(Schema.String),
  hint: Schema.optional(Schema.String)
})
export type CellProblem = typeof CellProblem.Type

/** One variable of a namespace, as the model is told of it. */
export const Variable = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  shape: Schema.optional(Schema.String),
  bytes: Schema.optional(Schema.Int),
  sample: Schema.String
})
export type Variable = typeof Variable.Type

/** What a cell changed. */
export const NamespaceDiff = Schema.Struct({
  added: Schema.Array(Variable),
  changed: Schema.Array(Variable),
  removed: Schema.Array(Schema.String),
  lost: Schema.Array(Schema.Struct({ name: Schema.String, path: Schema.String, reason: Schema.String }))
})
export type NamespaceDiff = typeof NamespaceDiff.Type

/**
 * What a cell did, as it is stored and told to the model. A failing cell is a report with a `problem`, not an error.
 */
export const CellReport = Schema.Struct({
  problem: Schema.optional(CellProblem),
  preview: Schema.String,
  stdout: Schema.String,
  stderr: Schema.String,
  /** Names under which oversized output was bound. */
  stored: Schema.Array(Schema.String),
  namespace: NamespaceDiff,
  durationMs: Schema.Finite
})
export type CellReport = typeof CellReport.Type

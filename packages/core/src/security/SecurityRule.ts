/**
 * Rules over the text of a cell, as data. Each kind sees through aliases, destructuring, computed access with constant
 * texts, `globalThis[...]` and `Reflect`, as far as one cell shows them; names that the cell declares itself, and
 * methods that merely share a name, are left alone.
 */
import type { ParsedCell } from "../Cell.ts"

interface Named {
  /** Names the rule in what it reports. Default: its kind. */
  readonly name?: string | undefined
  /** What to do instead: told to the model. */
  readonly instead?: string | undefined
}

/** All rules of a preset, less what is granted by name. */
export interface PresetRule {
  readonly _tag: "Preset"
  readonly name: "standard" | "strict"
  readonly except?: Granted | undefined
}

/** What a preset forbids and an application needs. */
export interface Granted {
  /** Globs over specifiers. */
  readonly imports?: ReadonlyArray<string> | undefined
  readonly globals?: ReadonlyArray<string> | undefined
  readonly properties?: ReadonlyArray<string> | undefined
}

/** Modules, by globs over specifiers. A specifier that is computed cannot be judged and is refused. */
export interface ImportRule extends Named {
  readonly _tag: "Import"
  readonly modules: ReadonlyArray<string>
  readonly except?: ReadonlyArray<string> | undefined
}

/** Global names. `typeof name` stays allowed. `globalThis` stands for the global object as a value. */
export interface GlobalRule extends Named {
  readonly _tag: "Global"
  readonly names: ReadonlyArray<string>
}

/**
 * Functions by path, such as `db.drop` or `orders.*`: calls, and every other mention, since who holds a function can
 * call it.
 */
export interface CallRule extends Named {
  readonly _tag: "Call"
  readonly paths: ReadonlyArray<string>
}

/** Properties of anything. */
export interface PropertyRule extends Named {
  readonly _tag: "Property"
  readonly names: ReadonlyArray<string>
}

/**
 * Code made from text: `eval`, `Function`, timers with a text, and `constructor`, by which any function leads to them.
 * `x.constructor.name`, comparisons, and `this.constructor` in a class stay allowed.
 */
export interface CodeFromTextRule extends Named {
  readonly _tag: "CodeFromText"
}

/** Changes of what belongs to the language: `Array.prototype.map = …`, `JSON.parse = …`. */
export interface TamperingRule extends Named {
  readonly _tag: "Tampering"
}

/** Calls of a method whose name is computed from what is not known: `x[key](…)`. */
export interface ComputedCallRule extends Named {
  readonly _tag: "ComputedCall"
}

/** A regular expression over the whole text, comments and all; reported once. */
export interface PatternRule extends Named {
  readonly _tag: "Pattern"
  readonly pattern: RegExp
}

/** Anything else. One that throws forbids the cell. */
export interface CustomRule extends Named {
  readonly _tag: "Custom"
  readonly check: (
    cell: ParsedCell,
    bound: ReadonlySet<string>
  ) => ReadonlyArray<
    {
      readonly what: string
      /** Where in `cell.code`. */
      readonly offset?: number | undefined
      readonly instead?: string | undefined
    }
  >
}

export type SecurityRule =
  | PresetRule
  | ImportRule
  | GlobalRule
  | CallRule
  | PropertyRule
  | CodeFromTextRule
  | TamperingRule
  | ComputedCallRule
  | PatternRule
  | CustomRule

/**
 * An agent: an immutable definition of who acts, on what, within which limits. Defining one runs nothing; a `Session`
 * runs it.
 */
import * as Duration from "effect/Duration"
import type * as Layer from "effect/Layer"
import type { Binding } from "./Binding.ts"
import { Defaults } from "./Defaults.ts"
import { InvalidInput } from "./InvalidInput.ts"
import { checkDistinct } from "./internal/Names.ts"
import type { CellLimits, Limits } from "./Limits.ts"
import type { Model } from "./Model.ts"
import type { Policy } from "./Policy.ts"
import type { RuntimeFactory } from "./Runtime.ts"

/**
 * `tool`: one tool `run({ code })`. `fence`: a ```` ```ts run ```` block. `functions`: bindings as JSON tools, for
 * comparison and weak models. `{ open, close }`: tags that a model was trained on, such as `<execute>` and
 * `</execute>`; parsed as `fence` is.
 */
export type ActionFormat = "tool" | "fence" | "functions" | { readonly open: string; readonly close: string }

export interface Agent {
  readonly name: string
  readonly description?: string | undefined
  readonly instructions: string
  /** Replaces the built-in rules of the system prompt. */
  readonly rules?: string | undefined
  readonly bindings: ReadonlyArray<Binding>
  /** Absent: `tool` where the model supports tools, else `fence`. */
  readonly action?: ActionFormat | undefined
  /** Per run. A session's own limits are given when it is opened. */
  readonly limits: Limits
  readonly cells: CellLimits
  /** Overrides of the surrounding services, so that children may use another model or runtime than their parent. */
  readonly model?: Layer.Layer<Model, unknown> | undefined
  readonly runtime?: Layer.Layer<RuntimeFactory, unknown> | undefined
  readonly policy?: Policy | undefined
}

export interface AgentDefinition extends Omit<Partial<Agent>, "name" | "cells"> {
  readonly name: string
  readonly cells?: Partial<CellLimits> | undefined
}

/**
 * Checks a definition and fills in the defaults. Throws `InvalidInput`, naming what is wrong and the remedy.
 *
 * ```ts
 * import { Agent, Binding } from "@daylight/core"
 *
 * const analyst = Agent.make({ name: "analyst", bindings: [Binding.variable("rows", [1, 2, 3])] })
 * analyst.limits.steps // => 10
 * ```
 */
const make = (definition: AgentDefinition): Agent => {
  if (typeof definition.name !== "string" || definition.name.trim() === "") {
    throw new InvalidInput({ subject: "agent", problem: "has no name", remedy: 'Pass { name: "..." }' })
  }
  const subject = `agent ${JSON.stringify(definition.name)}`
  const bindings = definition.bindings ?? []
  checkDistinct(bindings.map((binding) => binding.name))
  const limits = { steps: Defaults.steps, ...definition.limits }
  checkLimits(subject, limits)
  const cells = { ...Defaults.cell, ...definition.cells }
  checkCells(subject, cells)
  checkAction(subject, definition.action)
  return Object.freeze({
    ...definition,
    instructions: definition.instructions ?? "",
    bindings: Object.freeze([...bindings]),
    limits,
    cells
  })
}

/** Throws `InvalidInput` for a limit that is negative or no number. Zero is allowed: it stops before the first step. */
export const checkLimits = (subject: string, limits: Limits): void => {
  for (const [unit, limit] of Object.entries(limits)) {
    if (limit === undefined) continue
    const value = unit === "time" ? millis(limit) : limit
    if (typeof value !== "number" || Number.isNaN(value) || value < 0) {
      throw new InvalidInput({
        subject,
        problem: `limit ${unit} is ${String(limit)}`,
        remedy: "Give zero, a positive number, or Infinity for none"
      })
    }
  }
}

const checkCells = (subject: string, cells: CellLimits): void => {
  for (const [key, limit] of Object.entries(cells)) {
    const value = key === "time" || key === "cpu" ? millis(limit) : limit
    if (typeof value !== "number" || Number.isNaN(value) || value < 0) {
      throw new InvalidInput({
        subject,
        problem: `cell limit ${key} is ${String(limit)}`,
        remedy: "Give zero or a positive number"
      })
    }
  }
}

const millis = (input: unknown): number => {
  try {
    return Duration.toMillis(Duration.fromInputUnsafe(input as Duration.Input))
  } catch {
    return NaN // not a duration: told by the caller, who knows the name of the limit
  }
}

const checkAction = (subject: string, action: ActionFormat | undefined): void => {
  if (action === undefined || action === "tool" || action === "fence" || action === "functions") return
  const ok = typeof action === "object" &&
    [action.open, action.close].every((tag) => typeof tag === "string" && tag.trim() !== "")
  if (!ok || action.open === action.close) {
    throw new InvalidInput({
      subject,
      problem: `action is ${JSON.stringify(action)}`,
      remedy: 'Use "tool", "fence", "functions" or { open, close } with two different tags'
    })
  }
}

/** `Agent.make` is the only constructor. */
export const Agent = { make }

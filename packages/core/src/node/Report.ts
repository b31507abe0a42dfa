/**
 * What a cell did, for the log and the model. Holds nothing that differs from run to run but the duration.
 */
import { types } from "node:util"
import type { CellProblem, CellReport } from "../Cell.ts"
import { previewOf } from "./Inspect.ts"
import { partOfValue, shownInPart } from "./Stored.ts"
import type { Workspace } from "./Workspace.ts"

export interface ReportLimits {
  /** Output up to this many characters is shown whole. */
  readonly inlineChars: number
  /** What is shown of longer output. */
  readonly previewChars: number
}

/** `value` only counts where there is no problem. */
export const reportOf = (
  workspace: Workspace,
  ended: {
    readonly code: string
    readonly value: unknown
    readonly problem: CellProblem | undefined
    readonly stdout: string
    readonly stderr: string
    readonly durationMs: number
  },
  limits: ReportLimits
): CellReport => {
  const stored: Array<string> = []
  const text = (what: string, output: string): string => {
    if (output.length <= limits.inlineChars) return output
    const keeping = workspace.stored.keep(output, Buffer.byteLength(output))
    stored.push(keeping.name)
    return shownInPart(what, output, keeping, limits.previewChars)
  }
  const value = (): string => {
    if (typeof ended.value === "string") {
      return ended.value.length <= limits.inlineChars || workspace.variables.nameOf(ended.value) === undefined
        ? text("value", ended.value)
        : shortened(ended.value, limits)
    }
    const preview = previewOf(ended.value)
    if (preview.whole && preview.text.length <= limits.inlineChars) return preview.text
    const shown = preview.text.length <= limits.inlineChars ? preview.text : shortened(preview.text, limits)
    const name = workspace.variables.nameOf(ended.value)
    if (name !== undefined) return `${shown}\n[shown in part: the whole value is in the variable ${name}]`
    const keeping = workspace.stored.keep(ended.value, preview.text.length)
    stored.push(keeping.name)
    return `${shown}\n${partOfValue(keeping)}`
  }
  const preview = ended.problem === undefined ? value() : ""
  const stdout = text("output", ended.stdout)
  const stderr = text("error output", ended.stderr)
  for (const name of stored) workspace.variables.note(name)
  return {
    ...(ended.problem === undefined ? {} : { problem: ended.problem }),
    preview,
    stdout,
    stderr,
    stored,
    namespace: workspace.variables.diff(ended.code),
    durationMs: ended.durationMs
  }
}

const shortened = (text: string, { previewChars }: ReportLimits): string =>
  `${text.slice(0, previewChars)}\n[... ${text.length - previewChars} characters not shown ...]`

/** Whether the last value of a cell is worth waiting for: a promise of any realm, and no lazy look-alike. */
export const isPromise = (value: unknown): value is Promise<unknown> => types.isPromise(value)

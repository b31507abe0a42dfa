/** What came of a cell: time, output, value or problem with the model's own line, and what changed in the namespace. */
import type { CellProblem, CellReport, NamespaceDiff, Variable } from "@daylight/core"
import { abbreviate } from "./Abbreviated.ts"
import { codeRow, gutter } from "./CodeView.ts"
import { Highlighter } from "./Highlighter.ts"
import { type Role, type Span, span } from "./Paint.ts"
import { bytes, duration } from "./Quantity.ts"
import type { Rows } from "./Rows.ts"
import { safe } from "./Safe.ts"
import { valueRows } from "./ValueRows.ts"
import { fit } from "./Width.ts"

const maxVariables = 8
/** Columns of a sample that are shown even if the row has to wrap. */
const minSample = 24

/** Closes the frame of a cell. `withOutput` is false where the output was already shown as it came. */
export const reportRows = (rows: Rows, report: CellReport, code: string, withOutput: boolean): void => {
  const title = titleOf(report)
  const body = () => {
    if (withOutput) outputRows(rows, report)
    if (report.problem) problemRows(rows, report.problem, code)
    else if (hasValue(report.preview)) valueRows(rows, report.preview)
    for (const name of report.stored) {
      rows.noted("▤", "dim", [span("the whole output is in ", "dim"), span(name, "property")])
    }
    namespaceRows(rows, report.namespace)
  }
  if (isBare(report, withOutput)) rows.rule("╰", title)
  else {
    rows.rule("├", title)
    body()
    rows.rule("╰", [])
  }
}

const titleOf = ({ durationMs, problem }: CellReport): ReadonlyArray<Span> => {
  const time = duration(durationMs)
  if (!problem) return [span("✓", "good"), span(` ${time}`, "dim")]
  return [span(`✗ ${stages[problem.stage] ?? problem.stage}`, "bad"), span(` · ${time}`, "dim")]
}

const stages: Readonly<Record<CellProblem["stage"], string>> = {
  syntax: "not run: syntax",
  security: "not run: forbidden",
  types: "not run: types",
  run: "failed",
  timeout: "timed out",
  limit: "stopped at a limit",
  crash: "the runtime crashed",
  interrupted: "interrupted"
}

const hasValue = (preview: string): boolean => preview !== "" && preview !== "undefined"

const isBare = ({ namespace, preview, problem, stderr, stdout, stored }: CellReport, withOutput: boolean): boolean =>
  !problem && !hasValue(preview) && stored.length === 0 && !(withOutput && `${stdout}${stderr}` !== "") &&
  namespace.added.length + namespace.changed.length + namespace.removed.length + namespace.lost.length === 0

const outputRows = (rows: Rows, { stderr, stdout }: CellReport): void => {
  for (const { omission, text } of abbreviate(stdout)) rows.row([omission ? span(text, "dim") : span(text)])
  for (const { omission, text } of abbreviate(stderr)) {
    rows.noted("!", "warn", [omission ? span(text, "dim") : span(text, "warn")])
  }
}

const problemRows = (rows: Rows, problem: CellProblem, code: string): void => {
  const named = problem.message.startsWith(problem.name) ? "" : `${problem.name}: `
  abbreviate(`${named}${problem.message}`).forEach(({ text }) => rows.row([span(text, "bad")]))
  if (problem.line !== undefined) excerpt(rows, code, problem.line, problem.column)
  for (const frame of furtherFrames(problem)) rows.row([span(`  ${frame.trim()}`, "dim")], 4)
  if (problem.hint) rows.noted("▸", "warn", [span(problem.hint, "warn")])
}

/** Where it was called from; the first frame is the marked line itself. */
const furtherFrames = ({ frames, line }: CellProblem): ReadonlyArray<string> => {
  const marked = line !== undefined && new RegExp(`:${line}(:\\d+)?\\)?$`).test(frames[0]?.trim() ?? "")
  return frames.slice(marked ? 1 : 0, 4)
}

/** The line where it went wrong, with its neighbours. */
const excerpt = (rows: Rows, code: string, line: number, column: number | undefined): void => {
  const lines = code.split("\n")
  const highlighter = new Highlighter()
  const spans = lines.slice(0, line + 1).map((text) => highlighter.line(text))
  for (let number = Math.max(1, line - 1); number <= Math.min(line + 1, lines.length); number += 1) {
    const wrong = number === line
    if (!wrong && lines[number - 1]?.trim() === "") continue
    const mark = wrong ? span(gutter(number, "▸"), "bad") : span(gutter(number), "dim")
    codeRow(rows, mark, spans[number - 1] ?? [])
    if (wrong && column !== undefined && (lines[line - 1]?.length ?? 0) < rows.columns - 6) {
      rows.row([span(" ".repeat(gutter(number).length + Math.max(0, column - 1))), span("^", "bad")])
    }
  }
}

const namespaceRows = (rows: Rows, { added, changed, lost, removed }: NamespaceDiff): void => {
  variableRows(rows, "+", "good", added)
  variableRows(rows, "~", "warn", changed)
  if (removed.length > 0) rows.noted("-", "bad", [span(removed.join(", "), "property")])
  for (const { name, path, reason } of lost) {
    const where = path === "" || path === name ? name : `${name} (${path})`
    rows.noted("!", "bad", [span(where, "property"), span(` lost: ${reason}`, "bad")])
  }
}

const variableRows = (rows: Rows, sign: string, role: Role, variables: ReadonlyArray<Variable>): void => {
  for (const variable of variables.slice(0, maxVariables)) {
    rows.noted(sign, role, variableSpans(variable, rows.columns - 2))
  }
  const more = variables.length - maxVariables
  if (more > 0) rows.noted(sign, role, [span(`and ${more} more`, "dim")])
}

/** Name, type, shape, size and sample of a variable, as in `/vars`. The sample is cut to fit into one row. */
export const variableSpans = (variable: Variable, columns: number): ReadonlyArray<Span> => {
  const shape = variable.shape ? ` ${variable.shape}` : ""
  const size = variable.bytes === undefined ? "" : ` ${bytes(variable.bytes)}`
  const about = `${variable.name}: ${variable.type}${shape}${size}`
  const sample = variable.type === "function" ? "" : safe(variable.sample.replaceAll(/\s*\n\s*/g, " "))
  return [
    span(variable.name, "property"),
    span(`: ${variable.type}`),
    span(`${shape}${size}`, "dim"),
    ...(sample === "" ? [] : [span(`  ${fit(sample, Math.max(minSample, columns - about.length - 2))}`, "dim")])
  ]
}

import type { CellProblem, CellReport, NamespaceDiff, Variable } from "../Cell.ts"
import type { Message } from "../Message.ts"

type FeedbackPart = (typeof Message.cases.Result.Type)["content"][number]

/** The answer to one action. */
export const feedback = (id: string, ok: boolean, text: string): FeedbackPart => ({
  _tag: "Feedback",
  id,
  ok,
  content: [{ _tag: "Text", text: text.toWellFormed() }]
})

/**
 * What the model is told of a cell: output, value or error, and what changed in its namespace. Holds no duration, clock
 * or host frame, so a replay sends the same bytes.
 */
export const cellFeedback = (code: string, report: CellReport, repeated: boolean): string => {
  const sections = [
    section("stdout", report.stdout),
    section("stderr", report.stderr),
    report.problem === undefined ? section("value", report.preview) : problemText(code, report.problem, repeated),
    namespaceText(report.namespace)
  ].filter((text) => text !== "")
  return sections.length === 0 ? "(no output)" : sections.join("\n")
}

const section = (title: string, text: string): string => text === "" ? "" : `[${title}]\n${text.replace(/\n$/, "")}`

const problemText = (code: string, problem: CellProblem, repeated: boolean): string => {
  const lines = [
    `[${problem.stage === "run" ? "error" : `${problem.stage} error`}] ${problem.name}: ${problem.message}${
      place(problem)
    }`
  ]
  const excerpt = excerptOf(code, problem)
  if (excerpt !== "") lines.push(excerpt)
  if (repeated) {
    lines.push(
      "[same] This is the same error as in the cell before. The last change did not help: look at what the values really are."
    )
  }
  if (problem.hint !== undefined) lines.push(`[hint] ${problem.hint}`)
  return lines.join("\n")
}

const place = ({ column, line }: CellProblem): string =>
  line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`

/** The line of the problem with one before it, and a mark under the column. */
const excerptOf = (code: string, { column, line }: CellProblem): string => {
  const source = code.split("\n")
  if (line === undefined || line < 1 || line > source.length) return ""
  const width = String(line).length
  const numbered = (n: number) => `${String(n).padStart(width + 2)} | ${source[n - 1]!.slice(0, 200)}`
  const shown = line > 1 ? [numbered(line - 1), numbered(line)] : [numbered(line)]
  if (column !== undefined && column <= 200) shown.push(`${" ".repeat(width + 2)} | ${" ".repeat(column - 1)}^`)
  return shown.join("\n")
}

/** One line a variable: `+` appeared, `~` changed, `-` gone, `!` lost with the reason. */
const namespaceText = ({ added, changed, lost, removed }: NamespaceDiff): string =>
  section(
    "variables",
    [
      ...added.map((variable) => `+ ${variableLine(variable)}`),
      ...changed.map((variable) => `~ ${variableLine(variable)}`),
      ...removed.map((name) => `- ${name}`),
      ...lost.map(({ name, path, reason }) => `! ${path || name} is lost: ${reason}`)
    ].join("\n")
  )

/** `orders: Array[3201] = [{ id: 1, … }]` */
export const variableLine = ({ name, sample, shape, type }: Variable): string =>
  `${name}: ${type}${shape ?? ""}${sample === "" ? "" : ` = ${sample}`}`

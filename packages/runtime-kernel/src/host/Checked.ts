/**
 * What a kernel says is looked at before it is used: code that has got out of its context can say anything. What is
 * thrown here ends the kernel.
 */
import type { CellProblem, CellReport, NamespaceDiff, Variable } from "@daylight/core"
import type { PrintLimits } from "@daylight/core/node"
import type { Clock, LiveVariable, OperationMessage, Question, SavedNamespace } from "../wire/Messages.ts"
import {
  fieldsOf,
  finite,
  listOf,
  object,
  oneOf,
  optional,
  pairOf,
  recordOf,
  type Shape,
  text,
  whole
} from "./Shapes.ts"

const isProblem = fieldsOf<CellProblem>({
  stage: oneOf("syntax", "security", "types", "run", "timeout", "limit", "crash", "interrupted"),
  name: text,
  message: text,
  line: optional(whole),
  column: optional(whole),
  frames: listOf(text),
  hint: optional(text)
})

const areVariables = listOf(
  fieldsOf<Variable>({ name: text, type: text, shape: optional(text), bytes: optional(whole), sample: text })
)

const areLost = listOf(fieldsOf<NamespaceDiff["lost"][number]>({ name: text, path: text, reason: text }))

const isReport = fieldsOf<CellReport>({
  problem: optional(isProblem),
  preview: text,
  stdout: text,
  stderr: text,
  stored: listOf(text),
  namespace: fieldsOf<NamespaceDiff>({
    added: areVariables,
    changed: areVariables,
    removed: listOf(text),
    lost: areLost
  }),
  durationMs: finite
})

const isSaved = fieldsOf<SavedNamespace>({
  data: text,
  sources: listOf(fieldsOf<SavedNamespace["sources"][number]>({ name: text, code: text })),
  lost: areLost,
  names: listOf(text),
  references: listOf(fieldsOf<SavedNamespace["references"][number]>({ id: finite, path: text })),
  clock: finite,
  pending: finite,
  callbacks: recordOf(finite),
  lastCallback: finite
})

const areLive = listOf((value) =>
  Array.isArray(value) && text(value[0]) && finite(value[1]) && text(value[2]) && finite(value[3])
)

/** By question. What else is asked has an answer of which nothing is expected. */
const answers: { readonly [Is in Question["is"]]?: Shape } = {
  get: optional(object),
  taken: optional(text),
  describe: areVariables,
  made: listOf(pairOf(text, object)),
  snapshot: isSaved,
  restore: areLost
}

const operations: ReadonlySet<unknown> = new Set<OperationMessage["op"]>([
  "call",
  "construct",
  "get",
  "set",
  "has",
  "own",
  "keys",
  "next",
  "stop"
])

export const checkedReport = (report: unknown): CellReport => {
  if (isReport(report)) return report as CellReport
  throw new TypeError("the kernel sent a report that is none")
}

export const checkedLive = (live: unknown = []): ReadonlyArray<LiveVariable> => {
  if (areLive(live)) return live as ReadonlyArray<LiveVariable>
  throw new TypeError("the kernel sent a list of live objects that is none")
}

export const checkedClock = (clock: Clock): Clock => {
  for (const reading of clock) if (!Number.isFinite(reading)) throw new TypeError("the kernel read no time off a clock")
  return clock
}

/** Of a call, a timer, work. */
export const checkIssued = (
  message: { readonly cell: number; readonly n: number; readonly after: number; readonly clock: Clock }
): void => {
  const { after, cell, clock, n } = message
  if (!Number.isInteger(cell) || !Number.isInteger(n) || !Number.isInteger(after)) {
    throw new TypeError("the kernel issued something without a number")
  }
  checkedClock(clock)
}

export const checkOperation = ({ id, key, op }: OperationMessage): void => {
  if (!Number.isInteger(id) || !operations.has(op) || (key !== undefined && typeof key !== "string")) {
    throw new TypeError("the kernel asked for no operation")
  }
}

const mostPrinted: PrintLimits = { depth: 20, items: 200, keys: 400, stringChars: 20_000, nodes: 40_000, line: 10_000 }

/** Nobody is shown more than that. */
export const checkedLimits = (limits: PrintLimits): PrintLimits => {
  const atMost = (name: keyof PrintLimits): number => {
    const limit: unknown = limits[name]
    if (typeof limit !== "number" || Number.isNaN(limit)) throw new TypeError("the kernel asked to see without limits")
    return Math.min(limit, mostPrinted[name])
  }
  return {
    depth: atMost("depth"),
    items: atMost("items"),
    keys: atMost("keys"),
    stringChars: atMost("stringChars"),
    nodes: atMost("nodes"),
    line: atMost("line")
  }
}

/** The kernel keeps to its limits, unless it is one no more. */
export const checkCount = (count: number, most: number): void => {
  if (count > most) throw new RangeError(`the kernel goes on after ${most}, which is its limit`)
}

export const checkedSaved = (saved: unknown): SavedNamespace => {
  if (isSaved(saved)) return saved as SavedNamespace
  throw new TypeError("the kernel sent a namespace that is none")
}

export const checkedAnswer = ({ is }: Question, answer: unknown): unknown => {
  if (answers[is]?.(answer) !== false) return answer
  throw new TypeError(`the kernel gave something else as an answer to "${is}"`)
}

/**
 * What a kernel says is looked at before it is used: code that has got out of its context can say anything. What is
 * thrown here ends the kernel.
 */
import { CellReport, NamespaceDiff, Variable } from "@daylight/core"
import type { PrintLimits } from "@daylight/core/node"
import * as Schema from "effect/Schema"
import type { Clock, OperationMessage, Question, SavedNamespace } from "../wire/Messages.ts"

const Saved = Schema.Struct({
  data: Schema.String,
  sources: Schema.Array(Schema.Struct({ name: Schema.String, code: Schema.String })),
  lost: NamespaceDiff.fields.lost,
  names: Schema.Array(Schema.String),
  references: Schema.Array(Schema.Struct({ id: Schema.Finite, path: Schema.String })),
  clock: Schema.Finite,
  pending: Schema.Finite,
  callbacks: Schema.Record(Schema.String, Schema.Finite),
  lastCallback: Schema.Finite
})

/** By question. What else is asked has an answer of which nothing is expected. */
const answers: { readonly [Is in Question["is"]]?: (answer: unknown) => boolean } = {
  get: (answer) => answer === undefined || (typeof answer === "object" && answer !== null),
  taken: (answer) => answer === undefined || typeof answer === "string",
  describe: Schema.is(Schema.Array(Variable)),
  made: Schema.is(Schema.Array(Schema.Tuple([Schema.String, Schema.ObjectKeyword]))),
  snapshot: Schema.is(Saved),
  restore: Schema.is(NamespaceDiff.fields.lost)
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

const isReport = Schema.is(CellReport)
const isSaved = Schema.is(Saved)

export const checkedReport = (report: unknown): CellReport => {
  if (isReport(report)) return report
  throw new TypeError("the kernel sent a report that is none")
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
  if (isSaved(saved)) return saved
  throw new TypeError("the kernel sent a namespace that is none")
}

export const checkedAnswer = ({ is }: Question, answer: unknown): unknown => {
  if (answers[is]?.(answer) !== false) return answer
  throw new TypeError(`the kernel gave something else as an answer to "${is}"`)
}

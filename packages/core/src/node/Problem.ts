/**
 * What a cell threw, as the report says it: name, message, the place in the model's own text, frames of cells only.
 */
import { types } from "node:util"
import type { CellProblem, ParsedCell } from "../Cell.ts"
import { CellStopped } from "./CellRun.ts"
import { originalColumn } from "./Columns.ts"
import { parseFrames, showFrame } from "./Frames.ts"
import { sampleOf } from "./Inspect.ts"

/** The parts of a failure that can be read, whatever was thrown. */
export interface Failure {
  readonly error: unknown
  readonly stage: CellProblem["stage"]
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** Reads a thrown value without letting it throw again. */
export const failureOf = (error: unknown): Failure => {
  const stage = CellStopped.is(error) ? error.stage : "run"
  if (typeof error !== "object" || error === null || types.isProxy(error)) {
    return { error, stage, name: "Thrown", message: typeof error === "string" ? error : sampleOf(error), stack: "" }
  }
  const name = textOf(error, "name") ?? textOf(error, "_tag") ?? "Thrown"
  return {
    error,
    stage,
    name,
    message: textOf(error, "message") ?? sampleOf(error),
    stack: textOf(error, "stack") ?? ""
  }
}

/** Where calls into the application were issued; their errors were made where no frame of a cell is on the stack. */
const sites = new WeakMap<object, { readonly stack?: string | undefined }>()

/** Remembers the place of the call that failed with `error`. */
export const issuedAt = (error: unknown, site: { readonly stack?: string | undefined }): void => {
  if (typeof error === "object" && error !== null && !sites.has(error)) sites.set(error, site)
}

/** The cell that failed, with the texts that tell its columns. */
export interface Failed {
  readonly id: number
  readonly parsed: Pick<ParsedCell, "code" | "rewritten" | "hoisted">
}

/** Line and column are those of the cell's own text. */
export const problemOf = (failure: Failure, cell: Failed, hint?: string | undefined): CellProblem => {
  const { error, stage, name, message } = failure
  let frames = parseFrames(failure.stack)
  if (!frames.some((frame) => frame.cell === cell.id) && typeof error === "object" && error !== null) {
    frames = [...frames, ...parseFrames(sites.get(error)?.stack ?? "")]
  }
  const own = frames.find((frame) => frame.cell === cell.id)
  return {
    stage,
    name: shortened(name, 200),
    message: shortened(clearer(message), 10_000),
    ...(own === undefined ? {} : { line: own.line, column: originalColumn(cell.parsed, own.line, own.column) }),
    frames: frames.slice(0, 8).map((frame) => shortened(showFrame(frame), 200)),
    ...(hint === undefined ? {} : { hint })
  }
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}... ${text.length - most} more characters`

/** The engine does not know that the global object is the namespace. */
const clearer = (message: string): string => {
  const name = /^Cannot assign to read only property '(.+?)' of object '#<Object>'$/.exec(message)?.[1]
  return name === undefined ? message : `Cannot assign to '${name}': it is read-only`
}

const textOf = (error: object, key: string): string | undefined => {
  try {
    const value = (error as Record<string, unknown>)[key]
    return typeof value === "string" ? value : undefined
  } catch {
    return undefined // a getter of the cell that throws: the rest of the error is still told
  }
}

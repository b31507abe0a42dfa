/**
 * The record of a cell as the log keeps it, made into what a new process is sent: for a cell whose host is gone too.
 */
import { type Diverged, type HostCall, HostCallError, type Recorded, type Value } from "@daylight/core"
import { readValue } from "../kernel/Graph.ts"
import { callbackId, callbackNumber } from "../wire/Callbacks.ts"
import type { Clock, ErrorWire, Wire } from "../wire/Messages.ts"
import { frameOf } from "../wire/Frames.ts"
import { Journal, type LoggedCall, type NumberedEvent } from "./Journal.ts"
import type { Remembered } from "./Remembered.ts"

type Event = Exclude<Recorded["event"], { readonly _tag: "Unknown" }>

/** What the record needs of the namespace that goes on from it. */
export interface RecordReader {
  readonly ns: number
  readonly depart: (value: unknown, path?: string) => Wire
  readonly departError: (error: unknown) => ErrorWire
  /** What a path leads to now. */
  readonly reach: (path: string) => object | undefined
  /** What stands for objects that are gone. */
  readonly remembered: Remembered
  /** A number for a call of a function of the cell. */
  readonly nextCallback: () => number
}

/** `undefined` where no event is of a cell. */
export const journalOf = (recorded: ReadonlyArray<Recorded>, reader: RecordReader): Journal | undefined => {
  const events = recorded.map(({ event }) => event).filter((event): event is Event => event._tag !== "Unknown")
  const begin = events.findIndex((event) => event._tag === "CellStarted")
  const started = events[begin]
  const cell = started?._tag === "CellStarted"
    ? started.cell
    : events.map((event) => "cell" in event ? event.cell : undefined).findLast((cell) => cell !== undefined)
  if (cell === undefined) return undefined
  const end = events.findIndex((event) => event._tag === "CellEnded" && event.cell === cell)
  const before: Array<NumberedEvent> = []
  const journal = new Journal(cell, started?._tag === "CellStarted" ? started.seed : "", before)
  journal.isWhole = end >= 0
  const readings = new Readings()
  for (const event of events) if (event._tag === "CallStarted") reader.remembered.learn(event)
  events.slice(0, end < 0 ? events.length : end + 1).forEach((event, index) => {
    readings.take(event, cell)
    const frame = frameOfEvent(journal, event, reader)
    if (frame === undefined) return
    // Numbers are those of a process; these were sent to none.
    if (index < begin) before.push({ number: 0, frame })
    else journal.events.push(frame)
  })
  journal.read(readings.inOrder)
  return journal
}

/** Clock readings, in the order in which the cell made them: a call that had to wait for a decision is logged late. */
class Readings {
  readonly #byOrdinal = new Map<number, Clock>()

  take(event: Event, cell: number): void {
    if (!("entropy" in event) || event.entropy === undefined || event.cell !== cell) return
    const place = "ordinal" in event ? event.ordinal : Infinity
    // One that was asked about is told of twice.
    if (!this.#byOrdinal.has(place)) this.#byOrdinal.set(place, event.entropy)
  }

  get inOrder(): Clock {
    return [...this.#byOrdinal].sort(([a], [b]) => a - b).flatMap(([, readings]) => readings)
  }
}

/** What the kernel was sent, if it was an event of the schedule. The rest is kept for what the cell will ask. */
const frameOfEvent = (journal: Journal, event: Event, reader: RecordReader): Buffer | undefined => {
  const { ns } = reader
  switch (event._tag) {
    case "CallStarted":
    case "ApprovalAsked":
      return void remember(journal, event)
    case "CallRefused": {
      remember(journal, event)
      const error = new HostCallError({ path: event.path, reason: event.reason })
      return ended(journal, event, event.inPlace === true, { e: reader.departError(error) }, ns)
    }
    case "CallEnded":
      return ended(journal, event, event.inPlace, outcomeOf(event, journal, reader), ns)
    case "TimerFired":
      journal.scheduled(event.cell, event.ordinal)
      return frameOf({ t: "fired", ns, key: `${event.cell}:${event.ordinal}` })
    case "CallbackCalled": {
      const args = event.args.map((arg) => valueOf(arg, reader))
      const id = callbackId(callbackNumber(event.callback), ns)
      return frameOf({ t: "callback", ns, id, call: reader.nextCallback(), args: reader.depart(args) })
    }
    case "VariableSet":
      return frameOf({ t: "set", ns, name: event.name, v: reader.depart(valueOf(event.value, reader)) })
  }
}

const remember = (
  journal: Journal,
  event: Extract<Event, { readonly _tag: "CallStarted" | "CallRefused" | "ApprovalAsked" }>
): void => {
  const { after, args, path } = event
  const operation = "operation" in event ? event.operation : "call"
  // What was asked about may have been allowed with other arguments than the cell's.
  if (event.cell === journal.cell && journal.logged(event.ordinal) === undefined) {
    journal.remember(event.ordinal, { path, operation, after, args })
  }
}

const ended = (
  journal: Journal,
  { cell, ordinal }: { readonly cell: number; readonly ordinal: number },
  inPlace: boolean,
  outcome: { readonly v: Wire } | { readonly e: ErrorWire },
  ns: number
): Buffer | undefined => {
  if (!inPlace) {
    journal.scheduled(cell, ordinal)
    return frameOf({ t: "end", ns, key: `${cell}:${ordinal}`, ...outcome })
  }
  const answer = frameOf("v" in outcome ? { t: "value", v: outcome.v } : { t: "error", e: outcome.e })
  if (cell === journal.cell) journal.answered(ordinal, answer)
  return undefined
}

const outcomeOf = (
  event: Extract<Event, { readonly _tag: "CallEnded" }>,
  journal: Journal,
  reader: RecordReader
): { readonly v: Wire } | { readonly e: ErrorWire } => {
  const { error, status, value } = event
  if (status === "completed") {
    try {
      const call = event.cell === journal.cell ? journal.logged(event.ordinal) : undefined
      const path = call?.operation === "get" ? call.path : undefined
      const given = value === undefined ? undefined : valueOf(value, reader, journal.isWhole, path)
      const wire = reader.depart(given, path)
      // What was read as a property is a copy that cannot be changed.
      return { v: path !== undefined && typeof given === "object" && given !== null ? { ...wire, f: true } : wire }
    } catch (lost) {
      return { e: reader.departError(lost) }
    }
  }
  if (status === "unknown") {
    const key = `${event.cell}:${event.ordinal}`
    return { e: reader.departError(new HostCallError({ path: "call", reason: { _tag: "UnknownOutcome", key } })) }
  }
  const Kind = builtin[error?.name ?? ""] ?? Error
  const own = error?.own?._tag === "Json" || error?.own?._tag === "Devalue" ? valueOf(error.own, reader) : {}
  const made = Object.assign(new Kind(error?.message ?? ""), error?.code === undefined ? {} : { code: error.code }, own)
  return { e: reader.departError(Object.defineProperty(made, "name", { value: error?.name ?? "Error" })) }
}

const builtin: Readonly<Record<string, ErrorConstructor>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError
}

/** `path`: of a property that was read. What is gone for good is remembered as far as the record goes. */
const valueOf = (value: Value, { reach, remembered }: RecordReader, isWhole = false, path?: string): unknown => {
  switch (value._tag) {
    case "Json":
      return value.value
    case "Devalue":
      return readValue(value.text)
    case "Ref": {
      const now = value.path ?? (isWhole ? undefined : path)
      const object = (now === undefined ? undefined : reach(now)) ??
        (isWhole ? remembered.object(value, path) : undefined)
      if (object === undefined) {
        throw new HostCallError({ path: value.path ?? "object", reason: { _tag: "ReferenceLost", type: value.type } })
      }
      return object
    }
    default:
      throw new HostCallError({ path: "value", reason: { _tag: "ReferenceLost", type: value._tag } })
  }
}

/**
 * Where a call is not the one of the record, as far as its arguments can be compared: the log has what a schema has
 * made of them.
 */
export const differenceOf = (
  call: Pick<HostCall, "path" | "operation" | "after" | "args" | "contract">,
  recorded: LoggedCall
): Pick<Diverged, "expected" | "came"> | undefined => {
  const same = call.path === recorded.path && call.operation === recorded.operation &&
    (recorded.after === undefined || call.after === recorded.after) && call.args.length === recorded.args.length &&
    (call.contract?.input !== undefined ||
      recorded.args.every((arg, i) => arg._tag !== "Json" || sameJson(arg.value, call.args[i])))
  if (same) return undefined
  const { after, operation, path } = recorded
  const args = recorded.args.map((arg) => arg._tag === "Json" ? arg.value : noData)
  return {
    expected: { path, operation, args, after },
    came: {
      path: call.path,
      operation: call.operation,
      args: call.args.map((arg, i) => recorded.args[i]?._tag === "Json" || i >= args.length ? plainOf(arg) : noData),
      after: recorded.after === undefined ? undefined : call.after
    }
  }
}

const noData = "(no plain data)"

const plainOf = (value: unknown): unknown => {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? noData : JSON.parse(text) as unknown
  } catch {
    return noData
  }
}

const sameJson = (recorded: unknown, now: unknown): boolean => {
  try {
    return JSON.stringify(recorded) === JSON.stringify(now)
  } catch {
    return false // what JSON has no word for is not what was recorded as JSON
  }
}

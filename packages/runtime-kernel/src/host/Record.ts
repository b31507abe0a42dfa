/**
 * The record of a cell as the log keeps it, made into what a new process is sent: for a cell whose host is gone too.
 */
import { type HostCall, HostCallError, type Recorded, type Value } from "@daylight/core"
import { readValue } from "../kernel/Graph.ts"
import type { ErrorWire, KernelEvent, Wire } from "../wire/Messages.ts"
import { frameOf } from "../wire/Frames.ts"
import { Journal } from "./Journal.ts"

type Event = Exclude<Recorded["event"], { readonly _tag: "Unknown" }>

/** What the record needs of the namespace that goes on from it. */
export interface RecordReader {
  readonly ns: number
  readonly depart: (value: unknown) => Wire
  readonly departError: (error: unknown) => ErrorWire
  /** What a path leads to now. */
  readonly reach: (path: string) => object | undefined
  /** A number for a call of a function of the cell. */
  readonly nextCallback: () => number
}

/** `undefined` where no event is of a cell. */
export const journalOf = (recorded: ReadonlyArray<Recorded>, reader: RecordReader): Journal | undefined => {
  const events = recorded.map(({ event }) => event).filter((event): event is Event => event._tag !== "Unknown")
  const cell = events.map((event) => "cell" in event ? event.cell : undefined).findLast((cell) => cell !== undefined)
  if (cell === undefined) return undefined
  const started = events.find((event) => event._tag === "CellStarted" && event.cell === cell)
  const journal = new Journal(cell, started?._tag === "CellStarted" ? started.seed : "", [])
  for (const event of events) take(journal, event, reader)
  return journal
}

const take = (journal: Journal, event: Event, reader: RecordReader): void => {
  const { ns } = reader
  const schedule = (event: KernelEvent): void => void journal.events.push(frameOf(event))
  switch (event._tag) {
    case "CallStarted":
      journal.read(event.entropy)
      if (event.cell === journal.cell) {
        journal.remember(event.ordinal, { path: event.path, after: event.after, args: event.args })
      }
      return
    case "CallEnded": {
      const outcome = outcomeOf(event, reader)
      if (event.inPlace) {
        return journal.answered(
          event.ordinal,
          frameOf("v" in outcome ? { t: "value", v: outcome.v } : { t: "error", e: outcome.e })
        )
      }
      journal.scheduled(event.cell, event.ordinal)
      return schedule({ t: "end", ns, key: `${event.cell}:${event.ordinal}`, ...outcome })
    }
    case "CellEnded":
      return event.cell === journal.cell ? journal.read(event.entropy) : undefined
    case "TimerFired":
      journal.scheduled(event.cell, event.ordinal)
      return schedule({ t: "fired", ns, key: `${event.cell}:${event.ordinal}` })
    case "CallbackCalled": {
      const args = event.args.map((arg) => valueOf(arg, reader))
      return schedule({ t: "callback", ns, id: event.callback, call: reader.nextCallback(), args: reader.depart(args) })
    }
    case "VariableSet":
      return schedule({ t: "set", ns, name: event.name, v: reader.depart(valueOf(event.value, reader)) })
  }
}

const outcomeOf = (
  event: Extract<Event, { readonly _tag: "CallEnded" }>,
  reader: RecordReader
): { readonly v: Wire } | { readonly e: ErrorWire } => {
  const { error, status, value } = event
  if (status === "completed") {
    try {
      return { v: reader.depart(value === undefined ? undefined : valueOf(value, reader)) }
    } catch (lost) {
      return { e: reader.departError(lost) }
    }
  }
  if (status === "unknown") {
    const key = `${event.cell}:${event.ordinal}`
    return { e: reader.departError(new HostCallError({ path: "call", reason: { _tag: "UnknownOutcome", key } })) }
  }
  const made = Object.assign(new Error(error?.message ?? ""), error?.code === undefined ? {} : { code: error.code })
  return { e: reader.departError(Object.defineProperty(made, "name", { value: error?.name ?? "Error" })) }
}

const valueOf = (value: Value, { reach }: RecordReader): unknown => {
  switch (value._tag) {
    case "Json":
      return value.value
    case "Devalue":
      return readValue(value.text)
    case "Ref": {
      const object = value.path === undefined ? undefined : reach(value.path)
      if (object === undefined) {
        throw new HostCallError({ path: value.path ?? "object", reason: { _tag: "ReferenceLost", type: value.type } })
      }
      return object
    }
    default:
      throw new HostCallError({ path: "value", reason: { _tag: "ReferenceLost", type: value._tag } })
  }
}

/** Whether a call is the one of the record, as far as its arguments can be compared. */
export const isRecorded = (
  call: Pick<HostCall, "path" | "after" | "args">,
  recorded: { readonly path: string; readonly after: number; readonly args: ReadonlyArray<Value> }
): boolean =>
  call.path === recorded.path && call.after === recorded.after && call.args.length === recorded.args.length &&
  recorded.args.every((arg, i) => arg._tag !== "Json" || sameJson(arg.value, call.args[i]))

const sameJson = (recorded: unknown, now: unknown): boolean => {
  try {
    return JSON.stringify(recorded) === JSON.stringify(now)
  } catch {
    return false // what JSON has no word for is not what was recorded as JSON
  }
}

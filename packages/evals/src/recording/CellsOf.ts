/** The course of cells, where it is more than calls that ended in the order in which they were made. */
import type { Event, Recorded } from "@daylight/core"
import type { RecordedCell } from "../cassette/Cassette.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"

export const cellsOf = ({ agent = [], events }: SessionLog): ReadonlyArray<RecordedCell> => {
  const cells = new Map<number, { readonly seed: string; readonly events: Array<Event> }>()
  let current: number | undefined
  for (const { event } of events) {
    if (event._tag === "CellStarted") {
      current = event.cell
      cells.set(event.cell, { seed: event.seed, events: [event] })
    } else if (belongs(event)) cells.get("cell" in event ? event.cell : current ?? 0)?.events.push(event)
    if (event._tag === "CellEnded") current = undefined
  }
  return [...cells].flatMap(([cell, { events, seed }]) =>
    hasCourse(events) && isWhole(events) ? [{ type: "cell", agent, cell, seed, events }] : []
  )
}

/** Also what came after the end of the cell: a call that it did not wait for. */
const belongs = (event: Recorded["event"]): event is Event =>
  ["CallStarted", "CallEnded", "TimerFired", "CallbackCalled", "VariableSet", "CellEnded"].includes(event._tag)

const hasCourse = (events: ReadonlyArray<Event>): boolean => {
  const ends = events.flatMap((event) => event._tag === "CallEnded" && !event.inPlace ? [event.ordinal] : [])
  return events.some((event) =>
    event._tag === "TimerFired" || event._tag === "CallbackCalled" || event._tag === "VariableSet" ||
    (event._tag === "CallStarted" || event._tag === "CellEnded") && event.entropy.length > 0
  ) || ends.some((ordinal, index) => index > 0 && ordinal < ends[index - 1]!)
}

/**
 * Calls and timers of a cell share one running number. A gap is something that the log does not tell, so that nobody
 * could follow it.
 */
const isWhole = (events: ReadonlyArray<Event>): boolean => {
  const numbers = new Set(
    events.flatMap((event) => event._tag === "CallStarted" || event._tag === "TimerFired" ? [event.ordinal] : [])
  )
  return [...numbers].every((ordinal) => ordinal === 0 || numbers.has(ordinal - 1))
}

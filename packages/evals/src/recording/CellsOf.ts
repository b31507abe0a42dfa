/** The courses of the cells of a session: what each did and all that came to it, in order. */
import type { Event, Recorded } from "@daylight/core"
import type { RecordedCell } from "../cassette/Cassette.ts"

/** `session`: its place among the sessions of the recording. */
export const cellsOf = (session: string, events: ReadonlyArray<Recorded>): ReadonlyArray<RecordedCell> => {
  const cells: Array<RecordedCell> = []
  let course: Array<Event> = []
  let started: Extract<Event, { readonly _tag: "CellStarted" }> | undefined
  let runs = false
  const end = () => {
    if (started !== undefined) {
      const { cell, run, step } = started
      cells.push({ type: "cell", session, cell, run, step, events: course })
      course = []
    }
    started = undefined
  }
  for (const { event } of events) {
    switch (event._tag) {
      case "RunStarted":
        runs = true
        break
      case "RunEnded":
        runs = false
        break
      case "CellStarted":
        end()
        started = event
        course.push(event)
        break
      case "CellEnded":
        // How long it took is no part of what happened.
        course.push({ ...event, report: { ...event.report, durationMs: 0 } })
        end()
        break
      case "VariableSet":
        // One that was set between two runs is told with the second.
        if (runs) course.push(event)
        break
      default:
        if (isOfCourse(event)) course.push(event)
    }
  }
  end()
  return cells
}

const tags: ReadonlySet<string> = new Set<Event["_tag"]>([
  "CallStarted",
  "CallEnded",
  "CallRefused",
  "ApprovalAsked",
  "TimerFired",
  "CallbackCalled"
])

const isOfCourse = (event: Recorded["event"]): event is Event => tags.has(event._tag)

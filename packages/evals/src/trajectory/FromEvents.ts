/**
 * From the log of a session, and of those of its sub-agents, to a trajectory.
 */
import type { Recorded } from "@daylight/core"
import type { Cassette } from "../cassette/Cassette.ts"
import { answersOfCalls } from "../recording/AnswersOfCalls.ts"
import { SessionSteps } from "./SessionSteps.ts"
import type { Trajectory } from "./Trajectory.ts"

/** One session's log, in order. `agent`: the path of names from the root. Default: the name in the log. */
export interface SessionLog {
  readonly agent?: ReadonlyArray<string> | undefined
  /** The session that called this one. Default: the one named in the log. */
  readonly parent?: string | undefined
  readonly events: ReadonlyArray<Recorded>
}

export interface FromEventsOptions {
  /** The recording of the same session: adds system prompts, action definitions, and what joins steps with answers. */
  readonly cassette?: Cassette | undefined
  /** Which session. Default: the first that has no parent among these. */
  readonly session?: string | undefined
  /** Of the program that ran the agent, for `agent.version`. Default `0`. */
  readonly version?: string | undefined
}

/** Throws a `RangeError` where there is no such session. The same logs give the same trajectory, byte for byte. */
export const trajectoryOf = (logs: ReadonlyArray<SessionLog>, options: FromEventsOptions = {}): Trajectory => {
  const sessions = new Map(logs.flatMap((log) => {
    const first = log.events[0]
    return first === undefined ? [] : [[String(first.session), log] as const]
  }))
  const parents = new Map([...sessions].map(([id, log]) => [id, parentOf(log)]))
  const root = options.session ?? [...sessions.keys()].find((id) => !sessions.has(parents.get(id) ?? ""))
  const answers = answersOfCalls(logs, options.cassette?.answers ?? [])

  const build = (id: string, above: ReadonlyArray<string>): Trajectory => {
    const log = sessions.get(id)
    if (log === undefined) throw new RangeError(`there is no log of session ${JSON.stringify(id)}`)
    const steps = new SessionSteps({
      cassette: options.cassette,
      answers,
      agent: log.agent,
      above,
      version: options.version
    })
    for (const recorded of log.events) steps.add(recorded)
    const children = [...parents].filter(([, parent]) => parent === id).map(([child]) => build(child, steps.agent))
    return steps.trajectory(children)
  }
  if (root === undefined) throw new RangeError("there is no session")
  return build(root, [])
}

export const parentOf = ({ events, parent }: SessionLog): string | undefined => {
  if (parent !== undefined) return parent
  const event = events[0]?.event
  return event?._tag === "SessionOpened" ? event.parent?.session : undefined
}

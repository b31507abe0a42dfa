/** Runs an agent and gives what a recording of it keeps in a file. */
import type { AgentHandle, AgentOptions } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { Recorder, Replay } from "@daylight/evals"
import { type Cassette, parseCassette, printCassette } from "@daylight/evals/cassette"
import { expect } from "vitest"

/** `use` drives the agent; by default it is asked once. */
export const recordOf = async (
  agent: AgentOptions,
  use: (handle: AgentHandle) => Promise<unknown> = (handle) => handle.run("Go.")
): Promise<Cassette> => {
  const recorder = Recorder.make({ calls: true })
  await using handle = createAgent({ ...agent, services: recorder.services })
  await use(handle)
  return parseCassette(printCassette(recorder.recording().cassette), "sealed")
}

/** Of each session, what its cells gave. */
export const previews = ({ cells = [] }: Cassette): ReadonlyArray<string> =>
  cells.map(({ events, session }) => {
    const end = events.find((event) => event._tag === "CellEnded")?.report
    return `${session}: ${end?.problem?.message ?? end?.preview}`
  })

/** Replays it, and expects no difference. */
export const isSame = async (agent: AgentOptions, cassette: Cassette, sessions = 1) => {
  const report = await Replay.run({ agent, cassette, depth: "sealed" })
  expect(report.divergence?.report).toBeUndefined()
  expect(report).toMatchObject({ same: true, sessions, unused: 0, misses: [], cells: [] })
  return report
}

/** What `npm start` records runs again: the same answer from recorded models, and a miss when the agents change. */
import { Replay } from "@daylight/evals"
import { readCassette } from "@daylight/evals/cassette"
import { readTrajectory, validateTrajectory } from "@daylight/evals/trajectory"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import agent, { answer } from "../pipeline/agent.ts"
import { main } from "../pipeline/main.ts"
import { Collector } from "./Collector.ts"

describe("the recording of the pipeline", () => {
  let recorded: Awaited<ReturnType<typeof main>>
  beforeAll(async () => {
    recorded = await main({ env: {}, output: new Collector(), folder: mkdtempSync(join(tmpdir(), "recorded-")) })
  }, 60_000)

  it("holds all three agents", async () => {
    const trajectory = await readTrajectory(recorded.files.trajectory)
    expect(validateTrajectory(trajectory)).toEqual([])
    expect(trajectory.subagent_trajectories?.map((child) => child.agent.name)).toEqual(["cleaner", "analyst"])
  })

  it("gives the same answer again, with cells that ran for real", async () => {
    const cassette = await readCassette(recorded.files.cassette)
    const report = await Replay.run({ agent, cassette, answer })
    expect(report.divergence?.report).toBeUndefined()
    expect(report.outcomes[0]?.answer).toEqual(recorded.answer)
  })

  it("is missed when one word of the instructions is another", async () => {
    const cassette = await readCassette(recorded.files.cassette)
    const changed = { ...agent, instructions: agent.instructions!.replace("small team", "large team") }
    const { divergence } = await Replay.run({ agent: changed, cassette, answer })
    expect(divergence).toMatchObject({ step: 1, path: "$.system" })
    expect(divergence?.report).toContain("a large team")
  })
})

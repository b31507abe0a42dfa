/** Trajectories that are told, shown and checked from their files, step by step: the same as from memory. */
import { createAgent } from "@daylight/core/promise"
import { Recorder } from "@daylight/evals"
import {
  diffTrajectoryFiles,
  eventsOf,
  eventsOfFile,
  htmlOfFile,
  isLargeTrajectory,
  RecordingError,
  toHtml,
  validateTrajectory,
  validateTrajectoryFile,
  writeTrajectory
} from "@daylight/evals/trajectory"
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { ordersAgent } from "../support/Orders.ts"

let folder: string
const fileOf = async (name: string, content: unknown) => {
  const file = join(folder, name)
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content))
  return file
}

/** Two runs with a sub-agent. */
const recorded = async () => {
  const recorder = Recorder.make()
  await using agent = createAgent({ ...ordersAgent(), services: recorder.services })
  for (const prompt of ["Which region grew fastest?", "Sure?"]) await agent.run(prompt)
  return recorder.recording().trajectory
}
let trajectory: Awaited<ReturnType<typeof recorded>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "on-disk-"))
  trajectory = await recorded()
})

const all = async <A>(items: AsyncIterable<A>): Promise<Array<A>> => {
  const found: Array<A> = []
  for await (const item of items) found.push(item)
  return found
}

describe("a trajectory in a file", () => {
  it("has the same events, also up to a step", async () => {
    const file = join(folder, "a.json")
    await writeTrajectory(file, trajectory)
    for (const to of [undefined, 0, 1, 3, 5, 100]) {
      expect(await all(eventsOfFile(file, { to }))).toEqual(eventsOf(trajectory, { to }))
    }
    expect(eventsOf(trajectory).length).toBeGreaterThan(30)
  })

  it("has the same page", async () => {
    const file = join(folder, "page.json")
    await writeTrajectory(file, trajectory)
    expect((await all(htmlOfFile(file))).join("")).toBe(toHtml(trajectory))
  })

  it("has the same problems", async () => {
    const [step] = trajectory.steps
    for (
      const change of [
        {},
        { steps: [] },
        { steps: "none" },
        { colour: "red" },
        { steps: [{ ...step, step_id: 2 }, { ...step, step_id: 3 }] },
        { steps: [{ ...step, colour: "red" }, step] },
        { subagent_trajectories: [trajectory, trajectory] },
        { schema_version: "ATIF-v9" }
      ]
    ) {
      const document = { ...trajectory, ...change }
      const problems = await validateTrajectoryFile(await fileOf("problems.json", document))
      expect(problems).toEqual(validateTrajectory(document))
      expect(problems.length > 0).toBe(Object.keys(change).length > 0)
    }
  })
})

describe("a file that is no trajectory", () => {
  it.each<[string, unknown, RegExp]>([
    ["of another format", { trajectory: [{ action: "ls" }] }, /is no ATIF trajectory/],
    [
      "of another format, with steps",
      { steps: [{ step_id: 1, source: "user", message: "a" }] },
      /is no ATIF trajectory/
    ],
    ["of a newer version", { schema_version: "ATIF-v2.0", steps: [] }, /newest that is known/],
    ["with steps of another shape", { schema_version: "ATIF-v1.7", steps: [{ thought: "a" }] }, /is no valid ATIF/],
    ["cut off", '{"schema_version":"ATIF-v1.7","steps":[{"a":', /:1: is damaged or cut off/],
    ["empty", "", /is damaged or cut off|is empty/]
  ])("is told, never taken for one without steps: %s", async (name, content, problem) => {
    const file = await fileOf(`${name}.json`, content)
    await expect(diffTrajectoryFiles(file, file)).rejects.toThrow(problem)
    await expect(diffTrajectoryFiles(file, file)).rejects.toThrow(RecordingError)
    await expect(all(eventsOfFile(file))).rejects.toThrow(RecordingError)
    await expect(all(htmlOfFile(file))).rejects.toThrow(RecordingError)
  })
})

describe("a large one", () => {
  it("is known by its size and its format", async () => {
    const message = "a".repeat(9_000_000)
    const steps = [{ step_id: 1, source: "user", message }]
    expect(await isLargeTrajectory(await fileOf("large.json", { ...trajectory, steps }))).toBe(true)
    expect(await isLargeTrajectory(await fileOf("foreign.json", { messages: [{ role: "user", content: message }] })))
      .toBe(false)
    expect(await isLargeTrajectory(await fileOf("lines.json", `{"a":1}\n{"b":"${message}"}\n`))).toBe(false)
    expect(await isLargeTrajectory(await fileOf("small.json", trajectory))).toBe(false)
    expect(await isLargeTrajectory(join(folder, "nowhere.json"))).toBe(false)
  })
})

/** Trajectories for others: pages, lines for training, events for whatever shows a session. */
import { createAgent } from "@daylight/core/promise"
import { Recorder } from "@daylight/evals"
import {
  eventsOf,
  htmlOf,
  importTrajectories,
  toCodeActInstruct,
  toHtml,
  type Trajectory,
  trajectoryOf,
  withoutLargeTexts
} from "@daylight/evals/trajectory"
import { beforeAll, describe, expect, it } from "vitest"
import { ordersAgent } from "../support/Orders.ts"

let trajectory: Trajectory
beforeAll(async () => {
  const recorder = Recorder.make()
  await using agent = createAgent({ ...ordersAgent(), services: recorder.services })
  await agent.run("Which region grew fastest?")
  trajectory = recorder.recording().trajectory
})

const plain = (message: string): Trajectory => ({
  schema_version: "ATIF-v1.7",
  agent: { name: message, version: "1" },
  steps: [{
    step_id: 1,
    source: "agent",
    message,
    reasoning_content: message,
    tool_calls: [{ tool_call_id: "1", function_name: message, arguments: { code: message } }],
    observation: { results: [{ source_call_id: "1", content: message }] }
  }]
})

describe("a page", () => {
  it("shows the run with its sub-agent, loads nothing and runs nothing", () => {
    const page = toHtml(trajectory)
    for (
      const text of [
        "North grew fastest: 70.",
        "sums.north * rate",
        "→ exchange(",
        "Yes, 70 is right.",
        "ReferenceError",
        "completed"
      ]
    ) {
      expect(page).toContain(text.replaceAll(">", "&gt;"))
    }
    expect(page).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"))
    expect(page).not.toMatch(/<script|src=|href=|url\(/)
  })

  it.each([
    "<script>alert(1)</script>",
    "</pre><img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)>",
    "<!--",
    "]]>",
    "&lt;b&gt;"
  ])("takes %s for text", (text) => {
    const page = toHtml(plain(text))
    const body = page.slice(page.indexOf("<main>"))
    expect(body).not.toMatch(/<(script|img|svg|!--)/)
    expect(body).toContain(
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
        .replaceAll("'", "&#39;")
    )
  })

  it("comes in pieces", () => {
    expect([...htmlOf(trajectory)].join("")).toBe(toHtml(trajectory))
  })
})

describe("a line for training", () => {
  it("comes back with the same code, thoughts and results", () => {
    const [back] = importTrajectories(toCodeActInstruct(trajectory), "line.json")
    const code = (of: Trajectory) =>
      of.steps.flatMap((step) => step.tool_calls?.map((call) => call.arguments["code"]) ?? [])
    expect(code(back!.trajectory)).toEqual(code(trajectory))
    expect(back!.trajectory.steps.map(({ source }) => source)).toEqual(trajectory.steps.map(({ source }) => source))
    expect(back!.trajectory.steps[2]?.reasoning_content).toBe("I look first.")
    expect(toCodeActInstruct(trajectory)).not.toContain("\n")
  })
})

describe("events of a trajectory", () => {
  it("give the same trajectory again", () => {
    const logs = new Map<string, { agent: ReadonlyArray<string>; parent: string | undefined; events: Array<any> }>()
    for (const live of eventsOf(trajectory)) {
      if (live._tag !== "Recorded") continue
      const { agent, lineage, session } = live.origin
      if (!logs.has(session)) logs.set(session, { agent, parent: lineage.at(-2), events: [] })
      logs.get(session)!.events.push(live.recorded)
    }
    const again = trajectoryOf([...logs.values()])
    const essence = (of: Trajectory): unknown => ({
      steps: of.steps.filter(({ source }) => source !== "system").map((
        { message, observation, reasoning_content, source, tool_calls }
      ) => ({
        message,
        observation,
        reasoning_content,
        source,
        calls: tool_calls?.map((
          { arguments: input, function_name, tool_call_id }
        ) => [input, function_name, tool_call_id])
      })),
      children: of.subagent_trajectories?.map(essence)
    })
    expect(essence(again)).toEqual(essence(trajectory))
  })

  it("stop after a step", () => {
    const tags = eventsOf(trajectory, { to: 1 }).flatMap((live) =>
      live._tag === "Recorded" ? [live.recorded.event._tag] : []
    )
    expect(tags.filter((tag) => tag === "CellStarted")).toHaveLength(1)
    expect(tags.at(-1)).toBe("RunEnded")
  })
})

describe("large texts", () => {
  it("are kept once, by their hash", () => {
    const long = "x".repeat(5_000)
    const { blobs, trajectory: light } = withoutLargeTexts(plain(long), 1_000)
    expect(blobs.size).toBe(1)
    expect([...blobs.values()]).toEqual([long])
    expect(JSON.stringify(light).length).toBeLessThan(20_000)
    expect(light.steps[0]?.message).toContain("5000 characters, sha256:")
    expect(withoutLargeTexts(trajectory).trajectory).toBe(trajectory)
  })
})

/** Trajectories on disk: canonical, whole, and read step by step where they are large. */
import {
  parseTrajectory,
  printTrajectory,
  readTrajectory,
  RecordingError,
  type Trajectory,
  validateTrajectory,
  writeTrajectory
} from "@daylight/evals/trajectory"
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { DamagedDocument, readDocument } from "../../src/trajectory/LargeDocument.ts"

const small: Trajectory = {
  schema_version: "ATIF-v1.7",
  session_id: "steps",
  notes: 'steps: [1, 2] \\" ü',
  agent: { name: "a", version: "1", extra: { steps: [{ steps: [] }] } },
  steps: [
    { step_id: 1, source: "user", message: 'a "quoted" } ] { [ text \\' },
    {
      step_id: 2,
      source: "agent",
      message: [{ type: "text", text: "ü 😀" }],
      tool_calls: [{ tool_call_id: "1", function_name: "f", arguments: { steps: [1, [2]] } }]
    }
  ],
  subagent_trajectories: [{
    schema_version: "ATIF-v1.7",
    trajectory_id: "b",
    agent: { name: "b", version: "1" },
    steps: [{ step_id: 1, source: "user", message: "x" }]
  }],
  extra: { daylight: { v: 1 } }
}

const folder = await mkdtemp(join(tmpdir(), "trajectory-"))
const fileOf = async (name: string, text: string) => {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

describe("a file", () => {
  it("has its keys in order, and comes back as it was", async () => {
    const file = join(folder, "a.json")
    expect(await writeTrajectory(file, small)).toBe(true)
    const text = await readFile(file, "utf8")
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(text)).toSorted())
    expect(await readTrajectory(file)).toEqual(small)
    expect(await writeTrajectory(file, structuredClone(small))).toBe(false)
  })

  it.each<[string, string, RegExp]>([
    ["empty", "", /is empty/],
    ["cut off", printTrajectory(small).slice(0, -30), /:\d+: is damaged or cut off/],
    // The 18th line is that of the notes.
    ["damaged", printTrajectory(small).replace('"notes":', '"notes"'), /^a\.json:18: is damaged/],
    ["no JSON", "/** A program. */\nexport default {}\n", /a\.json:1: is damaged or cut off: Unexpected token '\/'/],
    ["of another kind", '{"messages":[]}', /is no ATIF trajectory/],
    ["newer", printTrajectory(small).replace("ATIF-v1.7", "ATIF-v1.9"), /ATIF-v1.7 is the newest/],
    ["with a member that ATIF does not know", printTrajectory(small).replace('"notes"', '"colour"'), /colour/]
  ])("that is %s is told, with the place", (_, text, problem) => {
    expect(() => parseTrajectory(text, "a.json")).toThrow(problem)
    expect(() => parseTrajectory(text, "a.json")).toThrow(RecordingError)
  })

  it("is not written with a secret in it", () => {
    const step = { step_id: 1, source: "user", message: "sk-ant-api03-9fK2mQ7xW4pL1vB8nR5tY3uZ" } as const
    expect(() => printTrajectory({ ...small, steps: [step] }, "a.json", { env: {} })).toThrow(
      /a\.json:\d+: not written/
    )
  })
})

describe("reading step by step", () => {
  it.each(["compact", "indented"])("gives the same document, %s", async (kind) => {
    const file = await fileOf(`${kind}.json`, JSON.stringify(small, null, kind === "compact" ? 0 : 2))
    expect(await readDocument(file)).toEqual(small)
  })

  it("gives the same document when it is larger than a chunk, and is used from 8 MB on", async () => {
    const message = 'ü" { [ \\ '.repeat(20_000)
    const large = {
      ...small,
      steps: Array.from(
        { length: 50 },
        (_, n) => ({ step_id: n + 1, source: "user" as const, message: `${n}${message}` })
      )
    }
    const file = await fileOf("large.json", printTrajectory(large))
    expect(await readTrajectory(file)).toEqual(large)
    const cut = await fileOf("cut.json", (await readFile(file, "utf8")).slice(0, 9_000_000))
    await expect(readTrajectory(cut)).rejects.toThrow(/cut\.json:\d+: is damaged or cut off/)
  })

  it.each<[string, string]>([["cut off", '{"steps":[{"a":1},'], [
    "a broken step",
    '{"a":1,\n"steps":[\n{"a":},\n{"b":1}]}'
  ], ["no JSON", "no"]])("tells %s", async (name, text) => {
    const file = await fileOf(`${name}.json`, text)
    await expect(readDocument(file)).rejects.toThrow(DamagedDocument)
    if (name === "a broken step") await expect(readDocument(file)).rejects.toMatchObject({ line: 3 })
  })
})

describe("validation", () => {
  const with_ = (change: object) => validateTrajectory({ ...small, ...change })
  const step = small.steps[1]!
  it.each<[string, object, RegExp]>([
    ["gaps in the steps", { steps: [{ ...step, step_id: 2 }] }, /step_id is 2/],
    ["calls of a user", { steps: [{ ...step, step_id: 1, source: "user" }] }, /only steps of an agent/],
    ["a result of a call that is not there", {
      steps: [{ ...step, step_id: 1, observation: { results: [{ source_call_id: "9" }] } }]
    }, /is no tool call of this step/],
    ["a reference to nothing", {
      steps: [{
        ...step,
        step_id: 1,
        observation: { results: [{ subagent_trajectory_ref: [{ trajectory_id: "z" }] }] }
      }]
    }, /there is no trajectory "z"/],
    ["a reference by session only", {
      steps: [{ ...step, step_id: 1, observation: { results: [{ subagent_trajectory_ref: [{ session_id: "z" }] }] } }]
    }, /needs trajectory_id/],
    ["two calls of one id", {
      steps: [{ ...step, step_id: 1, tool_calls: [step.tool_calls![0], step.tool_calls![0]] }]
    }, /tool_calls\[1\]: the id "1" is there twice/],
    ["two children of one name", {
      subagent_trajectories: [small.subagent_trajectories![0], small.subagent_trajectories![0]]
    }, /is there twice/],
    [
      "tokens of a step without a model",
      { steps: [{ ...step, step_id: 1, llm_call_count: 0, metrics: {} }] },
      /no model was asked/
    ],
    ["a time that is none", { steps: [{ ...step, step_id: 1, timestamp: "yesterday" }] }, /ISO 8601/],
    ["a member it does not know, deep inside", {
      steps: [{ ...step, step_id: 1, tool_calls: [{ ...step.tool_calls![0], colour: 1 }] }]
    }, /colour/],
    ["no steps", { steps: [] }, /is empty/]
  ])("sees %s", (_, change, problem) => {
    expect(with_(change).join("\n")).toMatch(problem)
  })

  it("passes what is right", () => {
    expect(validateTrajectory(small)).toEqual([])
  })
})

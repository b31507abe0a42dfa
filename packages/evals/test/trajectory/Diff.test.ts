/** Two trajectories, step by step. */
import {
  diffTrajectories,
  diffTrajectoryFiles,
  type Step,
  type Trajectory,
  writeTrajectory
} from "@daylight/evals/trajectory"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { alignment } from "../../src/internal/Myers.ts"

const trajectory = (...steps: ReadonlyArray<Partial<Step>>): Trajectory => ({
  schema_version: "ATIF-v1.7",
  agent: { name: "a", version: "1" },
  steps: steps.map((step, index) => ({ step_id: index + 1, source: "agent", message: "", ...step }))
})
const kinds = (a: Trajectory, b: Trajectory) => diffTrajectories(a, b).steps.map(({ kind }) => kind)

const call = (id: string, args: Record<string, string>) => ({
  tool_calls: [{ tool_call_id: id, function_name: "search", arguments: args }],
  observation: { results: [{ source_call_id: id, content: "found" }] }
})

describe("a diff", () => {
  it("does not see ids, times and the order of keys", () => {
    const a = trajectory({ timestamp: "2026-01-01T00:00:00Z", ...call("call_1", { a: "1", b: "2" }) })
    const b = trajectory({ timestamp: "2026-02-02T00:00:00Z", ...call("call_9", { b: "2", a: "1" }) })
    expect(diffTrajectories(a, b)).toMatchObject({ same: true, first: undefined })
  })

  it("shows what changed in a step by its path", () => {
    const { first } = diffTrajectories(
      trajectory({ message: "x" }, call("1", { q: "" })),
      trajectory({ message: "x" }, call("1", { q: "Paris" }))
    )
    expect(first?.kind).toBe("changed")
    expect(first?.differences).toEqual([{ path: "$.calls[0].arguments.q", expected: "", came: "Paris" }])
  })

  it.each<[string, Partial<Step>, string]>([
    ["model", { model_name: "m2" }, "$.model"],
    ["reasoning", { reasoning_content: "so" }, "$.reasoning"],
    ["source", { source: "user" }, "$.source"],
    ["finish reason", { extra: { daylight: { finishReason: "length" } } }, "$.finish"],
    ["error", { extra: { daylight: { error: { _tag: "Timeout" } } } }, "$.error"],
    ["number of tokens", { metrics: { prompt_tokens: 2, completion_tokens: 1 } }, "$.tokens[0]"],
    ["result", { observation: { results: [{ source_call_id: "1", content: "lost" }] } }, "$.results[0].content"],
    ["status of a call", {
      tool_calls: [{ ...call("1", { q: "" }).tool_calls[0]!, extra: { daylight: { status: "error" } } }]
    }, "$.calls[0].status"]
  ])("sees another %s", (_, change, path) => {
    const step: Partial<Step> = {
      model_name: "m1",
      metrics: { prompt_tokens: 1, completion_tokens: 1 },
      ...call("1", { q: "" })
    }
    const { first } = diffTrajectories(trajectory(step), trajectory({ ...step, ...change }))
    const found = first?.kind === "changed" ? first.differences.map((difference) => difference.path) : ["$.source"]
    expect(found).toEqual([path])
  })

  it("tells an empty list from an empty object, and nothing from an empty text", () => {
    const with_ = (args: any) =>
      trajectory({ tool_calls: [{ tool_call_id: "1", function_name: "f", arguments: args }] })
    expect(diffTrajectories(with_({ a: [] }), with_({ a: {} })).same).toBe(false)
    expect(diffTrajectories(with_({ a: "" }), with_({})).same).toBe(false)
    expect(diffTrajectories(with_({ a: undefined }), with_({})).same).toBe(true)
  })

  it("finds a step that was put in between, and one that is gone", () => {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((message) => ({ message }))
    expect(kinds(trajectory(a!, b!, c!), trajectory(a!, d!, b!, c!))).toEqual(["same", "added", "same", "same"])
    expect(kinds(trajectory(a!, b!, c!), trajectory(a!, c!))).toEqual(["same", "removed", "same"])
    expect(kinds(trajectory(a!, { source: "user", message: "u" }), trajectory(a!, d!))).toEqual([
      "same",
      "removed",
      "added"
    ])
  })
})

describe("a diff of files", () => {
  it("is that of the trajectories, without what is the same", async () => {
    const folder = await mkdtemp(join(tmpdir(), "diff-"))
    const [a, b, c, d] = ["a", "b", "c", "d"].map((message) => ({ message }))
    const [left, right] = [trajectory(a!, b!, c!), trajectory(a!, d!, { message: "c", ...call("1", { q: "x" }) })]
    const files = [join(folder, "left.json"), join(folder, "right.json")] as const
    await writeTrajectory(files[0], left)
    await writeTrajectory(files[1], right)
    const [whole, byFile] = [diffTrajectories(left, right), await diffTrajectoryFiles(...files)]
    expect(byFile.steps.map(({ at, differences, kind }) => ({ at, differences, kind }))).toEqual(
      whole.steps.map(({ at, differences, kind }) => ({ at, differences, kind }))
    )
    expect(byFile.first?.right).toEqual(whole.first?.right)
    expect(byFile.steps[0]?.left).toBeUndefined()
    await expect(diffTrajectoryFiles(files[0], join(folder, "none.json"))).rejects.toThrow(
      /none\.json: there is no such file/
    )
  })
})

describe("the alignment", () => {
  it("is an alignment, and a shortest one, of random lists", () => {
    let state = 7
    const random = (n: number) => (state = (state * 1103515245 + 12345) % 2147483648) % n
    for (let round = 0; round < 300; round++) {
      const list = () => Array.from({ length: random(12) }, () => "abc"[random(3)]!)
      const [a, b] = [list(), list()]
      const pairs = alignment(a, b)
      expect(pairs.flatMap(([x]) => x ?? [])).toEqual(a.map((_, i) => i))
      expect(pairs.flatMap(([, y]) => y ?? [])).toEqual(b.map((_, i) => i))
      for (const [x, y] of pairs) if (x !== undefined && y !== undefined) expect(a[x]).toBe(b[y])
      const common = pairs.filter(([x, y]) => x !== undefined && y !== undefined).length
      expect(common).toBe(longest(a, b))
    }
  })

  it("gives up on lists that have nothing in common, and still names each element", () => {
    const a = Array.from({ length: 1_500 }, (_, i) => `a${i}`)
    const b = Array.from({ length: 1_500 }, (_, i) => `b${i}`)
    expect(alignment(a, b)).toHaveLength(3_000)
  })
})

/** Length of the longest common subsequence, the slow way. */
const longest = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      table[i]![j] = a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!)
    }
  }
  return table[a.length]![b.length]!
}

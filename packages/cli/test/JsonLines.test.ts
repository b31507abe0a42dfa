import { describe, expect, it } from "vitest"
import { errorLine, eventLine, outcomeLine } from "../src/JsonLines.ts"
import { Teller, usage } from "./renderer/story.ts"

const read = (line: string): unknown => {
  expect(line.endsWith("\n") && line.indexOf("\n") === line.length - 1).toBe(true)
  return JSON.parse(line)
}

describe("a line", () => {
  const child = new Teller("root", "child")
  const { session } = child.origin

  it("of an event holds its place and the event itself", () => {
    expect(read(eventLine(child.runStarted("line\nbreak")))).toEqual({
      type: "event",
      session,
      agent: ["root", "child"],
      seq: 1,
      time: 1_700_000_000_000,
      v: 1,
      event: { _tag: "RunStarted", run: 1, prompt: { _tag: "User", content: [{ _tag: "Text", text: "line\nbreak" }] } }
    })
  })

  it("of a delta says what it belongs to", () => {
    const kinds = { TextDelta: "text", ReasoningDelta: "reasoning", CodeDelta: "code", OutputDelta: "output" } as const
    for (const tag of Object.keys(kinds) as ReadonlyArray<keyof typeof kinds>) {
      const expected = { type: "delta", session, agent: ["root", "child"], kind: kinds[tag], text: "x" }
      expect(read(eventLine(child.delta(tag, "x")))).toEqual(expected)
    }
  })

  const outcome = { reason: "completed" as const, text: "done", steps: 1, cells: 0, usage, durationMs: 5 }

  it("of an outcome holds the answer as JSON", () => {
    const answer = { region: "north", at: new Date(0), large: 12n }
    expect(read(outcomeLine("s1", { ...outcome, answer }))).toEqual({
      type: "outcome",
      session: "s1",
      ...outcome,
      answer: { region: "north", at: "1970-01-01T00:00:00.000Z", large: "12n" }
    })
  })

  it("of an answer that JSON cannot hold shows it as Node would", () => {
    const answer: { name: string; self?: unknown } = { name: "loop" }
    answer.self = answer
    const line = read(outcomeLine("s1", { ...outcome, answer }))
    expect(line).toMatchObject({
      type: "outcome",
      reason: "completed",
      text: "done",
      answer: expect.stringContaining("[Circular *1]")
    })
  })

  it("of an error has a name and a message", () => {
    expect(read(errorLine(new TypeError("no such thing")))).toEqual({
      type: "error",
      name: "TypeError",
      message: "no such thing"
    })
    expect(read(errorLine("just text"))).toEqual({ type: "error", name: "Error", message: "just text" })
  })
})

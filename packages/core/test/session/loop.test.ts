import { describe, expect, test } from "vitest"
import { Binding } from "@daylight/core"
import { eventsOf, ofTag, play, scripted, tags, textsOf, told } from "../support.ts"

describe("a run", () => {
  test("begins with the prompt and ends with its outcome, once", async () => {
    const { events, outcome } = await play({ script: ["Paris."] })
    expect(outcome).toMatchObject({ reason: "completed", text: "Paris.", steps: 1, cells: 0 })
    expect(tags(events)).toEqual(["RunStarted", "ModelCalled", "ModelAnswered", "RunEnded"])
  })

  test("tells code before its result before the answer, and pairs every cell with a result", async () => {
    const { events, live, outcome, requests } = await play({
      script: [{ text: "I look.", code: "console.log('hi'); 6 * 7" }, "It is 42."]
    })
    expect(outcome).toMatchObject({ reason: "completed", text: "It is 42.", steps: 2, cells: 1 })
    expect(tags(events)).toEqual([
      "RunStarted",
      "ModelCalled",
      "ModelAnswered",
      "CellStarted",
      "CellEnded",
      "ActionsAnswered",
      "ModelCalled",
      "ModelAnswered",
      "RunEnded"
    ])
    expect(ofTag(events, "CellStarted")[0]!.code).toBe("console.log('hi'); 6 * 7")
    expect(ofTag(events, "CellEnded")[0]!.report).toMatchObject({ stdout: "hi\n", preview: "42" })
    expect(told(requests[1])).toBe("[stdout]\nhi\n[value]\n42")
    expect(textsOf(live, "TextDelta")).toEqual(["I look.", "It is 42."])
  })

  test("a cell that raises is told and the run goes on", async () => {
    const { events, outcome, requests } = await play({ script: [{ code: "const a = 1\nnull.x" }, "Sorry."] })
    expect(ofTag(events, "CellEnded")[0]!.report.problem).toMatchObject({ stage: "run", name: "TypeError", line: 2 })
    expect(told(requests[1])).toContain("TypeError: Cannot read properties of null (reading 'x') (line 2")
    expect(told(requests[1])).toContain("2 | null.x")
    expect(outcome.reason).toBe("completed")
  })

  test("a silent cell is said to have no output", async () => {
    const { requests } = await play({ script: [{ code: "void 0" }, "Done."] })
    expect(told(requests[1])).toBe("(no output)")
  })

  test("only the first action of a reply runs, and each gets an answer", async () => {
    const { events, outcome } = await play({
      script: [{ calls: [{ name: "run", input: { code: "1" } }, { name: "run", input: { code: "2" } }] }, "ok"]
    })
    expect(outcome.cells).toBe(1)
    expect(ofTag(events, "CellStarted").map((event) => event.code)).toEqual(["1"])
    const [answers] = ofTag(events, "ActionsAnswered")
    expect(answers!.message.content.map((part) => part.ok)).toEqual([true, false])
    expect(JSON.stringify(answers!.message.content[1])).toContain("Not run")
  })

  test.each([
    ["not JSON", { parts: malformed("run", '{"code": ') }, "not valid JSON"],
    ["another tool", { calls: [{ name: "browse", input: {} }] }, "no tool browse"],
    ["no code", { calls: [{ name: "run", input: { script: "1" } }] }, 'takes { "code"']
  ])("a malformed action (%s) is answered and starts no cell", async (_, reply, problem) => {
    const { events, outcome, requests } = await play({ script: [reply, "ok"] })
    expect(ofTag(events, "CellStarted")).toEqual([])
    expect(told(requests[1])).toContain(problem)
    expect(outcome.reason).toBe("completed")
  })

  test("code arrives live, decoded, whatever the chunks", async () => {
    const code = 'const s = "a\\n\u00e9 \\"b\\""\ns'
    for (const chunkSize of [1, 3, 1_000]) {
      const { live } = await play({ script: [{ code, chunkSize }, "ok"] })
      expect(textsOf(live, "CodeDelta").join("")).toBe(code)
    }
  })

  test("what a cell prints is shown while it runs", async () => {
    const { live } = await play({ script: [{ code: "console.log('one'); await null; console.error('two')" }, "ok"] })
    expect(textsOf(live, "OutputDelta")).toEqual(["one\n", "two\n"])
    const order = live.flatMap((event) =>
      event._tag === "OutputDelta" ? ["output"] : event._tag === "Recorded" ? [event.recorded.event._tag] : []
    )
    expect(order.indexOf("output")).toBeLessThan(order.indexOf("CellEnded"))
  })

  test("state stays between runs of one session, and both prompts are in the history", async () => {
    const { agent, requests } = scripted({
      script: [{ code: "let count = 1" }, "one", { code: "count += 1; count" }, "two"]
    })
    await using _ = agent
    expect((await agent.run("first")).text).toBe("one")
    expect((await agent.run("second")).text).toBe("two")
    expect(await agent.retrieve("count")).toBe(2)
    expect(
      requests.at(-1)!.messages.filter((message) => message._tag === "User").map((message) =>
        (message.content[0] as { text: string }).text
      )
    ).toEqual(["first", "second"])
    expect(requests[2]!.system).toBe(requests[0]!.system)
  })

  test("the digest of the namespace comes with each prompt, from the runtime", async () => {
    const { agent, requests } = scripted({
      script: [{ code: "let total = 41" }, "ok", "ok"],
      bindings: [Binding.variable("rows", [1, 2, 3])]
    })
    await using _ = agent
    await agent.run("first")
    agent.vars.total = 42
    await agent.run("second")
    expect(told(requests[0])).toContain("rows: Array")
    expect(told(requests[2])).toContain("total: number = 42")
  })

  test("what is injected between runs is declared to the model, and the system prompt stays as it was", async () => {
    const { agent, requests } = scripted({ script: ["ok", { code: "tax(100)" }, "ok"] })
    await using _ = agent
    await agent.run("first")
    await agent.inject([
      Binding.func((net: number) => net * 0.2, { name: "tax", effect: "none", description: "Tax of an amount." })
    ])
    await agent.run("second")
    expect(told(requests[1])).toContain("declare function tax(net")
    expect(told(requests[2])).toContain("20")
    expect(requests[2]!.system).toBe(requests[0]!.system)
  })

  test("the same error twice is said to be the same", async () => {
    const { requests } = await play({ script: [{ code: "rowz" }, { code: "  rowz" }, { code: "missing" }, "ok"] })
    expect(told(requests[1])).not.toContain("same error")
    expect(told(requests[2])).toContain("same error as in the cell before")
    expect(told(requests[3])).not.toContain("same error")
  })

  test("doing the same again and again is told, then ends as stuck", async () => {
    const { events, outcome } = await play({ script: () => ({ code: "1 + 1" }), limits: { steps: 20 } })
    expect(outcome).toMatchObject({ reason: "stuck", cells: 5 })
    expect(ofTag(events, "Nudged").map((event) => event.why)).toEqual(["stuck"])
  })

  test("usage adds up over steps", async () => {
    const { outcome } = await play({
      script: [{ code: "1", usage: { input: 100, output: 7, cacheRead: 50 } }, {
        text: "ok",
        usage: { input: 200, output: 3, reasoning: 2 }
      }]
    })
    expect(outcome.usage).toEqual({
      input: 300,
      output: 10,
      cacheRead: 50,
      cacheWrite: 0,
      reasoning: 2,
      estimated: false
    })
  })

  test("lone surrogates of a prompt and of output become U+FFFD", async () => {
    const { requests } = await play({ script: [{ code: "console.log('a\\ud800b')" }, "ok"], prompt: "x\ud800y" })
    expect(told(requests[0])).toContain("x\ufffdy")
    expect(told(requests[1])).toContain("a\ufffdb")
  })

  test("run and a drained stream end alike", async () => {
    const script = [{ code: "2 + 2" }, "four"]
    const { agent } = scripted({ script })
    await using _ = agent
    const { durationMs: _run, ...ran } = await agent.run("go")
    const { durationMs: _stream, ...streamed } = (await play({ script })).outcome
    expect(ran).toEqual(streamed)
  })

  test("a second run at the same time is refused as busy", async () => {
    const { agent } = scripted({ script: [{ text: "slow", delayMs: 50 }, "next"] })
    await using _ = agent
    const first = agent.run("one")
    await new Promise((resolve) => setTimeout(resolve, 10))
    await expect(agent.run("two")).rejects.toMatchObject({ _tag: "SessionBusy" })
    expect((await first).text).toBe("slow")
    expect((await agent.run("three")).text).toBe("next")
  })

  test("two sessions at the same time do not mix their output", async () => {
    const cell = (name: string) =>
      `for (let i = 0; i < 5; i++) { console.log("${name}"); await new Promise((resolve) => setTimeout(resolve, 2)) }`
    const runs = await Promise.all(["a", "b"].map((name) => play({ script: [{ code: cell(name) }, "ok"] })))
    expect(runs.map(({ events }) => ofTag(events, "CellEnded")[0]!.report.stdout)).toEqual([
      "a\n".repeat(5),
      "b\n".repeat(5)
    ])
  })

  test("events of the log are numbered without gaps", async () => {
    const { live } = await play({ script: [{ code: "1" }, "ok"] })
    const sequence = live.flatMap((event) => event._tag === "Recorded" ? [event.recorded.seq] : [])
    expect(sequence).toEqual(sequence.map((_, i) => sequence[0]! + i))
    expect(eventsOf(live)).not.toHaveLength(0)
  })
})

function malformed(name: string, json: string) {
  return [
    { _tag: "Start", provider: "scripted", model: "scripted-1" },
    { _tag: "ActionStart", id: "a", name },
    { _tag: "ActionDelta", id: "a", json },
    { _tag: "ActionEnd", id: "a" },
    { _tag: "Finish", reason: "action" }
  ] as const
}

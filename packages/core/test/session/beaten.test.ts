/**
 * Weaknesses that users of other code-acting agents live with, each with the test that it does not exist here.
 */
import { describe, expect, test } from "vitest"
import { Binding } from "@daylight/core"
import { ofTag, play, scripted, textsOf, told } from "../support.ts"

const fence = (code: string) => `\`\`\`ts run\n${code}\n\`\`\`\n`

describe("beaten:", () => {
  test("code can never be shown, since any block is executed", async () => {
    const review = 'I would write it so:\n```ts\nthrow new Error("never run")\n```\nand test it.'
    for (const action of ["tool", "fence"] as const) {
      expect((await play({ action, script: [review] })).outcome).toMatchObject({
        reason: "completed",
        text: review,
        cells: 0
      })
    }
  })

  test("a wrong fence tag ends the run as completed, with code that nobody ran", async () => {
    for (const opening of ["```tsrun", "~~~ts-run", "```run ts"]) {
      const { events, outcome } = await play({
        action: "fence",
        script: [`${opening}\n1 + 1\n${opening.slice(0, 3)}`, fence("1 + 1"), "2"]
      })
      expect(ofTag(events, "Nudged").map((event) => event.why)).toEqual(["near-miss"])
      expect(outcome).toMatchObject({ reason: "completed", text: "2", cells: 1 })
    }
  })

  test("an unterminated block ends the run as completed, and its body is lost", async () => {
    const { live, outcome } = await play({
      action: "fence",
      script: ["Now:\n```ts run\nconst a = 1", "```ts run\nconst a = 2"]
    })
    expect(outcome.reason).toBe("model_error")
    expect(outcome.text).toContain("const a = 1")
    expect(textsOf(live, "CodeDelta").join("")).toContain("const a = 1")
  })

  test("blocks that are quoted in an outer fence are executed", async () => {
    const quoted = "Put this into the README:\n````md\n" + fence("danger()") + "````\n"
    expect((await play({ action: "fence", script: [quoted] })).outcome).toMatchObject({ reason: "completed", cells: 0 })
  })

  test("a limit that is hit during a recovery gives empty content, and nothing asks for a last answer", async () => {
    const script = (request: { readonly purpose: string }) =>
      request.purpose === "wrap-up"
        ? "All I know."
        : { text: "So far, so good.", finish: "length" as const, hang: false }
    const { outcome } = await play({
      script: (request, n) => n === 0 ? { text: "One.", code: "1" } : script(request),
      limits: { steps: 1 }
    })
    expect(outcome).toMatchObject({ reason: "limit", text: "One.\n\nAll I know." })
  })

  test("the model is blind to its data: it sees names of types and nothing else", async () => {
    const { requests } = await play({
      script: ["ok"],
      bindings: [
        Binding.variable("orders", [{ id: 7, total: 9.5 }, { id: 8, total: 1 }], { description: "Orders of today" })
      ]
    })
    expect(requests[0]!.system).toContain("Orders of today")
    expect(requests[0]!.system).toMatch(/orders: \{ id: number; total: number \}\[\]/)
    expect(told(requests[0])).toMatch(/orders: Array\[2\].*id: 7/)
  })

  test("what the model made earlier is told from memory, not from the runtime", async () => {
    const { agent, requests } = scripted({ script: [{ code: "let table = [1, 2, 3]" }, "ok", "ok"] })
    await using _ = agent
    await agent.run("first")
    agent.vars.table = [1]
    await agent.run("second")
    expect(told(requests.at(-1))).toContain("table: Array[1]")
  })

  test("oversized outputs are pinned for ever", async () => {
    const { agent } = scripted({
      script: [...Array.from({ length: 30 }, (_, i) => ({ code: `'${i}'.padEnd(2_000_000, 'x')` })), "ok"],
      limits: { steps: 40 }
    })
    await using _ = agent
    await agent.run("go")
    const names = (await agent.names()).filter((name) => name.startsWith("_output_"))
    expect(names.length).toBeLessThan(30)
    expect(names).toContain("_output_30")
    expect(names).not.toContain("_output_1")
  })

  test("two runs of one agent interleave their history", async () => {
    const { agent, requests } = scripted({ script: [{ text: "one", delayMs: 30 }, "two"] })
    await using _ = agent
    const [first, second] = await Promise.allSettled([agent.run("a"), agent.run("b")])
    expect([first.status, second.status].sort()).toEqual(["fulfilled", "rejected"])
    expect(requests).toHaveLength(1)
  })

  test("a reset gives back what the model has made of a binding, or a stale copy, by the kind of runtime", async () => {
    const rows = [1]
    const { agent } = scripted({
      script: [{ code: "rows = 'gone'; made = 1" }, { code: "rows = 'gone'; var made = 1" }, "ok"],
      bindings: [Binding.variable("rows", rows)]
    })
    await using _ = agent
    await agent.run("go")
    await agent.reset()
    expect(await agent.retrieve("rows")).toBe(rows)
    expect(await agent.names()).not.toContain("made")
  })

  test("TypeScript and JavaScript are confused: types are refused, or stripped without a word", async () => {
    const { requests } = await play({
      script: [
        {
          code:
            "interface Row { n: number }\nconst rows: Row[] = [{ n: 1 }]\nconst first = <T,>(items: T[]): T | undefined => items[0]\nfirst<Row>(rows)!.n satisfies number"
        },
        { code: "enum Color { Red }\nColor.Red" },
        "ok"
      ]
    })
    expect(told(requests[1])).toContain("[value]\n1")
    expect(told(requests[2])).toMatch(/enum/i)
    expect(told(requests[2])).toContain("[hint]")
  })

  test("fenced code is misparsed where code holds fences", async () => {
    const code = "/*\n```ts run\nquoted()\n```\n*/\n1 + 1"
    const { events } = await play({ action: "fence", script: [fence(code), "ok"] })
    expect(ofTag(events, "CellStarted")[0]!.code).toBe(code)
    expect(ofTag(events, "CellEnded")[0]!.report.preview).toBe("2")
  })

  test("a budget never fires, since early-closed streams report no usage", async () => {
    const parts = [{ _tag: "Start", provider: "p", model: "m" }, { _tag: "TextDelta", text: fence("1".repeat(400)) }, {
      _tag: "TextDelta",
      text: "x".repeat(5_000)
    }] as const
    const { outcome } = await play({
      action: "fence",
      limits: { tokens: 8_000, steps: 100 },
      script: (request) => request.purpose === "wrap-up" ? "enough" : { parts }
    })
    expect(outcome).toMatchObject({ reason: "limit", limit: "tokens" })
    expect(outcome.usage.estimated).toBe(true)
  })
})

import { describe, expect, test } from "vitest"
import { Binding, RuntimeError } from "@daylight/core"
import * as Effect from "effect/Effect"
import { eventsOf, scripted, tags } from "../support.ts"

describe("an agent behind promises", () => {
  test("gives back the very objects that were put in, and what cells made", async () => {
    const big = { rows: new Array(1_000).fill(0) }
    const { agent } = scripted({
      script: [{ code: "const twice = [big, big]" }, "ok"],
      bindings: [Binding.variable("big", big)]
    })
    await using _ = agent
    await agent.run("go")
    expect(await agent.retrieve("big")).toBe(big)
    expect((await agent.retrieve<Array<object>>("twice"))[1]).toBe(big)
    expect(agent.vars.big).toBe(big)
  })

  test("a cell may assign a bound variable: that is how results come out", async () => {
    const { agent } = scripted({ script: [{ code: "total = 5" }, "ok"], bindings: [Binding.variable("total", 0)] })
    await using _ = agent
    await agent.run("go")
    expect(await agent.retrieve("total")).toBe(5)
  })

  test("variables that are set before anything ran are there in the first cell", async () => {
    const { agent } = scripted({ script: [{ code: "const doubled = rows.map((n) => n * 2)" }, "ok"] })
    await using _ = agent
    agent.vars.rows = [1, 2]
    expect(agent.vars.rows).toEqual([1, 2])
    await agent.run("go")
    expect(agent.vars.doubled).toEqual([2, 4])
    expect(await agent.names()).toEqual(expect.arrayContaining(["rows", "doubled"]))
  })

  test("a name that is not there is undefined as a property and an error when retrieved", async () => {
    const { agent } = scripted({ script: ["ok"] })
    await using _ = agent
    await agent.run("go")
    expect(agent.vars.absent).toBeUndefined()
    const error = await agent.retrieve("absent").catch((error: unknown) => error)
    expect(error).toBeInstanceOf(RuntimeError)
    expect((error as Error).message).toContain("absent")
  })

  test("reset drops what cells made and keeps what was bound", async () => {
    const { agent } = scripted({
      script: [{ code: "const made = 1; rows = 'changed'" }, "ok", { code: "[typeof made, rows.length]" }, "ok"],
      bindings: [Binding.variable("rows", [1])]
    })
    await using _ = agent
    await agent.run("go")
    await agent.reset()
    expect(agent.vars.made).toBeUndefined()
    expect(await agent.retrieve("rows")).toEqual([1])
  })

  test("the session opens once, whoever comes first", async () => {
    const { agent } = scripted({ script: ["ok"], id: "one" })
    await using _ = agent
    expect(await Promise.all([agent.session, agent.session, agent.names().then(() => agent.session)])).toEqual([
      "one",
      "one",
      "one"
    ])
  })

  test("the outcome of a stream is there without reading it", async () => {
    const { agent } = scripted({ script: [{ code: "1" }, "ok"] })
    await using _ = agent
    expect((await agent.stream("go").outcome).text).toBe("ok")
  })

  test("a stream gives everything of its run and nothing of another", async () => {
    const { agent } = scripted({ script: ["one", "two"] })
    await using _ = agent
    for (const prompt of ["a", "b"]) {
      const live = []
      for await (const event of agent.stream(prompt)) live.push(event)
      expect(tags(eventsOf(live))).toEqual(["RunStarted", "ModelCalled", "ModelAnswered", "RunEnded"])
    }
  })

  test("misuse of a stream is thrown where it is read", async () => {
    const { agent } = scripted({ script: ["ok"] })
    await using _ = agent
    const read = async () => {
      for await (const _event of agent.stream("")) expect.unreachable()
    }
    await expect(read()).rejects.toMatchObject({ _tag: "InvalidInput" })
  })

  test("a resource is acquired once and released with the session", async () => {
    const log: Array<string> = []
    const db = Effect.acquireRelease(
      Effect.sync(() => {
        log.push("open")
        return { n: 1 }
      }),
      () => Effect.sync(() => void log.push("close"))
    )
    const { agent } = scripted({ script: [{ code: "db.n" }, "ok"], bindings: [Binding.resource("db", db)] })
    expect(log).toEqual([])
    await agent.run("go")
    await agent[Symbol.asyncDispose]()
    expect(log).toEqual(["open", "close"])
  })

  test("disposal stops a run that is under way", async () => {
    const { agent } = scripted({ script: [{ text: "Well", hang: true }] })
    const run = agent.run("go")
    await new Promise((resolve) => setTimeout(resolve, 20))
    await agent[Symbol.asyncDispose]()
    expect(await run).toMatchObject({ reason: "cancelled", text: "Well" })
  })
})

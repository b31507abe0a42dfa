import { describe, expect, test } from "vitest"
import { Agent, Binding, InvalidInput, Part } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { scripted } from "../support.ts"

const problemOf = (f: () => unknown): InvalidInput => {
  try {
    f()
  } catch (error) {
    if (error instanceof InvalidInput) return error
    throw error
  }
  throw new Error("nothing was thrown")
}

class Refused extends Error {
  readonly _tag = "Refused"
}

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe("bad input is a typed error that names the thing and the remedy", () => {
  const rows = Binding.variable("rows", [])
  test.each<[string, () => unknown, RegExp, RegExp]>([
    [
      "two bindings with one name",
      () => Agent.make({ name: "a", bindings: [rows, Binding.func(() => 1, { name: "rows" })] }),
      /"rows"/,
      /used twice/
    ],
    [
      "names that are one after NFKC",
      () => Agent.make({ name: "a", bindings: [Binding.variable("ﬁx", 1), Binding.variable("fix", 2)] }),
      /"fix"/,
      /used twice/
    ],
    ["a name that is no identifier", () => Binding.variable("my rows", 1), /"my rows"/, /not an identifier/],
    ["a name that begins with a digit", () => Binding.variable("1st", 1), /"1st"/, /not an identifier/],
    ["a reserved word", () => Binding.variable("class", 1), /"class"/, /reserved/],
    ["await", () => Binding.variable("await", 1), /"await"/, /reserved/],
    ["a global of the runtime", () => Binding.variable("Map", 1), /"Map"/, /global/],
    ["console", () => Binding.func(() => 1, { name: "console" }), /"console"/, /global/],
    ["finish", () => Binding.func(() => 1, { name: "finish" }), /"finish"/, /global/],
    ["a name the runtime keeps", () => Binding.variable("__b", 1), /"__b"/, /underscores/],
    ["a function without a name", () => Binding.func(() => 1), /Binding.func/, /no name/],
    ["a function that is none", () => Binding.func(1 as never), /Binding.func/, /expected a function/],
    ["a type without a name", () => Binding.type("{ a: number }"), /Binding.type/, /no name/],
    [
      "a contract of a method that is not there",
      () => Binding.variable("db", { query() {} }, { contract: { qurey: {} } }),
      /db\.qurey/,
      /does not have/
    ],
    ["an agent without a name", () => Agent.make({ name: " " }), /agent/, /no name/],
    ["a negative limit", () => Agent.make({ name: "a", limits: { steps: -1 } }), /"a"/, /steps is -1/],
    ["a limit that is no number", () => Agent.make({ name: "a", limits: { tokens: NaN } }), /"a"/, /tokens is NaN/],
    ["a time that is none", () => Agent.make({ name: "a", limits: { time: "soon" as never } }), /"a"/, /time is soon/],
    [
      "a negative cell limit",
      () => Agent.make({ name: "a", cells: { previewChars: -5 } }),
      /"a"/,
      /previewChars is -5/
    ],
    ["an action that is none", () => Agent.make({ name: "a", action: "tools" as never }), /"a"/, /action is "tools"/],
    ["tags that are equal", () => Agent.make({ name: "a", action: { open: "<x>", close: "<x>" } }), /"a"/, /action is/],
    ["a value that cannot be described", () => Binding.variable("gone", revoked()), /"gone"/, /cannot be described/],
    ["a media part without a source", () => Part.image(""), /Part.image/, /no source/]
  ])("%s", (_, f, subject, problem) => {
    const error = problemOf(f)
    expect(error.subject).toMatch(subject)
    expect(error.problem).toMatch(problem)
    expect(error.remedy).not.toBe("")
    expect(error.message).toContain(error.remedy)
  })

  test.each<[string, Parameters<ReturnType<typeof createAgent>["run"]>]>([
    ["an empty prompt", [""]],
    ["a prompt of spaces", [" \n "]],
    ["a prompt without parts", [[]]],
    ["a negative limit of a run", ["go", { limits: { steps: -1 } }]],
    ["an image that is none", [["look", Part.image(new TextEncoder().encode("plain text"))]]],
    ["a file that is not there", [["read", Part.file("/nowhere/at/all.pdf")]]]
  ])("%s: before any model call, and the session still runs", async (_, call) => {
    const { agent, requests } = scripted({ script: ["ok"] })
    await using _agent = agent
    await expect(agent.run(...call)).rejects.toBeInstanceOf(InvalidInput)
    expect(requests).toEqual([])
    expect((await agent.run("go")).text).toBe("ok")
  })

  test("injecting a taken name changes nothing", async () => {
    const { agent } = scripted({ script: ["ok"], bindings: [rows] })
    await using _ = agent
    await expect(agent.inject([Binding.variable("fresh", 1), Binding.variable("rows", 2)])).rejects.toBeInstanceOf(
      InvalidInput
    )
    expect(await agent.names()).not.toContain("fresh")
  })

  test("a resource that cannot be acquired is named", async () => {
    const { agent } = scripted({
      script: ["ok"],
      bindings: [Binding.resource("db", Effect.fail(new Refused("refused")))]
    })
    await using _ = agent
    await expect(agent.run("go")).rejects.toMatchObject({
      subject: "resource db",
      problem: expect.stringContaining("refused")
    })
  })

  test("a layer that fails rejects the first call with its own error", async () => {
    class NoKey extends Error {
      readonly _tag = "NoKey"
    }
    await using agent = createAgent({
      name: "a",
      runtime: VmRuntime.layer,
      model: Layer.effectContext(Effect.fail(new NoKey("set KEY")))
    })
    await expect(agent.run("go")).rejects.toBeInstanceOf(NoKey)
  })

  test("calls after disposal reject, and disposal may be repeated", async () => {
    const agent = createAgent({ name: "a", runtime: VmRuntime.layer, model: ScriptedModel.layer(["ok", "ok"]) })
    expect((await agent.run("go")).text).toBe("ok")
    await agent[Symbol.asyncDispose]()
    await agent[Symbol.asyncDispose]()
    await expect(agent.run("go")).rejects.toMatchObject({ _tag: "InvalidInput", problem: "was disposed" })
    await expect(agent.retrieve("x")).rejects.toMatchObject({ problem: "was disposed" })
  })
})

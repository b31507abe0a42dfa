/** One cassette file in every mode: who answers, what is written, what is wrong at the end. */
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/evals"
import { type CassetteSessionOptions, modeOf, openCassette, readCassette } from "@daylight/evals/cassette"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, it, vi } from "vitest"

let file: string
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), "session-")), "a.cassette.jsonl")
})

const forbidden = Layer.effectDiscard(Effect.die(new Error("the model was built"))) as any
const env = {}

/** Asks a model and a server, and gives what both said. */
const use = async (options: CassetteSessionOptions, model: any, prompts: ReadonlyArray<string>) => {
  const cassette = await openCassette(file, { env, ...options })
  const said: Array<string> = []
  for (const prompt of prompts) {
    await using agent = createAgent({ name: "a", model: cassette.model(model), runtime: VmRuntime.layer })
    const { error, text } = await agent.run(prompt)
    const response = await cassette.fetch("http://weather.test/today", {
      method: "POST",
      body: JSON.stringify({ prompt })
    })
    said.push(`${error?.name ?? text} ${response.status} ${(await response.text()).slice(0, 20)}`)
  }
  return { cassette, said }
}

const script = (...texts: ReadonlyArray<string>) => {
  const left = [...texts]
  return ScriptedModel.layer(() => left.shift() ?? "nothing left")
}
const server = (name: string) =>
  vi.fn<(url: string | URL | Request, init?: RequestInit) => Promise<Response>>(async (
    _url: string | URL | Request,
    init?: RequestInit
  ) => new Response(`${name}: ${String(init?.body)}`)) as unknown as typeof fetch & ReturnType<typeof vi.fn>

const record = async (prompts: ReadonlyArray<string> = ["Hi"]) => {
  const { cassette } = await use({ mode: "record", fetch: server("real") }, script("Hello.", "Again."), prompts)
  await cassette.close()
}

describe("mode", () => {
  it("record writes, and replay answers without a model and without a network", async () => {
    await record(["Hi", "Hi"])
    const fetch = server("never")
    const { cassette, said } = await use({ fetch }, forbidden, ["Hi", "Hi"])
    expect(said).toEqual([
      'Hello. 200 real: {"prompt":"Hi"}'.slice(0, 31),
      'Again. 200 real: {"prompt":"Hi"}'.slice(0, 31)
    ])
    expect(fetch).not.toHaveBeenCalled()
    await cassette.close()
  })

  it("replay fails at the end for a miss that nobody minded, and for what was not used", async () => {
    await record()
    const { cassette, said } = await use({}, forbidden, ["Ho"])
    expect(said[0]).toMatch(/^ModelError 422/)
    await expect(cassette.close()).rejects.toThrow(/lacks 2 requests .*\$\.messages\[0\]/s)
    const { cassette: idle } = await use({}, forbidden, [])
    await expect(idle.close()).rejects.toThrow(
      /holds 2 recordings that were not asked for: answer 1 of 1 \(answer: "Hello."\), exchange 1 of 1 \(POST \/today\)/
    )
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    const { cassette: warned } = await use({ unused: "warn" }, forbidden, [])
    await warned.close()
    expect(warn.mock.calls.flat().join()).toMatch(/a\.cassette\.jsonl: holds 2 recordings that were not asked for/)
    warn.mockRestore()
    const { cassette: tolerant } = await use({ unused: "off" }, forbidden, [])
    await tolerant.close()
  })

  it("replay takes the rules of the file, and no others", async () => {
    await record()
    await expect(openCassette(file, { env, matching: { ignore: ["$.providerOptions"] } })).rejects.toThrow(
      /:1: is stale/
    )
    const { cassette } = await use({ matching: {}, unused: "off" }, forbidden, [])
    await cassette.close()
  })

  it("replay needs the file", async () => {
    await expect(openCassette(file, { env })).rejects.toThrow(/there is no such file/)
  })

  it("record-missing asks only for what is missing, and adds it", async () => {
    await record()
    const before = await readFile(file, "utf8")
    const fetch = server("real")
    const { cassette, said } = await use({ mode: "record-missing", fetch }, script("Bye."), ["Hi", "Ho"])
    await cassette.close()
    expect(said.map((line) => line.split(" ")[0])).toEqual(["Hello.", "Bye."])
    expect(fetch).toHaveBeenCalledTimes(1)
    const after = await readCassette(file)
    expect(after.answers).toHaveLength(2)
    expect(after.exchanges).toHaveLength(2)
    for (const line of before.split("\n").filter((line) => line.includes('"type":"answer"'))) {
      expect(await readFile(file, "utf8")).toContain(line)
    }
    const { cassette: again } = await use({}, forbidden, ["Ho", "Hi"])
    await again.close()
  })

  it("record-missing counts on where a request is repeated more often", async () => {
    await record()
    const { cassette } = await use({ mode: "record-missing", fetch: server("real") }, script("Later."), ["Hi", "Hi"])
    await cassette.close()
    expect((await readCassette(file)).answers.map(({ ordinal }) => ordinal)).toEqual([0, 1])
    const { cassette: again, said } = await use({}, forbidden, ["Hi", "Hi"])
    expect(said.map((line) => line.split(" ")[0])).toEqual(["Hello.", "Later."])
    await again.close()
  })

  it("live asks the real thing, counts what is missing, and writes nothing", async () => {
    await record()
    const before = await readFile(file, "utf8")
    const { cassette, said } = await use({ mode: "live", fetch: server("new") }, script("Fresh.", "Fresh."), [
      "Hi",
      "Ho"
    ])
    await cassette.close()
    expect(said.map((line) => line.split(" ")[0])).toEqual(["Fresh.", "Fresh."])
    expect(cassette.misses).toHaveLength(2)
    expect(await readFile(file, "utf8")).toBe(before)
  })

  it("off does not even look at the file", async () => {
    const { cassette, said } = await use({ mode: "off", fetch: server("new") }, script("Fresh."), ["Hi"])
    await cassette.close()
    expect(said[0]).toMatch(/^Fresh\./)
    await expect(readFile(file)).rejects.toThrow(/ENOENT/)
  })

  it("is replay by default, by the environment, and never another in CI by accident", () => {
    expect(modeOf({ env: {} })).toBe("replay")
    expect(modeOf({ env: { DAYLIGHT_REPLAY: "record" } })).toBe("record")
    expect(() => modeOf({ env: { DAYLIGHT_REPLAY: "recrod" } })).toThrow(/Use one of replay, record/)
    for (const mode of ["record", "record-missing", "live", "off"] as const) {
      expect(() => modeOf({ mode, env: { CI: "true" } })).toThrow(/CI is set/)
      expect(modeOf({ mode, env: { CI: "true" }, allowLiveInCI: true })).toBe(mode)
      expect(modeOf({ mode, env: { CI: "false" } })).toBe(mode)
    }
    expect(modeOf({ env: { CI: "1" } })).toBe("replay")
  })
})

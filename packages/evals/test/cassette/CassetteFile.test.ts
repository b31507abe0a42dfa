/** Files of recordings: what is wrong with one is said with file and line, and no secret gets into one. */
import { createAgent } from "@daylight/core/promise"
import { Recorder, type RecorderOptions, ScriptedModel } from "@daylight/evals"
import { parseCassette, printCassette, readCassette, RecordingError, writeCassette } from "@daylight/evals/cassette"
import { VmRuntime } from "@daylight/runtime-vm"
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const recorded = async (reply = "Fine.", options: RecorderOptions = {}) => {
  const recorder = Recorder.make(options)
  await using agent = createAgent({
    name: "a",
    model: ScriptedModel.layer([reply]),
    runtime: VmRuntime.layer,
    services: recorder.services
  })
  await agent.run("How are you?")
  return recorder.recording().cassette
}

const problemOf = (act: () => unknown): RecordingError => {
  try {
    act()
  } catch (error) {
    if (error instanceof RecordingError) return error
    throw error
  }
  throw new Error("nothing was wrong")
}

describe("a damaged file", async () => {
  const lines = printCassette(await recorded()).trimEnd().split("\n")
  const with_ = (line: number, text: string) =>
    [...lines.slice(0, line - 1), text, ...lines.slice(line)].join("\n") + "\n"
  const message = lines.findIndex((line) => line.includes('"type":"message"')) + 1
  const answer = lines.findIndex((line) => line.includes('"type":"answer"')) + 1
  it.each<[string, string, number | undefined, RegExp]>([
    ["that is empty", "", undefined, /is empty/],
    ["that was cut in the middle", lines.join("\n").slice(0, -10), lines.length, /was cut off/],
    ["whose last line is gone", lines.slice(0, -1).join("\n"), lines.length - 1, /was cut off/],
    ["that lost a line", [...lines.slice(0, 2), ...lines.slice(3)].join("\n"), lines.length - 1, /last line counts/],
    ["with a broken line", with_(3, lines[2]!.slice(5)), 3, /is damaged/],
    [
      "with an altered text",
      with_(message, lines[message - 1]!.replace("How are you?", "How am I?")),
      message,
      /was altered/
    ],
    [
      "with an altered request",
      with_(answer, lines[answer - 1]!.replace('"choice":"auto"', '"choice":"none"')),
      answer,
      /was altered/
    ],
    ["with an entry of another kind", with_(2, '{"type":"poem"}'), 2, /is no entry/],
    ["of another tool", '{"version":1,"interactions":[]}\n', 1, /is no cassette/],
    ["of a newer version", with_(1, lines[0]!.replace(/"version":1}$/, '"version":2}')), 1, /newer version/],
    ["of an older version", with_(1, lines[0]!.replace(/"version":1}$/, '"version":0}')), 1, /is stale/],
    [
      "with other rules of what counts",
      with_(1, lines[0]!.replace('"version":1,"volatile"', '"version":0,"volatile"')),
      1,
      /is stale: it has format 1 with rules 0/
    ],
    ["with a mark of a merge", with_(3, "<<<<<<< HEAD"), 3, /is damaged/]
  ])("%s", (_, text, line, problem) => {
    const error = problemOf(() => parseCassette(text, "runs/a.cassette.jsonl"))
    expect(error.file).toBe("runs/a.cassette.jsonl")
    expect(error.line).toBe(line)
    expect(error.message).toMatch(problem)
  })

  it("that is not there is told apart from one that is empty", async () => {
    await expect(readCassette("nowhere/a.cassette.jsonl")).rejects.toThrow(/no such file/)
  })
})

describe("writing", () => {
  it.each(["provider", "model", "purpose", "choice", "maxOutputTokens", "system", "actions", "messages"])(
    "and reading again works also where $.%s is ignored",
    async (name) => {
      const cassette = await recorded("Fine.", { matching: { ignore: [`$.${name}`] } })
      const text = printCassette(cassette)
      expect(printCassette(parseCassette(text, "a"))).toBe(text)
    }
  )

  it("is all or nothing, and leaves a file with the same content alone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cassette-"))
    const file = join(folder, "deep", "a.cassette.jsonl")
    const cassette = await recorded()
    expect(await writeCassette(file, cassette)).toBe(true)
    const before = (await stat(file)).mtimeMs
    expect(await writeCassette(file, await recorded())).toBe(false)
    expect((await stat(file)).mtimeMs).toBe(before)
    expect(await readdir(join(folder, "deep"))).toEqual(["a.cassette.jsonl"])
    expect(printCassette(await readCassette(file))).toBe(await readFile(file, "utf8"))
  })

  it.each([
    ["a key of OpenAI", "sk-proj-9fK2mQ7xW4pL1vB8nR5tY3uZ6cD0eHa", {}],
    ["a token of GitHub", "ghp_9fK2mQ7xW4pL1vB8nR5tY3uZ6cD0eHaIj2K", {}],
    ["what its name calls a secret", '{ password: "q8Zr2Lk0vXw7Tn5Yb3Mc1" }', {}],
    ["the value of a variable", "correct-horse-battery", { MAIL_PASSWORD: "correct-horse-battery" }],
    ["a value of several lines", 'one "line"\nand another', { SIGNING_KEY: 'one "line"\nand another' }],
    ["a key of a header", "x-api-key: k9fK2mQ7xW4pL1vB8n", {}],
    ["a key of a header in JSON", '{"x-api-key":"k9fK2mQ7xW4pL1vB8n"}', {}],
    ["a key of a header in JSON in JSON", JSON.stringify('{"x-api-key":"k9fK2mQ7xW4pL1vB8n"}'), {}],
    ["a password of a header", "Authorization: Basic YWRtaW46aHVudGVyMg==", {}],
    ["a bearer token", "authorization: Bearer 9fK2mQ7xW4pL1vB8nR5tY3uZ", {}],
    ["a cookie", "Cookie: session=9fK2mQ7xW4pL1vB8nR5tY3uZ", {}],
    ["a cookie that was set", '[["set-cookie","sid=9fK2mQ7xW4pL1vB8nR5t; Path=/"]]', {}],
    ["a key in an address", "https://a.test/v1/models?key=9fK2mQ7xW4pL1vB8nR", {}],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----", {}]
  ])("refuses %s, with the line and without the secret", async (_, secret, env) => {
    const cassette = await recorded(`The key is ${secret}.`)
    const error = problemOf(() => printCassette(cassette, "a.cassette.jsonl", { env }))
    expect(error.line).toBeGreaterThan(1)
    expect(error.message).toContain("looks like a secret")
    expect(error.message).not.toContain(secret)
  })

  it.each([
    ["encrypted reasoning", Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 89 + 7) % 251)).toString("base64")],
    [
      "a key in the midst of encrypted reasoning",
      `gAAAAABo${"Qx7Lm2Zt9Rk4".repeat(5)}/AKIAQ7WZX2M4K9PLV8NR+${"b3Nx".repeat(9)}=`
    ],
    [
      "one in the alphabet for addresses",
      `gAAAAABo${"Qx7Lm2Zt9Rk4".repeat(5)}-hf_9fK2mQ7xW4pL1vB8nR5tY3uZ6c_${"b3Nx".repeat(9)}`
    ],
    ["a hash", "3f".repeat(32)],
    ["what stands in for a key", "sk-xxxxxxxxxxxxxxxxxxxxxxxx"],
    ["names of tokens", '{ token: "tokenizer_config_default_v2", max_tokens: "12345678901234567890123" }'],
    ["talk of keys", "Set OPENAI_API_KEY, or pass a bearer token."],
    ["talk of headers", 'Send "x-api-key: <your key>", an Authorization header and no cookie: none=needed.'],
    ["a query that is none", "https://a.test/search?key=short&token=1"]
  ])("is not afraid of %s", async (_, text) => {
    expect(printCassette(await recorded(text), "a", { env: {} })).toContain(text.slice(10, 20))
  })

  it("takes for a secret what looks like one, unless it is known to be none", async () => {
    const cassette = await recorded('{ api_key: "phc_9fK2mQ7xW4pL1vB8nR5tY3" }')
    expect(() => printCassette(cassette, "a", { env: {} })).toThrow(/a secret by its name/)
    expect(printCassette(cassette, "a", { env: {}, allow: [/phc_\w+/] })).toContain("phc_")
  })

  it("of several workers at once leaves the whole file of one of them, and nothing else", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cassette-"))
    const file = join(folder, "a.cassette.jsonl")
    const cassettes = await Promise.all(Array.from({ length: 12 }, (_, n) => recorded("Fine. ".repeat(n * 1_000 + 1))))
    await Promise.all(cassettes.map((cassette) => writeCassette(file, cassette)))
    expect(cassettes.map((cassette) => printCassette(cassette))).toContain(await readFile(file, "utf8"))
    expect(await readdir(folder)).toEqual(["a.cassette.jsonl"])
  })

  it("never leaves half a file behind", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cassette-"))
    await writeFile(join(folder, "taken"), "")
    await expect(writeCassette(join(folder, "taken", "a.jsonl"), await recorded())).rejects.toThrow(/EEXIST|ENOTDIR/)
    expect(await readdir(folder)).toEqual(["taken"])
  })
})

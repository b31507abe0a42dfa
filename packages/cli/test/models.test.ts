import { Catalogue, Named } from "@daylight/providers"
import { describe, expect, it, vi } from "vitest"
import { type ChatCall, type ChatReply, chatServer } from "./ChatServer.ts"
import { daylight, fixture } from "./daylight.ts"

/** Each command is a process of its own, and this machine may be busy. */
vi.setConfig({ testTimeout: 90_000 })

const counter = fixture("counter.ts")

/** Counts the orders in a cell, and then says what the cell gave. */
const counting = ({ body }: ChatCall): ChatReply => {
  const last = body.messages.at(-1)
  return last?.role === "tool" ? `There are ${/\d+/.exec(last.content ?? "")?.[0]}.` : { code: "orders.length" }
}

describe("daylight run --model", () => {
  it("talks to a local model server, streams, acts and answers", async () => {
    await using server = await chatServer(counting)
    const { code, stderr, stdout } = await daylight(
      ["run", counter, "How many orders?", "--model", "openai:local", "--base-url", server.url]
    )
    expect([code, stderr]).toEqual([0, ""])
    const steps = [
      "▶ How many orders?",
      "│   1  orders.length",
      "│ = 3",
      "There are 3.",
      "✓ completed  2 steps · 1 cell"
    ]
    let from = 0
    for (const step of steps) {
      const at = stdout.indexOf(step, from)
      expect([step, at >= from]).toEqual([step, true])
      from = at
    }
    expect(server.received.map(({ body, path }) => [path, body.model, body.stream])).toEqual([
      ["/v1/chat/completions", "local", true],
      ["/v1/chat/completions", "local", true]
    ])
    expect(server.received[0]!.body.tools?.map((tool) => tool.function.name)).toEqual(["run"])
  })

  it("takes the place of the model in the file", async () => {
    await using server = await chatServer(() => "From the server.")
    const args = ["run", fixture("analyst.ts"), "Hi", "--json", "--model", "qwen3:8b", "--base-url", server.url]
    const { code, stdout } = await daylight(args)
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({
      reason: "completed",
      text: "From the server.",
      usage: { input: 40, output: 8 }
    })
    const called = lines.find(({ event }) => event?._tag === "ModelCalled")
    expect(called.event).toMatchObject({ provider: "openai", model: "qwen3:8b" })
  })

  it("holds for a whole chat", async () => {
    await using server = await chatServer((_, nth) => `Answer ${nth}.`)
    const args = ["chat", counter, "--model", "ollama:qwen3:8b", "--base-url", server.url]
    const { code, stdout } = await daylight(args, { input: "One\nTwo\n", env: { OPENAI_API_KEY: "of-openai" } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/Answer 1\.[^]*Answer 2\./)
    expect(server.received.map(({ authorization, body }) => [authorization, body.messages.length])).toEqual([
      ["Bearer none", 2],
      ["Bearer none", 4]
    ])
  })

  it("tells what the server refuses", async () => {
    await using server = await chatServer(() => ({ status: 404, message: "model 'lokal' not found, try pulling it" }))
    const { code, stdout } = await daylight(
      ["run", counter, "Hi", "--model", "openai:lokal", "--base-url", server.url]
    )
    expect(code).toBe(8)
    expect(stdout).toContain("model 'lokal' not found")
    expect(server.received).toHaveLength(1)
  })

  it("names the package that a project has to install", async () => {
    const hook = `import { registerHooks } from "node:module"
      registerHooks({ resolve: (name, context, next) => next(name === "openai" ? "openai-is-not-here" : name, context) })`
    const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hook)}"` }
    const { code, stderr } = await daylight(["run", counter, "Hi", "--model", "ollama:qwen3"], { env })
    expect(code).toBe(2)
    expect(stderr).toContain("package openai: it cannot be loaded")
    expect(stderr).toContain("npm install openai")
  })

  it("says what is missing or wrong, and gives 2", async () => {
    const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, ...texts: ReadonlyArray<string>]> = [
      [["--model", "groq:some-model"], "GROQ_API_KEY", "there is no key"],
      [["--model", "anthropic:claude-sonnet-5"], "ANTHROPIC_API_KEY"],
      [
        ["--model", "bedrock:some.model-v1:0"],
        "there are no credentials",
        "AWS_REGION and AWS_BEARER_TOKEN_BEDROCK, or"
      ],
      [["--model", "nobody:some-model"], "provider is not known", "ollama"],
      [["--model", "openai:"], "names no model"],
      [["--base-url", "http://127.0.0.1:1/v1"], "not which model", "--model NAME"],
      [
        ["--model", "local", "--base-url", "127.0.0.1:8080"],
        "is not the address of a server",
        "http://127.0.0.1:8080/v1"
      ],
      [[], 'agent "counter" has no model', "--model provider:model"]
    ]
    for (const [args, ...texts] of cases) {
      const { code, stderr, stdout } = await daylight(["run", counter, "Hi", ...args])
      expect([args, code, stdout]).toEqual([args, 2, ""])
      for (const text of texts) expect(stderr).toContain(text)
    }
  })
})

describe("daylight models", () => {
  it("list shows every model of the catalogue under a name that --model takes", async () => {
    const { code, stderr, stdout } = await daylight(["models", "list"])
    expect([code, stderr]).toEqual([0, ""])
    const rows = stdout.split("\n").filter((line) => /^\w+:/.test(line)).map((line) => line.trim().split(/\s{2,}/))
    expect(rows.map(([name]) => name)).toEqual(Catalogue.list().map(({ model, provider }) => `${provider}:${model}`))
    expect(rows).toContainEqual(["openai:gpt-5.1", "400,000", "128,000", "1.25", "10", "0.125", "1.25"])
    const known = new Set(Named.providers.map(({ name }) => name))
    for (const { provider } of Catalogue.list()) expect(known).toContain(provider)
  })

  it("list PROVIDER shows its models, and how to name others", async () => {
    const { stdout } = await daylight(["models", "list", "anthropic"])
    expect(stdout.match(/^\w+:/gm)).toEqual(Catalogue.list("anthropic").map(() => "anthropic:"))
    expect(stdout).toContain("anthropic:NAME, with ANTHROPIC_API_KEY set")
    expect((await daylight(["models", "list", "ollama"])).stdout).toContain("http://127.0.0.1:11434/v1")
    const wrong = await daylight(["models", "list", "nobody"])
    expect([wrong.code, wrong.stdout]).toEqual([2, ""])
    expect(wrong.stderr).toContain("These are: openai, anthropic")
  })

  it("list --json gives one object a line", async () => {
    const { stdout } = await daylight(["models", "list", "openai", "--json"])
    const rows = stdout.trimEnd().split("\n").map((line) => JSON.parse(line))
    expect(rows).toEqual(Catalogue.list("openai").map((entry) => ({ name: `openai:${entry.model}`, ...entry })))
  })

  it("show tells numbers, address and key, also by a dated or a short name", async () => {
    const { stdout } = await daylight(["models", "show", "openai:gpt-5.1-2025-11-13"])
    for (const text of ["gpt-5.1\n", "400,000 tokens", "$0.125", "OPENAI_API_KEY: not set"]) {
      expect(stdout).toContain(text)
    }
    const env = { ANTHROPIC_API_KEY: "secret" }
    const short = await daylight(["models", "show", "claude-haiku-4-5", "--json"], { env })
    expect(JSON.parse(short.stdout)).toMatchObject({
      name: "anthropic:claude-haiku-4-5",
      contextWindow: 200_000,
      variables: [["ANTHROPIC_API_KEY"]],
      ready: true
    })
    expect(short.stdout).not.toContain("secret")
    const cloud = await daylight(["models", "show", "bedrock:us.anthropic.claude-haiku-4-5-20251001-v1:0"])
    expect(cloud.stdout).toContain("known as          claude-haiku-4-5")
    expect(cloud.stdout).toContain("AWS_REGION and AWS_BEARER_TOKEN_BEDROCK, or AWS_REGION and AWS_ACCESS_KEY_ID and")
  })

  it("show tells what is not known of a model", async () => {
    const { code, stdout } = await daylight(["models", "show", "ollama:qwen3:8b"])
    expect(code).toBe(0)
    for (const text of ["not in the catalogue", "http://127.0.0.1:11434/v1", "none is needed"]) {
      expect(stdout).toContain(text)
    }
    const wrong = await daylight(["models", "show", "a-model-of-tomorrow"])
    expect([wrong.code, wrong.stdout]).toEqual([2, ""])
    expect(wrong.stderr).toContain("provider:model")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Model } from "@daylight/core"
import { Named } from "@daylight/providers"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { gemini } from "./agents/Turn.ts"
import { binaryEvents } from "./support/BinaryEvents.ts"
import { events, loopback, sse } from "./support/Loopback.ts"
import { answer } from "./support/Requests.ts"

const environment = (variables: Record<string, string>) =>
  Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
const infoOf = (name: string, options?: Named.NamedOptions) =>
  Effect.provide(Effect.map(Model, (model) => model.info), Named.layer(name, options))

describe("named models", () => {
  it.effect("every provider builds a model of its name, its key from its variable", () =>
    Effect.gen(function*() {
      for (const { credentials, name, variable } of Named.providers) {
        if (credentials !== undefined) continue
        const info = yield* infoOf(`${name}:some/model:8b`).pipe(
          environment(variable === undefined ? {} : { [variable]: "secret" })
        )
        assert.deepInclude(info, { provider: name, model: "some/model:8b" })
        if (variable === undefined) continue
        const error = yield* Effect.flip(infoOf(`${name}:m`).pipe(environment({ SOME_OTHER_KEY: "x" })))
        assert.include(error.message, variable)
      }
    }))

  it.effect("a cloud is content with any of its sets of variables, and names them all", () =>
    Effect.gen(function*() {
      for (const { credentials = [], name } of Named.providers) {
        for (const variables of credentials) {
          const all = Object.fromEntries(variables.map((variable) => [variable, "set"]))
          assert.deepInclude(yield* infoOf(`${name}:some.model-v1:0`).pipe(environment(all)), {
            provider: name,
            model: "some.model-v1:0"
          })
          const { message } = yield* Effect.flip(
            infoOf(`${name}:some-model`).pipe(environment({ ...all, [variables[0]!]: "" }))
          )
          for (const variable of variables) assert.include(message, variable)
        }
      }
    }))

  it.live("clouds speak their own languages, also at another address", () =>
    Effect.gen(function*() {
      const server = yield* loopback(({ url }, response) => {
        if (!url.includes("converse")) return events(response, gemini({ text: "from Vertex" }))
        response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" })
        response.end(binaryEvents([
          { messageStart: { role: "assistant" } },
          { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "from Bedrock" } } },
          { contentBlockStop: { contentBlockIndex: 0 } },
          { messageStop: { stopReason: "end_turn" } },
          { metadata: { usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } } }
        ]))
      })
      const ask = (name: string) =>
        Effect.provide(
          Effect.flatMap(Model, answer),
          Named.layer(name, { baseUrl: server.url, apiKey: Redacted.make("key") })
        )
      assert.strictEqual((yield* ask("bedrock:us.anthropic.claude-haiku-4-5-20251001-v1:0")).text, "from Bedrock")
      assert.strictEqual((yield* ask("vertex:gemini-3.5-flash")).text, "from Vertex")
      assert.strictEqual(server.received[0]?.headers.authorization, "Bearer key")
    }))

  it.effect("a name that says nothing is told what to say", () =>
    Effect.gen(function*() {
      for (const name of ["gpt-5", "nobody:gpt-5", "openai:", ""]) {
        const error = yield* Effect.flip(infoOf(name).pipe(environment({})))
        assert.include(error.message, "provider:model")
        assert.include(error.message, "ollama")
      }
    }))

  it.live("with a base URL any name goes there, as it is", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) =>
        events(response, [
          sse({ id: "c", choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }),
          sse("[DONE]")
        ])
      )
      const got = yield* Effect.provide(
        Effect.flatMap(Model, answer),
        Named.layer("qwen3:8b", { baseUrl: `${server.url}/v1` })
      )
      assert.strictEqual(got.text, "ok")
      assert.strictEqual(server.received[0]?.body.model, "qwen3:8b")
    }))

  it.live("no server gets the key of another provider", () =>
    Effect.gen(function*() {
      const server = yield* loopback((_, response) =>
        events(response, [sse({ id: "c", choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] })])
      )
      const ask = (name: string) =>
        Effect.provide(Effect.flatMap(Model, answer), Named.layer(name, { baseUrl: server.url })).pipe(
          environment({ OPENAI_API_KEY: "of-openai", GROQ_API_KEY: "of-groq" })
        )
      for (const name of ["ollama:m", "xai:m", "groq:m", "openai:m", "m"]) yield* ask(name)
      assert.deepStrictEqual(
        server.received.map(({ headers }) => headers.authorization?.replace("Bearer ", "")),
        ["none", "none", "of-groq", "of-openai", "of-openai"]
      )
    }))
})

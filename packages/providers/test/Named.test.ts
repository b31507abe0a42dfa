import { assert, describe, it } from "@effect/vitest"
import { Model } from "@daylight/core"
import { Named } from "@daylight/providers"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { events, loopback, sse } from "./support/Loopback.ts"
import { answer } from "./support/Requests.ts"

const environment = (variables: Record<string, string>) =>
  Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
const infoOf = (name: string, options?: Named.NamedOptions) =>
  Effect.provide(Effect.map(Model, (model) => model.info), Named.layer(name, options))

describe("named models", () => {
  it.effect("every provider builds a model of its name, its key from its variable", () =>
    Effect.gen(function*() {
      for (const { name, variable } of Named.providers) {
        const info = yield* infoOf(`${name}:some/model:8b`).pipe(
          environment(variable === undefined ? {} : { [variable]: "secret" })
        )
        assert.deepInclude(info, { provider: name, model: "some/model:8b" })
        if (variable === undefined) continue
        const error = yield* Effect.flip(infoOf(`${name}:m`).pipe(environment({ SOME_OTHER_KEY: "x" })))
        assert.include(error.message, variable)
      }
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

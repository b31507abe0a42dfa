/**
 * One short talk with each provider whose key is in the environment: text, an action, the answer to it.
 * `LIVE_MODEL_OPENAI` and the like name other models than those below.
 */
import { assert, describe, it } from "@effect/vitest"
import { Message, Model } from "@daylight/core"
import { Named } from "@daylight/providers"
import * as Effect from "effect/Effect"
import process from "node:process"
import { answer, user } from "../support/Requests.ts"

const models: Readonly<Record<string, string>> = {
  openai: "gpt-5.4-nano",
  anthropic: "claude-haiku-4-5",
  cerebras: "gpt-oss-120b",
  deepseek: "deepseek-chat",
  google: "gemini-3.5-flash-lite",
  groq: "openai/gpt-oss-20b",
  mistral: "mistral-small-latest",
  moonshotai: "kimi-k2.6",
  openrouter: "openai/gpt-5.4-nano",
  xai: "grok-4-1-fast-non-reasoning",
  zai: "glm-5.3-flash"
}

for (const { name, variable } of Named.providers) {
  const model = process.env[`LIVE_MODEL_${name.toUpperCase()}`] ?? models[name]
  if (variable === undefined || model === undefined) continue
  describe.skipIf(!process.env[variable])(`${name} ${model} (needs ${variable})`, () => {
    const talk = (messages: ReadonlyArray<Message>) =>
      Effect.provide(
        Effect.flatMap(Model, (model) => answer(Model.resilient(model), { messages, maxOutputTokens: 2_000 })),
        Named.layer(`${name}:${model}`)
      )

    it.live("answers in text", () =>
      Effect.gen(function*() {
        const got = yield* talk([user("Reply with exactly one word: pong. Call no tool.")])
        assert.isUndefined(got.error)
        assert.deepStrictEqual(got.problems, [])
        assert.match(got.text, /pong/i)
        assert.isAbove(got.usage?.output ?? 0, 0)
      }))

    it.live("acts, and takes the answer", () =>
      Effect.gen(function*() {
        const question = user("Call the tool run with the code 6 * 7, then say what it gave.")
        const got = yield* talk([question])
        assert.strictEqual(got.finish?.reason, "action", got.error?.message)
        const [action] = got.actions
        const next = yield* talk([
          question,
          Message.cases.Assistant.make({
            content: [{ _tag: "Action", id: action!.id, name: "run", input: JSON.parse(action!.json) }]
          }),
          Message.cases.Result.make({
            content: [{ _tag: "Feedback", id: action!.id, ok: true, content: [{ _tag: "Text", text: "42" }] }]
          })
        ])
        assert.match(next.text, /42/, next.error?.message)
      }))
  })
}

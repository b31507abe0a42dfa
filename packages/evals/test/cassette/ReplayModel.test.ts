/** A model from a recording: what counts in a request, whose turn it is, and beginning anew. */
import { Model, type ModelInfo, type ModelPart, type ModelRequest } from "@daylight/core"
import { ScriptedModel } from "@daylight/evals"
import {
  type Cassette,
  type Matching,
  parseCassette,
  printCassette,
  ReplayModel,
  strict
} from "@daylight/evals/cassette"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { ModelTape } from "../../src/cassette/ModelTape.ts"
import { changes } from "../support/Changes.ts"

const request: ModelRequest = {
  purpose: "answer",
  system: "You are helpful.",
  messages: [
    { _tag: "User", content: [{ _tag: "Text", text: "Hi" }] },
    {
      _tag: "Assistant",
      content: [
        { _tag: "Reasoning", text: "Hm.", opaque: { openai: { encrypted: "abc" } } },
        { _tag: "Text", text: "I look." },
        { _tag: "Action", id: "call_1", name: "run", input: { code: "1" } }
      ]
    },
    { _tag: "Result", content: [{ _tag: "Feedback", id: "call_1", ok: true, content: [{ _tag: "Text", text: "1" }] }] }
  ],
  actions: [{ name: "run", description: "Runs code.", inputSchema: { type: "object", required: ["code"] } }],
  choice: "auto",
  maxOutputTokens: 1_000,
  temperature: 0.2,
  reasoning: "low",
  providerOptions: { openai: { store: false } },
  media: () => Effect.succeed(new Uint8Array())
}

const info: ModelInfo = ScriptedModel.make([]).info

/** Answers to each of these requests, in order. */
const record = async (
  requests: ReadonlyArray<ModelRequest>,
  matching: Partial<Matching> = {}
): Promise<Cassette> => {
  const tape = new ModelTape()
  const model = tape.recording(ScriptedModel.make((_, index) => `Answer ${index}.`))
  for (const one of requests) await Effect.runPromise(Stream.runDrain(model.stream(one)))
  const rules = { ...strict, ...matching }
  const { answers, contents, messages } = tape.recorded(rules)
  const cassette = {
    matching: rules,
    models: [{ agent: undefined, info }],
    runs: [],
    contents,
    messages,
    answers,
    exchanges: [],
    calls: []
  }
  return parseCassette(printCassette(cassette, "c", { env: {} }), "c")
}

const textOf = (parts: ReadonlyArray<ModelPart>) =>
  parts.map((part) => part._tag === "TextDelta" ? part.text : "").join("")

const said = (stream: ReturnType<Model["Service"]["stream"]>): Promise<string> =>
  Effect.runPromise(
    Stream.runCollect(stream).pipe(
      Effect.map(textOf),
      Effect.catch(({ reason }) => Effect.succeed(reason._tag))
    )
  )

describe("a request", () => {
  const { media, ...fields } = request

  it("is missed when any one field is another, and the report says which", async () => {
    const cassette = await record([request])
    const tried = changes(fields).filter(({ path }) => !/_tag|\bid$/.test(path))
    expect(tried.length).toBeGreaterThan(18)
    for (const { path, value } of tried) {
      const replay = ReplayModel.make(cassette)
      const changed = { ...value as ModelRequest, media }
      expect([path, await said(replay.model().stream(changed))]).toEqual([path, "NotRecorded"])
      const [found] = replay.misses[0]!.differences
      expect(
        `${path}.`.startsWith(`${found?.path.slice(2).replaceAll(/\[(\d+)\]/g, ".$1")}.`),
        `${path}, ${found?.path}`
      )
        .toBe(true)
    }
  })

  it.each(["temperature", "reasoning", "providerOptions"])("is missed without its %s", async (name) => {
    const replay = ReplayModel.make(await record([request]))
    expect(await said(replay.model().stream({ ...request, [name]: undefined }))).toBe("NotRecorded")
    expect(replay.misses[0]?.differences.map(({ path }) => path.split(".")[1])).toEqual([name])
  })

  it("is found whatever the ids of its actions are, as long as they belong together", async () => {
    const cassette = await record([request])
    const renamed = (call: string, result: string) =>
      JSON.parse(
        JSON.stringify(fields).replace('"id":"call_1","name"', `"id":"${call}","name"`).replace(
          '"id":"call_1","ok"',
          `"id":"${result}","ok"`
        )
      ) as ModelRequest
    expect(await said(ReplayModel.make(cassette).model().stream(renamed("toolu_9", "toolu_9")))).toBe("Answer 0.")
    expect(await said(ReplayModel.make(cassette).model().stream(renamed("toolu_9", "toolu_8")))).toBe("NotRecorded")
  })
})

describe("equal requests", () => {
  it("get their answers in the order in which they were begun, also at the same time", async () => {
    const replay = ReplayModel.make(await record([request, request, request]))
    const model = replay.model()
    const answers = await Promise.all([0, 1, 2].map(() => said(model.stream(request))))
    expect(answers).toEqual(["Answer 0.", "Answer 1.", "Answer 2."])
    expect(await said(model.stream(request))).toBe("NotRecorded")
    expect(replay.misses.map(({ why }) => why)).toEqual(["exhausted"])
  })

  it("are answered by the last recording for ever where that is asked for", async () => {
    const model = ReplayModel.make(await record([request, request]), { repeat: true }).model()
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await said(model.stream(request)))
    expect(answers).toEqual(["Answer 0.", "Answer 1.", "Answer 1.", "Answer 1."])
  })

  it("begin anew where a test is tried again: each build of the layer is a replay of its own", async () => {
    const layer = ReplayModel.layer(await record([request, request]))
    const attempt = () =>
      Effect.runPromise(
        Effect.gen(function*() {
          const model = yield* Model
          return yield* Effect.promise(() => said(model.stream(request)))
        }).pipe(Effect.provide(Layer.fresh(layer)))
      )
    expect([await attempt(), await attempt(), await attempt()]).toEqual(["Answer 0.", "Answer 0.", "Answer 0."])
  })
})

describe("what changes from run to run", () => {
  it.each<[Matching["volatile"][number]["pattern"], string, string, string]>([
    ["timestamp", "2026-01-01T10:00:00Z", "2026-12-24 18:30:01.5+02:00", "10:00"],
    ["uuid", "3f2b8c1e-9d4a-4f6b-8e2d-1a2b3c4d5e6f", "00000000-0000-4000-8000-000000000000", "3f2b8c1e-9d4a"],
    ["temporary-path", "/tmp/run-a1/out.txt", "/private/var/folders/x/T/run-b2/out.txt", "/home/a/out.txt"]
  ])("is left out as declared: %s", async (pattern, one, other, unlike) => {
    const asking = (text: string): ModelRequest => ({
      ...request,
      system: text,
      messages: [{ _tag: "User", content: [{ _tag: "Text", text: `It is ${text}.` }] }]
    })
    const rule = { path: "$.messages[*].content[*].text", pattern } as const
    const cassette = await record([asking(one)], { volatile: [rule, { path: "$.system", pattern }] })
    expect(await said(ReplayModel.make(cassette).model().stream(asking(other)))).toBe("Answer 0.")
    expect(await said(ReplayModel.make(cassette).model().stream(asking(unlike)))).toBe("NotRecorded")
    // The system prompt counts where it was not declared.
    const narrow = await record([asking(one)], { volatile: [rule] })
    expect(await said(ReplayModel.make(narrow).model().stream(asking(other)))).toBe("NotRecorded")
  })

  it("names a path that is none", async () => {
    await expect(record([request], { ignore: ["metadata"] })).rejects.toThrow(/"metadata" is no path: write it as \$/)
  })
})

/** A program on the AI SDK, recorded between the SDK and its model, and run again without that model. */
import { openCassette } from "@daylight/evals/cassette"
import { APICallError, generateText, streamText, tool, wrapLanguageModel } from "ai"
import { MockLanguageModelV4, simulateReadableStream } from "ai/test"
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"

let file: string
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), "ai-sdk-")), "a.cassette.jsonl")
})

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 }
}
const finish = (unified: "stop" | "tool-calls") => ({ unified, raw: unified })

/** Calls a tool, then answers; streams in pieces. */
const real = () =>
  new MockLanguageModelV4({
    provider: "mock",
    modelId: "mock-1",
    doGenerate: [
      {
        content: [{ type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Ulm"}' }],
        finishReason: finish("tool-calls"),
        usage,
        warnings: [],
        response: { id: "r1", timestamp: new Date("2026-01-01T00:00:00Z"), headers: { "set-cookie": "a=b" } }
      },
      { content: [{ type: "text", text: "It rains in Ulm." }], finishReason: finish("stop"), usage, warnings: [] }
    ],
    doStream: async () => ({
      stream: simulateReadableStream({
        initialDelayInMs: null,
        chunkDelayInMs: null,
        chunks: [
          { type: "stream-start", warnings: [] },
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "Grü" },
          { type: "text-delta", id: "1", delta: "ße 😀\n\ndata: x" },
          { type: "text-end", id: "1" },
          { type: "finish", finishReason: finish("stop"), usage }
        ]
      })
    })
  })

/** A model that may not be asked. */
const gone = () =>
  new MockLanguageModelV4({
    provider: "mock",
    modelId: "mock-1",
    doGenerate: () => Promise.reject(new Error("the model was asked")),
    doStream: () => Promise.reject(new Error("the model was asked"))
  })

const session = (mode: "record" | "replay") => openCassette(file, { mode, env: {} })

const program = async (model: Parameters<typeof generateText>[0]["model"], prompt = "How is Ulm?") => {
  const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `rain in ${city}` })
  const { response, steps, text } = await generateText({
    model,
    prompt,
    headers: { authorization: "Bearer 9fK2mQ7xW4pL1vB8nR5tY3uZ" },
    tools: { weather },
    stopWhen: ({ steps }) => steps.length > 3
  })
  const stream = streamText({ model, prompt: "Greet." })
  let streamed = ""
  for await (const piece of stream.textStream) streamed += `${piece}|`
  return { text, calls: steps.flatMap((step) => step.toolCalls.map(({ input }) => input)), streamed, id: response.id }
}

describe("a program on the AI SDK", () => {
  it("runs again from its recording, without its model, to the same end", async () => {
    const recording = await session("record")
    const first = await program(wrapLanguageModel({ model: real(), middleware: recording.aiSdk }))
    await recording.close()
    expect(first).toMatchObject({ text: "It rains in Ulm.", calls: [{ city: "Ulm" }] })
    expect(first.streamed).toBe("Grü|ße 😀\n\ndata: x|")
    expect(await readFile(file, "utf8")).not.toMatch(/Bearer|set-cookie/)

    const replay = await session("replay")
    const again = await program(wrapLanguageModel({ model: gone(), middleware: replay.aiSdk }))
    expect({ ...again, id: first.id }).toEqual(first)
    await replay.close()
  })

  it("misses where it asks for something else, is not asked again, and fails at the end", async () => {
    const recording = await session("record")
    await program(wrapLanguageModel({ model: real(), middleware: recording.aiSdk }))
    await recording.close()
    const replay = await session("replay")
    const other = program(wrapLanguageModel({ model: gone(), middleware: replay.aiSdk }), "How is Bonn?")
    await expect(other).rejects.toThrow(/was not recorded[^]*How is Ulm.*How is Bonn/)
    expect(replay.misses).toHaveLength(1)
    await expect(replay.close()).rejects.toThrow(/lacks 1 request/)
  })

  it("has failures of its model again, as errors of the SDK", async () => {
    const failing = new MockLanguageModelV4({
      doGenerate: () =>
        Promise.reject(
          new APICallError({
            message: "overloaded",
            url: "",
            requestBodyValues: {},
            statusCode: 529,
            isRetryable: false
          })
        )
    })
    for (const [mode, model] of [["record", failing], ["replay", new MockLanguageModelV4()]] as const) {
      const cassette = await session(mode)
      const wrapped = wrapLanguageModel({ model, middleware: cassette.aiSdk })
      const error = await generateText({ model: wrapped, prompt: "Hi" }).catch((error: unknown) => error)
      expect(APICallError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({ message: "overloaded", statusCode: 529, isRetryable: false })
      await cassette.close()
    }
  })
})

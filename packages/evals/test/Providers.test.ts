/** A provider's bytes, recorded through its SDK and sent again without a server. */
import { createAgent } from "@daylight/core/promise"
import { Recorder } from "@daylight/evals"
import { HttpReplay, parseCassette, printCassette } from "@daylight/evals/cassette"
import { OpenAi } from "@daylight/providers/openai"
import { VmRuntime } from "@daylight/runtime-vm"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${
    JSON.stringify({
      id: "c",
      object: "chat.completion.chunk",
      model: "local",
      choices: [{ index: 0, delta, finish_reason: finish }]
    })
  }\r\n\r\n`

const answers = [
  `: keep-alive\r\n\r\n${
    chunk({
      tool_calls: [{
        index: 0,
        id: "call_1",
        type: "function",
        function: { name: "run", arguments: '{"code":"6 * 7"}' }
      }]
    })
  }${chunk({}, "tool_calls")}data: [DONE]\r\n\r\n`,
  `${chunk({ content: "Es ist " })}${chunk({ content: "zweiundvierzig – ü." })}${chunk({}, "stop")}data: [DONE]\r\n\r\n`
]

const run = async (baseUrl: string, fetch: typeof globalThis.fetch, recorder?: Recorder) => {
  const model = OpenAi.layer({
    model: "local",
    baseUrl,
    apiKey: "sk-live-9fK2mQ7xW4pL1vB8nR5tY3uZ",
    api: "chat",
    fetch
  })
  await using agent = createAgent({ name: "a", model, runtime: VmRuntime.layer, services: recorder?.services })
  return await agent.run("What is 6 times 7?")
}

describe("a provider", () => {
  it("is recorded with its bytes, and answers again without a server and without its key", async () => {
    let asked = 0
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(answers[asked++])
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const recorder = Recorder.make()
    const outcome = await run(url, recorder.fetch, recorder)
    server.close()
    expect(outcome.text).toBe("Es ist zweiundvierzig – ü.")

    const text = printCassette(recorder.recording().cassette)
    expect(text).not.toContain("sk-live")
    const cassette = parseCassette(text, "provider")
    expect(cassette.exchanges.map(({ response }) => response.chunks.map(({ b }) => b).join(""))).toEqual(answers)
    expect(cassette.answers).toHaveLength(2)

    const replay = new HttpReplay(cassette)
    const again = await run("http://nowhere.invalid/v1", replay.fetch)
    expect({ ...again, durationMs: 0 }).toEqual({ ...outcome, durationMs: 0 })
    expect([replay.misses, replay.unused]).toEqual([[], []])

    const more = await run("http://nowhere.invalid/v1", replay.fetch)
    expect(more.error?.message).toMatch(/InvalidRequest.*used up/s)
  })
})

import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { main } from "../hello.ts"
import { Collector } from "./Collector.ts"

/** One answer in OpenAI's chat protocol: some text, and a call of the tool. */
const ANSWER = [
  { delta: { role: "assistant", content: "I reverse it." }, finish_reason: null },
  {
    delta: {
      tool_calls: [{
        index: 0,
        id: "call_1",
        type: "function",
        function: { name: "run", arguments: '{"code":"finish([...secret].reverse().join(\'\'))"}' }
      }]
    },
    finish_reason: null
  },
  { delta: {}, finish_reason: "tool_calls" }
].map((choice) =>
  `data: ${
    JSON.stringify({
      id: "1",
      object: "chat.completion.chunk",
      created: 0,
      model: "local",
      choices: [{ index: 0, ...choice }]
    })
  }\n\n`
)
  .join("") + "data: [DONE]\n\n"

describe("an example with a live model", () => {
  const asked: Array<{ readonly authorization: string | undefined; readonly body: any }> = []
  let server: Server

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      asked.push({ authorization: request.headers.authorization, body: JSON.parse(await text(request)) })
      response.writeHead(200, { "content-type": "text/event-stream" }).end(ANSWER)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  })
  afterAll(() =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  )

  it("runs the same code, and sends the secret's declaration but not the secret", async () => {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const output = new Collector()
    const answer = await main({
      output,
      env: { OPENAI_API_KEY: "a-key", OPENAI_BASE_URL: baseUrl, DAYLIGHT_MODEL: "local" }
    })

    assert.strictEqual(answer, "Agents work on real objects, not on their shadows")
    assert.include(output.text, `Running live with local at ${baseUrl}.`)
    assert.strictEqual(asked.length, 1)
    assert.strictEqual(asked[0]!.authorization, "Bearer a-key")
    assert.strictEqual(asked[0]!.body.model, "local")
    assert.include(JSON.stringify(asked[0]!.body), "declare let secret: string")
    assert.notInclude(JSON.stringify(asked[0]!.body), "stcejbo laer")
  })
})

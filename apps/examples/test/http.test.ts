import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { main } from "../http.ts"
import { Collector } from "./Collector.ts"

type Server = Awaited<ReturnType<typeof main>>
interface SentEvent {
  readonly event: string
  readonly data: any
}

const events = (body: string): Array<SentEvent> =>
  body.trim().split("\n\n").map((block) => {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block)!
    return { event: event!, data: JSON.parse(data!) }
  })

describe("an agent behind HTTP", () => {
  let server: Server
  beforeAll(async () => {
    server = await main({ env: {}, output: new Collector() })
  })
  afterAll(() => server.close())

  it("serves the page", async () => {
    const response = await fetch(server.url)
    assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
    assert.include(await response.text(), 'new EventSource("/ask?"')
  })

  it("streams text, code, result and end, in this order", async () => {
    const response = await fetch(`${server.url}/ask?question=Which+region%3F`)
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream; charset=utf-8")
    const sent = events(await response.text())
    const order = sent.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1])
    assert.deepEqual(order, ["text", "code", "result", "text", "end"])
    const result = sent.find(({ event }) => event === "result")!.data
    assert.isTrue(result.ok)
    for (const total of ["195.25", "440.4", "472.4"]) assert.include(result.text, total)
    assert.deepEqual(sent.at(-1)!.data, { reason: "completed", steps: 2 })
  })

  it("gives each request a session of its own", async () => {
    const ask = async () => events(await (await fetch(`${server.url}/ask?question=x`)).text()).at(-1)!.data
    for (const end of await Promise.all([ask(), ask(), ask()])) assert.deepEqual(end, { reason: "completed", steps: 2 })
  })

  it("refuses what it does not understand, and says what it does", async () => {
    const status = async (path: string, method = "GET") => (await fetch(server.url + path, { method })).status
    assert.deepEqual([
      await status("/nothing"),
      await status("/ask"),
      await status("/ask?question=%20"),
      await status("/", "POST")
    ], [404, 400, 400, 405])
  })
})

describe("a browser that leaves", () => {
  it("cancels the run", async () => {
    const server = await main({
      env: {},
      output: new Collector(),
      replies: [{ text: "This takes long.", code: "await new Promise((done) => setTimeout(done, 600_000))" }, "done"]
    })
    try {
      const leave = new AbortController()
      const response = await fetch(`${server.url}/ask?question=x`, { signal: leave.signal })
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let seen = ""
      while (!seen.includes("event: code")) seen += (await reader.read()).value
      leave.abort()
      await vi.waitFor(() => assert.deepEqual(server.endings, ["cancelled"]), { timeout: 5_000 })
    } finally {
      await server.close()
    }
  })
})

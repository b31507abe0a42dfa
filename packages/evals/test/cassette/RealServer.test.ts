/** What a real server does to a real `fetch`, recorded and had again without it. */
import { HttpReplay, HttpTape, parseCassette, printCassette, strict } from "@daylight/evals/cassette"
import { EventEmitter, once } from "node:events"
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { afterEach, describe, expect, it, vi } from "vitest"

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  if (server !== undefined) await new Promise((resolve) => server!.close(resolve))
  server = undefined
})

const serve = async (answer: RequestListener): Promise<string> => {
  server = createServer(answer)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/responses`
}

const ask: RequestInit = { method: "POST", body: '{"model":"m","stream":true}' }

/** How a call went: the bytes that came, and the error in the end. */
const outcomeOf = async (call: () => Promise<Response>, most = Infinity) => {
  let text = ""
  let status = 0
  try {
    const response = await call()
    status = response.status
    const reader = response.body!.getReader()
    for (let pieces = 0; pieces < most; pieces++) {
      const { done, value } = await reader.read()
      if (done) return { status, text, end: "closed" }
      text += Buffer.from(value).toString("latin1")
    }
    await reader.cancel()
    return { status, text, end: "left" }
  } catch (error) {
    return { status, text, end: (error as Error).name }
  }
}

const replayOf = (tape: HttpTape) => {
  const cassette = {
    matching: strict,
    models: [],
    runs: [],
    contents: new Map(),
    messages: new Map(),
    answers: [],
    exchanges: tape.recorded
  }
  return new HttpReplay(parseCassette(printCassette(cassette), "real"))
}

const sse = { "content-type": "text/event-stream" }
const body = 'data: {"a":"ü"}\r\n\r\n: ping\r\n\r\ndata: [DONE]\r\n\r\n'
const packed = (encoding: string, bytes: Uint8Array) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(200, { ...sse, "content-encoding": encoding, "content-length": bytes.length }).end(bytes)

describe("a server", () => {
  it.each<[string, RequestListener, { status: number; text: string; end: string }]>([
    ["that packs with gzip", packed("gzip", gzipSync(body)), {
      status: 200,
      text: Buffer.from(body).toString("latin1"),
      end: "closed"
    }],
    ["that packs with brotli", packed("br", brotliCompressSync(body)), {
      status: 200,
      text: Buffer.from(body).toString("latin1"),
      end: "closed"
    }],
    [
      "that breaks off",
      (_, response) => {
        response.writeHead(200, sse).write("data: 1\n\n", () => setImmediate(() => response.destroy()))
      },
      { status: 200, text: "data: 1\n\n", end: "TypeError" }
    ],
    [
      "that sends less than it said",
      (_, response) => {
        response.writeHead(200, { ...sse, "content-length": "1000" })
        response.write("data: 1\n\n", () => setImmediate(() => response.destroy()))
      },
      { status: 200, text: "data: 1\n\n", end: "TypeError" }
    ],
    ["that hangs up at once", (request) => request.socket.destroy(), { status: 0, text: "", end: "TypeError" }],
    [
      "that fails within the stream",
      (_, response) => void response.writeHead(200, sse).end('event: error\ndata: {"type":"overloaded_error"}\n\n'),
      { status: 200, text: 'event: error\ndata: {"type":"overloaded_error"}\n\n', end: "closed" }
    ],
    [
      "that is busy",
      (_, response) => void response.writeHead(529, { "retry-after": "3" }).end("{}"),
      { status: 529, text: "{}", end: "closed" }
    ]
  ])("%s", async (_, answer, expected) => {
    const url = await serve(answer)
    const tape = new HttpTape({ matching: strict })
    expect(await outcomeOf(() => tape.fetch(url, ask))).toEqual(expected)
    expect(await outcomeOf(() => replayOf(tape).fetch(url, ask))).toEqual(expected)
    const { headers } = tape.recorded[0]!.response
    expect(Object.keys(headers).filter((name) => !["content-type", "retry-after"].includes(name))).toEqual([])
  })

  it("that is too slow for who asks", async () => {
    const url = await serve((_, response) => void response.writeHead(200, sse).write("data: 1\n\n"))
    const tape = new HttpTape({ matching: strict })
    const expected = { status: 200, text: "data: 1\n\n", end: "TimeoutError" }
    expect(await outcomeOf(() => tape.fetch(url, { ...ask, signal: AbortSignal.timeout(200) }))).toEqual(expected)
    expect(await outcomeOf(() => replayOf(tape).fetch(url, ask))).toEqual(expected)
  })

  it("that nobody listens to any more", async () => {
    const url = await serve((_, response) => void response.writeHead(200, sse).write("data: 1\n\n"))
    const tape = new HttpTape({ matching: strict })
    const abort = new AbortController()
    const call = async () => {
      const response = await tape.fetch(url, { ...ask, signal: abort.signal })
      setImmediate(() => abort.abort())
      return response
    }
    const outcome = await outcomeOf(call)
    expect(outcome.end).toBe("AbortError")
    expect(await outcomeOf(() => replayOf(tape).fetch(url, ask))).toEqual(outcome)
  })

  it("of whom only the beginning is read: the rest is not known, and does not look like the end", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, sse).write("data: 1\n\n")
      response.socket!.once("close", () => response.destroy())
    })
    const tape = new HttpTape({ matching: strict })
    const expected = { status: 200, text: "data: 1\n\n", end: "left" }
    expect(await outcomeOf(() => tape.fetch(url, ask), 1)).toEqual(expected)
    expect(await outcomeOf(() => replayOf(tape).fetch(url, ask), 1)).toEqual(expected)
    expect((await outcomeOf(() => replayOf(tape).fetch(url, ask))).end).toBe("AbortError")
  })

  it("whose pieces are kept where that is asked for, with their times", async () => {
    const pieces = ["data: 1", "\n\ndata: 2\n", "\n"]
    const read = new EventEmitter()
    const url = await serve(async (_, response) => {
      response.writeHead(200, sse)
      for (const piece of pieces) {
        response.write(piece)
        await once(read, "piece")
      }
      response.end()
    })
    let now = 0
    vi.spyOn(performance, "now").mockImplementation(() => now += 30)
    const tape = new HttpTape({ matching: strict, edges: true })
    for await (const _ of (await tape.fetch(url, ask)).body!) read.emit("piece")
    vi.restoreAllMocks()
    const { chunks } = tape.recorded[0]!.response
    expect(chunks.map(({ b }) => b)).toEqual(pieces)
    expect(chunks[0]!.dt).toBe(0)
    for (const { dt } of chunks.slice(1)) expect(dt! > 0 && dt! % 30 === 0).toBe(true)
    const whole = new HttpTape({ matching: strict })
    for await (const _ of (await whole.fetch(url, ask)).body!) read.emit("piece")
    expect(whole.recorded[0]!.response.chunks).toEqual([{ b: "data: 1\n\n" }, { b: "data: 2\n\n" }])
  })
})

/** Exchanges with servers: what came is what comes again, and nothing else is answered. */
import { OpenAI } from "openai"
import {
  HttpReplay,
  HttpTape,
  type Matching,
  parseCassette,
  printCassette,
  type RecordedExchange,
  strict
} from "@daylight/evals/cassette"
import { replayHandlers } from "@daylight/evals/msw"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { setupServer } from "msw/node"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { changes } from "../support/Changes.ts"

const address = "https://api.openai.com/v1/chat/completions"
const body = { model: "gpt-6", stream: true, temperature: 0.2, messages: [{ role: "user", content: "Hi" }] }

type Answer = string | Uint8Array | (() => Response)

const cassetteOf = (exchanges: ReadonlyArray<RecordedExchange>, matching: Matching = strict) =>
  parseCassette(
    printCassette({
      matching,
      models: [],
      runs: [],
      contents: new Map(),
      messages: new Map(),
      answers: [],
      exchanges
    }),
    "http"
  )

const responseOf = (answer: Answer, type: string): Response =>
  typeof answer === "function" ? answer() : new Response(answer as string, { headers: { "content-type": type } })

const post = (json: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(json)
})

const record = async (
  answers: ReadonlyArray<Answer>,
  init = post(body),
  type = "text/event-stream",
  matching: Matching = strict
) => {
  let next = 0
  const tape = new HttpTape({ matching, fetch: async () => responseOf(answers[next++]!, type) })
  for (const _ of answers) {
    const response = await tape.fetch(address, init).catch(() => undefined)
    await response?.arrayBuffer().catch(() => undefined)
  }
  return cassetteOf(tape.recorded, matching)
}

const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe("bytes come back as they were", () => {
  const split = Buffer.from("data: ü\n\n")
  it.each<[string, string | Uint8Array]>([
    ["line feeds", "data: 1\n\ndata: [DONE]\n\n"],
    ["carriage returns", "data: 1\r\n\r\ndata: [DONE]\r\n\r\n"],
    ["comments", ": OPENROUTER PROCESSING\n\n: still\n\ndata: 1\n\n"],
    ["pings", 'event: ping\ndata: {"type": "ping"}\n\ndata: 1\n\n'],
    ["no closing mark", "data: 1\n\ndata: 2\n\n"],
    ["cut in the middle of an event", 'data: 1\n\ndata: {"a":'],
    ["cut inside of a character", split.subarray(0, 7)],
    ["not UTF-8", Uint8Array.of(0xff, 0x00, 0xfe, 0x0a, 0x0a, 0xc3)],
    ["lone surrogates and nulls", "data: \u0000 \u{1f600}\n\n"],
    ["nothing", ""]
  ])("%s", async (_, sent) => {
    const replay = new HttpReplay(await record([sent]))
    expect(await bytes(await replay.fetch(address, post(body)))).toEqual(Buffer.from(sent as string))
    expect(replay.unused).toEqual([])
  })

  it("one event a piece, however the network cuts", async () => {
    const text = "data: one\n\ndata: two\n\n"
    const cut = (size: number) => () =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            const all = Buffer.from(text)
            for (let at = 0; at < all.length; at += size) controller.enqueue(all.subarray(at, at + size))
            controller.close()
          }
        }),
        { headers: { "content-type": "text/event-stream" } }
      )
    const [a, b] = [await record([cut(1)]), await record([cut(7)])]
    expect(a.exchanges[0]!.response.chunks).toEqual([{ b: "data: one\n\n" }, { b: "data: two\n\n" }])
    expect(printCassette(a)).toBe(printCassette(b))
  })

  it("with status and the headers that matter, and no others", async () => {
    const limited = () =>
      Response.json({ error: { message: "slow" } }, {
        status: 429,
        headers: { "retry-after": "7", "set-cookie": "secret" }
      })
    const response = await new HttpReplay(await record([limited])).fetch(address, post(body))
    expect([response.status, response.headers.get("retry-after"), response.headers.get("set-cookie")]).toEqual([
      429,
      "7",
      null
    ])
  })
})

describe("a replay", () => {
  it.each([204, 205, 304])("has no body where there was none: %s", async (status) => {
    const cassette = await record([() => new Response(null, { status })])
    const response = await new HttpReplay(cassette).fetch(address, post(body))
    expect([response.status, response.body]).toEqual([status, null])
  })

  it("ends when whoever asked has had enough", async () => {
    const cassette = await record(["data: 1\n\ndata: 2\n\n"])
    const enough = new AbortController()
    const response = await new HttpReplay(cassette).fetch(address, { ...post(body), signal: enough.signal })
    const reader = response.body!.getReader()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe("data: 1\n\n")
    enough.abort()
    await expect(reader.read()).rejects.toThrow(/abort/)
  })
})

describe("failures come back too", () => {
  it("a connection that was refused", async () => {
    const cassette = await record([() => {
      throw new TypeError("fetch failed")
    }])
    await expect(new HttpReplay(cassette).fetch(address, post(body))).rejects.toThrow("fetch failed")
  })

  it("a stream that broke off", async () => {
    const broken = () => {
      let sent = false
      return new Response(
        new ReadableStream({
          pull: (controller) => {
            if (sent) return controller.error(new TypeError("terminated"))
            sent = true
            controller.enqueue(Buffer.from("data: 1\n\n"))
          }
        }, { highWaterMark: 0 }),
        { headers: { "content-type": "text/event-stream" } }
      )
    }
    const response = await new HttpReplay(await record([broken])).fetch(address, post(body))
    const reader = response.body!.getReader()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe("data: 1\n\n")
    await expect(reader.read()).rejects.toThrow("terminated")
  })
})

describe("a request", () => {
  it("is missed when any one field is another", async () => {
    const replay = new HttpReplay(await record(["data: 1\n\n"]))
    const found = changes({ ...body, tools: [{ name: "a" }] }).filter(({ value }) =>
      replay.find({
        method: "POST",
        url: address,
        headers: new Headers(),
        body: Buffer.from(JSON.stringify(value))
      }) !== undefined
    )
    expect(found).toEqual([])
    const { stream: _, ...unstreamed } = body
    expect(
      replay.find({
        method: "POST",
        url: address,
        headers: new Headers(),
        body: Buffer.from(JSON.stringify(unstreamed))
      })
    ).toBeUndefined()
  })

  it("is found whatever the order of keys, the host and the key in the address", async () => {
    const replay = new HttpReplay(await record(["data: 1\n\n"]))
    const { messages, ...rest } = body
    const response = await replay.fetch(
      "http://localhost:1/v1/chat/completions?key=anything",
      post({ messages, ...rest })
    )
    expect(response.status).toBe(200)
  })

  it.each(["anthropic-version", "anthropic-beta", "openai-beta"])(
    "counts %s, which changes its meaning",
    async (name) => {
      const replay = new HttpReplay(await record(["data: 1\n\n"], post(body, { [name]: "a" })))
      expect((await replay.fetch(address, post(body, { [name]: "b" }))).status).toBe(422)
      expect((await replay.fetch(address, post(body))).status).toBe(422)
      expect((await replay.fetch(address, post(body, { [name]: "a", authorization: "Bearer x", "x-any": "y" }))).status)
        .toBe(200)
    }
  )

  it("counts method, path, query and provider, but neither the host of one nor the order of a query", async () => {
    const replay = new HttpReplay(await record(["data: 1\n\n"]), { repeat: true })
    const ask = async (url: string, init = post(body)) => (await replay.fetch(url, init)).status
    expect(await ask("https://openrouter.ai/v1/chat/completions")).toBe(422)
    expect(await ask("https://api.openai.com/v1/responses")).toBe(422)
    expect(await ask(`${address}?beta=1`)).toBe(422)
    expect(await ask(address, { ...post(body), method: "PUT" })).toBe(422)
    expect(await ask("https://eu.api.openai.com/v1/chat/completions")).toBe(200)
    let next = 0
    const tape = new HttpTape({ matching: strict, fetch: async () => new Response(String(next++)) })
    await tape.fetch(`${address}?b=2&a=1&a=0`, post(body))
    const asked = new HttpReplay(cassetteOf(tape.recorded), { repeat: true })
    expect((await asked.fetch(`${address}?a=0&b=2&a=1`, post(body))).status).toBe(200)
    expect((await asked.fetch(`${address}?a=0&b=2&a=2`, post(body))).status).toBe(422)
  })

  it("compares arguments of tool calls as what they say, and keeps them as they were written", async () => {
    const asked = (text: unknown) => ({
      ...body,
      messages: [{ role: "assistant", tool_calls: [{ id: "1", function: { name: "f", arguments: text } }] }]
    })
    const cassette = await record(["data: 1\n\n"], post(asked('{"b": [1, 2],  "a": "x"}')))
    expect(printCassette(cassette)).toContain(JSON.stringify('{"b": [1, 2],  "a": "x"}'))
    const replay = new HttpReplay(cassette, { repeat: true })
    expect((await replay.fetch(address, post(asked('{"a":"x","b":[1,2]}')))).status).toBe(200)
    for (const other of ['{"a":"x","b":[2,1]}', '{"a":"x"}', '{"a":"x","b":[1,2]', "", { a: "x", b: [1, 2] }]) {
      const { status } = await replay.fetch(address, post(asked(other)))
      expect([other, status]).toEqual([other, typeof other === "object" ? 200 : 422])
    }
    expect(replay.misses[0]?.report).toContain(
      "$.messages[0].tool_calls[0].function.arguments.b[0]: recorded 1, came 2"
    )
  })

  it("that was altered in the file is told, with its line", async () => {
    const text = printCassette(await record(["data: 1\n\n"]))
    expect(() => parseCassette(text.replace('"temperature":0.2', '"temperature":0.3'), "http")).toThrow(
      /^http:2: was altered/
    )
  })

  it("gets answers in the recorded order, also of equal ones at the same time, and no more", async () => {
    const replay = new HttpReplay(await record(["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]))
    const answers = await Promise.all(
      [1, 2, 3].map(async () => (await bytes(await replay.fetch(address, post(body)))).toString())
    )
    expect(answers).toEqual(["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"])
    const response = await replay.fetch(address, post(body))
    expect(response.status).toBe(422)
    expect(replay.misses[0]).toMatchObject({ why: "exhausted", report: expect.stringContaining("used up") })
  })

  it("may be repeated where that is asked for", async () => {
    const replay = new HttpReplay(await record(["data: 1\n\n"]), { repeat: true })
    for (let n = 0; n < 3; n++) expect((await replay.fetch(address, post(body))).status).toBe(200)
  })

  it("that is missed names the nearest recording and the path", async () => {
    const replay = new HttpReplay(await record(["data: 1\n\n"]))
    const answer = await (await replay.fetch(address, post({ ...body, messages: [{ role: "user", content: "Ho" }] })))
      .json()
    expect((answer as { error: { message: string } }).error.message).toBe([
      "POST /v1/chat/completions (openai) was not recorded.",
      "The nearest recording is exchange 1 of 1; it differs here:",
      '  $.messages[0].content, character 1: recorded "Hi", came "Ho"',
      "If the change is meant, record again."
    ].join("\n"))
  })
})

describe("declared rules", () => {
  const matching: Matching = {
    ...strict,
    ignore: ["$.user"],
    volatile: [{ path: "$.messages[*].content", pattern: "timestamp" }],
    renameIds: true
  }
  const asked = (user: string, time: string, id: string) => ({
    ...body,
    user,
    messages: [
      { role: "user", content: `It is ${time}.` },
      { role: "assistant", tool_calls: [{ id, type: "function" }] },
      { role: "tool", tool_call_id: id, content: id }
    ]
  })

  it("leave out what does not count, keep what does, and are told in a miss", async () => {
    const replay = new HttpReplay(
      await record(["data: 1\n\n"], post(asked("a", "2026-01-01T10:00:00Z", "call_aaaa1111")), undefined, matching),
      { repeat: true }
    )
    const same = asked("b", "2026-02-02T11:11:11.123Z", "call_aaaa1111")
    expect((await replay.fetch(address, post(same))).status).toBe(200)
    // Text is never touched by the renaming of ids.
    expect((await replay.fetch(address, post(asked("b", "2026-02-02T11:11:11Z", "call_bbbb2222")))).status).toBe(422)
    expect(replay.misses[0]?.report).toContain("$.messages[2].content")
    expect(replay.misses[0]?.report).toContain("Not compared: $.user, $.messages[*].content (timestamp).")
  })
})

describe("time", () => {
  it("is not waited for, unless asked, and then as asked", async () => {
    const exchange = (await record(["data: 1\n\ndata: 2\n\n"])).exchanges[0]!
    const chunks = exchange.response.chunks.map((chunk) => ({ ...chunk, dt: 30 }))
    const cassette = cassetteOf([{ ...exchange, response: { ...exchange.response, chunks } }])
    const waits = async (timing: "recorded" | { scale: number } | { fixedMs: number } | undefined) => {
      const waited: Array<number> = []
      const replay = new HttpReplay(cassette, { timing, sleep: async (ms) => void waited.push(ms) })
      await bytes(await replay.fetch(address, post(body)))
      return waited
    }
    expect(await waits(undefined)).toEqual([])
    expect(await waits("recorded")).toEqual([30, 30])
    expect(await waits({ scale: 0.5 })).toEqual([15, 15])
    expect(await waits({ fixedMs: 1 })).toEqual([1, 1])
  })
})

describe("Mock Service Worker", () => {
  const server = setupServer()
  beforeAll(() => server.listen())
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  it("answers an SDK from a recording, and reports what it does not hold", async () => {
    const chunk = (delta: object) =>
      `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta }] })}\n\n`
    const recorded = await record(
      [`${chunk({ content: "Hel" })}${chunk({ content: "lo" })}data: [DONE]\n\n`],
      post({ model: "gpt-6", messages: [{ role: "user", content: "Hi" }], stream: true })
    )
    const { handlers, replay } = replayHandlers(recorded)
    server.use(...handlers)
    const client = new OpenAI({ apiKey: "none", maxRetries: 2 })
    const ask = (content: string) =>
      client.chat.completions.create({ model: "gpt-6", messages: [{ role: "user", content }], stream: true })
    let text = ""
    for await (const { choices } of await ask("Hi")) text += choices[0]?.delta.content ?? ""
    expect(text).toBe("Hello")
    await expect(ask("Ho")).rejects.toThrow(/was not recorded/)
    expect(replay.misses).toHaveLength(1)
    expect(replay.unused).toEqual([])
  })
})

describe("Effect's own client", () => {
  it("is answered as well", async () => {
    const recorded = await record(["data: 1\n\n"], { method: "GET" })
    const replay = new HttpReplay(recorded)
    const ask = HttpClient.get(address).pipe(
      Effect.flatMap((response) => response.text),
      Effect.provide([FetchHttpClient.layer, replay.layer])
    )
    expect(await Effect.runPromise(ask)).toBe("data: 1\n\n")
    expect(replay.unused).toEqual([])
  })
})

/**
 * Every recorded exchange with a provider, through our format and back: the same bytes in the same order, and a miss as
 * soon as one field of a request is another.
 */
import { HttpReplay, HttpTape, parseCassette, printCassette, strict } from "@daylight/evals/cassette"
import process from "node:process"
import { describe, expect, it } from "vitest"
import { changes } from "../support/Changes.ts"
import { type Exchange, type Exchanges, readExchanges } from "./Exchanges.ts"

const folder = process.env["DAYLIGHT_RECORDINGS"]

const none: Exchanges = { files: [], others: new Map() }

describe.skipIf(folder === undefined)("recordings (DAYLIGHT_RECORDINGS says where they lie)", () => {
  const { files, others } = folder === undefined ? none : readExchanges(folder)

  it("come back byte for byte, in order", async () => {
    const problems: Array<string> = []
    let exchanges = 0
    let repeated = 0
    for (const { exchanges: recorded, file } of files) {
      const cassette = await record(file, recorded)
      const replay = new HttpReplay(cassette)
      repeated += Number(cassette.exchanges.some(({ ordinal }) => ordinal > 0))
      for (const [index, exchange] of recorded.entries()) {
        exchanges++
        const response = await replay.fetch(exchange.url, initOf(exchange))
        const body = Buffer.from(await response.arrayBuffer())
        if (response.status !== exchange.status) {
          problems.push(`${file}#${index}: status ${response.status}, not ${exchange.status}`)
        }
        if (!body.equals(hasBody(exchange) ? exchange.answer : Buffer.alloc(0))) {
          problems.push(`${file}#${index}: another body`)
        }
      }
      if (replay.unused.length + replay.misses.length > 0) {
        problems.push(`${file}: ${replay.unused.length} left, ${replay.misses.length} missed`)
      }
    }
    expect(problems).toEqual([])
    console.log(`${exchanges} recordings replayed, of ${files.length} files; ${repeated} files repeat a request`)
    console.log([...others].map(([reason, names]) => `  ${names.length} not replayed, ${reason}`).join("\n"))
  }, 600_000)

  it("are missed when one field of the request is changed", async () => {
    const problems: Array<string> = []
    let tried = 0
    for (const { exchanges, file } of files) {
      for (const [index, exchange] of exchanges.entries()) {
        const json = jsonOf(exchange.body)
        if (json === undefined) continue
        const cassette = await record(file, [exchange])
        const replay = new HttpReplay(cassette)
        for (const { path, value } of changes(json, 40)) {
          tried++
          const body = Buffer.from(JSON.stringify(value))
          const found = replay.find({
            method: exchange.method,
            url: exchange.url,
            headers: new Headers(headersOf(exchange)),
            body
          })
          if (found !== undefined) problems.push(`${file}#${index}: found although ${path} is another`)
        }
      }
    }
    expect(problems).toEqual([])
    expect(tried).toBeGreaterThan(1_000)
    console.log(`${tried} changed fields, each a miss`)
  }, 600_000)
})

/** Through a recording `fetch`, a file and back. */
const record = async (file: string, exchanges: ReadonlyArray<Exchange>) => {
  let next = 0
  const tape = new HttpTape({
    matching: strict,
    fetch: async () => {
      const { answer, answerHeaders, status } = exchanges[next++]!
      const { "content-encoding": _, "content-length": __, "transfer-encoding": ___, ...headers } = answerHeaders
      return new Response(status === 204 || status === 304 ? null : answer as Uint8Array<ArrayBuffer>, {
        status,
        headers
      })
    }
  })
  for (const exchange of exchanges) await (await tape.fetch(exchange.url, initOf(exchange))).arrayBuffer()
  const cassette = {
    matching: strict,
    models: [],
    runs: [],
    contents: new Map(),
    messages: new Map(),
    answers: [],
    exchanges: tape.recorded
  }
  return parseCassette(printCassette(cassette, file, { env: {}, allow: publicKeys }), file)
}

/** A web page that one of the recordings went to has such a key for its statistics. */
const publicKeys = [/phc_[A-Za-z0-9]+/]

const hasBody = ({ status }: Exchange) => status !== 204 && status !== 304

/** A recorder may have added names of its own, which are none of a header. */
const headersOf = ({ headers }: Exchange) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^[\w-]+$/.test(name) && name !== "content-length"))

const initOf = (exchange: Exchange): RequestInit => ({
  method: exchange.method,
  headers: headersOf(exchange),
  ...(exchange.body.length > 0 && exchange.method !== "GET" && { body: exchange.body as Uint8Array<ArrayBuffer> })
})

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined // a form, or nothing
  }
}

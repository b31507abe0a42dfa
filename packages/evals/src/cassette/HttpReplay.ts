/**
 * A `fetch` that answers from a recording, and from nothing else: it opens no socket. A request that was not recorded
 * is answered with status 422, which no SDK repeats, and counts as a miss whatever becomes of that answer.
 */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { differenceLine, jsonDiff } from "../internal/JsonDiff.ts"
import type { Cassette, RecordedExchange } from "./Cassette.ts"
import { comparable, type HttpRequest, HttpRequests, type IdentifiedHttpRequest } from "./HttpRequests.ts"
import { Ledger } from "./Ledger.ts"
import { ignored } from "./MissReport.ts"
import { bytesOf } from "./Pieces.ts"

export interface HttpReplayOptions {
  /** The last recording of a request answers all further equal ones. Default `false`. */
  readonly repeat?: boolean | undefined
  /** How bytes are spread over time. Default: at once. */
  readonly timing?: "recorded" | { readonly scale: number } | { readonly fixedMs: number } | undefined
  /** How to wait, for `timing`. Default: a timer of this process. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
  /** What a miss tells people to do. */
  readonly remedy?: string | undefined
}

export interface HttpMiss {
  readonly why: "unknown" | "exhausted"
  readonly key: string
  readonly endpoint: string
  readonly report: string
}

export class HttpReplay {
  readonly #cassette: Cassette
  readonly #options: HttpReplayOptions
  readonly #requests: HttpRequests
  readonly #ledger: Ledger<RecordedExchange>
  readonly #misses: Array<HttpMiss> = []

  constructor(cassette: Cassette, options: HttpReplayOptions = {}) {
    this.#cassette = cassette
    this.#options = options
    this.#requests = new HttpRequests(cassette.matching)
    this.#ledger = new Ledger(cassette.exchanges, options)
  }

  /** Requests that found no recording, in order. */
  get misses(): ReadonlyArray<HttpMiss> {
    return this.#misses
  }

  /** Exchanges that nobody asked for. */
  get unused(): ReadonlyArray<RecordedExchange> {
    return this.#ledger.unused
  }

  /** For programs that go through Effect's `FetchHttpClient`. */
  get layer(): Layer.Layer<never> {
    return Layer.succeed(FetchHttpClient.Fetch, this.fetch)
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = new Uint8Array(await request.arrayBuffer())
    const { headers, method, signal, url } = request
    return this.respond({ body, headers, method, url }, signal)
  }

  /** Rejects where a failure of the network was recorded. */
  async respond(request: HttpRequest, signal?: AbortSignal): Promise<Response> {
    const found = this.find(request)
    if (found === undefined) return this.#missing()
    const { chunks, error, headers, status } = found.response
    if (status === 0 && error !== undefined) throw failure(error.kind)
    return new Response(nullBody(status) ? null : this.#stream(chunks, error, signal), { status, headers })
  }

  /** The next recording of this request. A request without one is noted as a miss. */
  find(request: HttpRequest): RecordedExchange | undefined {
    const identified = this.#requests.identify(request)
    const taken = this.#ledger.take(identified.key)
    if (typeof taken === "object") return taken
    this.#misses.push(this.#miss(identified, taken))
    return undefined
  }

  /** There is a recording left for this request. */
  has(request: HttpRequest): boolean {
    return this.#ledger.has(this.#requests.identify(request).key)
  }

  #missing(): Response {
    const message = this.#misses.at(-1)!.report
    return Response.json({ type: "error", error: { type: "not_recorded", message } }, {
      status: 422,
      headers: { "x-should-retry": "false" }
    })
  }

  #miss(came: IdentifiedHttpRequest, why: HttpMiss["why"]): HttpMiss {
    const { endpoint, key, provider, request } = came
    const subject = `${request.method} ${endpoint} (${provider})`
    const nearest = why === "exhausted" ? undefined : nearestOf(this.#cassette.exchanges, came)
    const lines = [
      why === "exhausted"
        ? `${subject} was sent once more than it was recorded: all recordings of this request are used up.`
        : `${subject} was not recorded.`,
      ...(nearest === undefined ? [] : [
        `The nearest recording is exchange ${
          this.#cassette.exchanges.indexOf(nearest) + 1
        } of ${this.#cassette.exchanges.length}; it differs here:`,
        ...differences(nearest, came).slice(0, 8).map((line) => `  ${line}`)
      ]),
      ...ignored(this.#cassette.matching),
      this.#options.remedy ?? "If the change is meant, record again."
    ]
    return { why, key, endpoint, report: lines.join("\n") }
  }

  #stream(
    chunks: RecordedExchange["response"]["chunks"],
    error: RecordedExchange["response"]["error"],
    signal: AbortSignal | undefined
  ): ReadableStream<Uint8Array> {
    let next = 0
    return new ReadableStream({
      pull: async (controller) => {
        if (signal?.aborted === true) return controller.error(signal.reason)
        if (error !== undefined && next >= error.after) return controller.error(failure(error.kind))
        const chunk = chunks[next++]
        if (chunk === undefined) return controller.close()
        const wait = this.#wait(chunk.dt ?? 0)
        if (wait > 0) await (this.#options.sleep ?? timer)(wait)
        controller.enqueue(bytesOf(chunk))
      }
    }, { highWaterMark: 0 })
  }

  #wait(dt: number): number {
    const { timing } = this.#options
    if (timing === undefined) return 0
    if (timing === "recorded") return dt
    return "scale" in timing ? dt * timing.scale : timing.fixedMs
  }
}

const timer = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const nullBody = (status: number): boolean => status === 204 || status === 205 || status === 304

const failure = (kind: NonNullable<RecordedExchange["response"]["error"]>["kind"]): Error => {
  switch (kind) {
    case "abort":
      return new DOMException("This operation was aborted (recorded)", "AbortError")
    case "timeout":
      return new DOMException("The operation timed out (recorded)", "TimeoutError")
    case "truncated":
      return new TypeError("terminated", { cause: new Error("the other side closed (recorded)") })
    case "network":
      return new TypeError("fetch failed", { cause: new Error("the connection failed (recorded)") })
  }
}

const nearestOf = (
  exchanges: ReadonlyArray<RecordedExchange>,
  came: IdentifiedHttpRequest
): RecordedExchange | undefined => {
  const score = (exchange: RecordedExchange) =>
    Number(exchange.endpoint === came.endpoint) * 1_000 + Number(exchange.provider === came.provider) * 500 -
    differences(exchange, came).length
  return exchanges.reduce<RecordedExchange | undefined>(
    (best, exchange) => best === undefined || score(exchange) > score(best) ? exchange : best,
    undefined
  )
}

const differences = (recorded: RecordedExchange, came: IdentifiedHttpRequest): ReadonlyArray<string> => {
  const outer = (["provider", "endpoint"] as const).flatMap((name) =>
    recorded[name] === came[name] ? [] : [`${name}: recorded ${recorded[name]}, came ${came[name]}`]
  )
  const { body, ...rest } = recorded.request
  const { body: cameBody, ...cameRest } = came.request
  const heads = jsonDiff(rest, cameRest, 100).map((found) =>
    differenceLine({ ...found, path: `request${found.path.slice(1)}` })
  )
  return [...outer, ...heads, ...jsonDiff(comparable(body), comparable(cameBody), 100).map(differenceLine)]
}

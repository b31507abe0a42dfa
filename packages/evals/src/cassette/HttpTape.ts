/**
 * What servers sent while somebody recorded: a `fetch` that passes everything on as it comes and keeps a copy.
 */
import type { RecordedExchange } from "./Cassette.ts"
import { HttpRequests, type IdentifiedHttpRequest } from "./HttpRequests.ts"
import type { Matching } from "./Matching.ts"
import { eventPieces, pieceOf } from "./Pieces.ts"

export interface HttpTapeOptions {
  readonly matching: Matching
  /** Keep the bytes as the network cut them, with times. Default: one event a piece, without times. */
  readonly edges?: boolean | undefined
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Headers of a response that are kept. Encodings are undone before the bytes are kept, so those headers are not. */
const kept = ["content-type", "retry-after", "retry-after-ms", "x-should-retry"]

type Fetch = typeof globalThis.fetch

type Failure = NonNullable<RecordedExchange["response"]["error"]>["kind"]

interface Draft {
  readonly identified: IdentifiedHttpRequest
  readonly ordinal: number
  readonly bytes: Array<Uint8Array>
  readonly times: Array<number>
  status: number
  headers: Readonly<Record<string, string>>
  failure: Failure | undefined
  /** All of the body was read. */
  whole: boolean
}

export class HttpTape {
  readonly #requests: HttpRequests
  readonly #options: HttpTapeOptions
  readonly #drafts: Array<Draft> = []
  readonly #ordinals = new Map<string, number>()

  constructor(options: HttpTapeOptions) {
    this.#options = options
    this.#requests = new HttpRequests(options.matching)
  }

  /** In the order in which the requests were made. */
  get recorded(): ReadonlyArray<RecordedExchange> {
    return this.#drafts.map((draft) => exchangeOf(draft, this.#options.edges ?? false))
  }

  get fetch(): Fetch {
    return this.over(this.#options.fetch ?? ((...request) => globalThis.fetch(...request)))
  }

  /** A `fetch` of this tape that asks another one. */
  readonly over = (real: Fetch): Fetch => async (input, init) => {
    const request = new Request(input, init)
    const body = new Uint8Array(await request.clone().arrayBuffer())
    const identified = this.#requests.identify({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body
    })
    const ordinal = this.#ordinals.get(identified.key) ?? 0
    this.#ordinals.set(identified.key, ordinal + 1)
    const draft: Draft = {
      identified,
      ordinal,
      bytes: [],
      times: [],
      status: 0,
      headers: {},
      failure: undefined,
      whole: false
    }
    this.#drafts.push(draft)
    try {
      const response = await real(input, init)
      draft.status = response.status
      draft.headers = Object.fromEntries(kept.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      }))
      return overheard(response, draft)
    } catch (error) {
      draft.failure = failureOf(error)
      throw error
    }
  }
}

/** The same response; its bytes are copied as they are read. */
const overheard = (response: Response, draft: Draft): Response => {
  if (response.body === null) {
    draft.whole = true
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) {
          draft.whole = true
          return controller.close()
        }
        draft.bytes.push(value.slice())
        draft.times.push(performance.now())
        controller.enqueue(value)
      } catch (error) {
        draft.failure = failureOf(error) === "network" ? "truncated" : failureOf(error)
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason)
  })
  const copy = new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers
  })
  Object.defineProperty(copy, "url", { value: response.url })
  return copy
}

const failureOf = (error: unknown): Failure => {
  const name = error instanceof Error ? error.name : ""
  return name === "AbortError" ? "abort" : name === "TimeoutError" ? "timeout" : "network"
}

const exchangeOf = (draft: Draft, edges: boolean): RecordedExchange => {
  const { bytes, headers, identified, ordinal, status, times, whole } = draft
  // Whoever did not read on left it; what would have come is not known, and must not look like the end.
  const failure = draft.failure ?? (whole ? undefined : "abort")
  const chunks = edges
    ? bytes.map((piece, index) => pieceOf(piece, Math.round(times[index]! - (times[index - 1] ?? times[0]!))))
    : piecesOf(Buffer.concat(bytes), headers)
  return {
    type: "http",
    ...identified,
    ordinal,
    response: {
      status,
      headers,
      chunks,
      ...(failure !== undefined && { error: { kind: failure, after: chunks.length } })
    }
  }
}

export const piecesOf = (
  body: Uint8Array,
  headers: Readonly<Record<string, string>>
): RecordedExchange["response"]["chunks"] =>
  body.length === 0
    ? []
    : headers["content-type"]?.includes("event-stream") === true
    ? eventPieces(body)
    : [pieceOf(body)]

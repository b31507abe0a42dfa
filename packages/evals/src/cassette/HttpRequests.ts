/**
 * The canonical form of a request to a server, and its key. All of the body counts, and of the headers those that
 * change what it means. The host does not: a proxy or another region gives the same answers.
 */
import type * as Schema from "effect/Schema"
import { canonical, hashOf, sorted } from "../internal/Canonical.ts"
import type { Piece } from "./Cassette.ts"
import { type Matching, Normaliser } from "./Matching.ts"
import { pieceOf } from "./Pieces.ts"

/** What was sent, read once. */
export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array
}

export interface IdentifiedHttpRequest {
  readonly key: string
  readonly provider: string
  readonly endpoint: string
  readonly request: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: Schema.Json | undefined
    readonly text?: Piece | undefined
  }
}

/** Of the canonical form: part of every key. */
const version = 1

/** Headers that change what a request means. */
const meaningful = ["anthropic-version", "anthropic-beta", "openai-beta"]

/** Parts of an address that are keys, not questions. */
const secretQuery = /^(?:key|api_key|apikey|access_token|token)$/i

export class HttpRequests {
  readonly #matching: Matching
  readonly #normaliser: Normaliser

  constructor(matching: Matching) {
    this.#matching = matching
    this.#normaliser = new Normaliser(matching)
  }

  identify(request: HttpRequest): IdentifiedHttpRequest {
    const url = new URL(request.url)
    const provider = providerOf(url, request.headers)
    const query = [...url.searchParams].filter(([name]) => !secretQuery.test(name)).sort(byText)
    const endpoint = `${url.pathname}${query.length === 0 ? "" : `?${new URLSearchParams(query)}`}`
    const headers = Object.fromEntries(
      meaningful.flatMap((name) => {
        const value = request.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
    )
    const described = { method: request.method.toUpperCase(), headers, ...this.#body(request) }
    const identified = { provider, endpoint, request: described }
    return { key: httpKeyOf(identified), ...identified }
  }

  #body({ body, headers }: HttpRequest): { readonly body?: Schema.Json; readonly text?: Piece } {
    if (body.length === 0) return {}
    const json = parsed(body)
    if (json === undefined) return { text: pieceOf(withoutBoundary(body, headers)) }
    const renamed = this.#matching.renameIds ? renamedIds(json) : json
    return { body: sorted(this.#normaliser.apply(renamed, []) ?? null) }
  }
}

/** Of a request whose body is in order. */
export const httpKeyOf = ({ endpoint, provider, request }: Omit<IdentifiedHttpRequest, "key">): string => {
  const { body, headers, method, text } = request
  return hashOf(canonical({ v: version, provider, endpoint, method, headers, body: comparable(body), text }))
}

/**
 * A body as it is compared. Arguments of tool calls are JSON in a text, as models wrote it: how they were spaced does
 * not count.
 */
export const comparable = (body: Schema.Json | undefined): unknown => {
  if (Array.isArray(body)) return body.map(comparable)
  if (typeof body !== "object" || body === null) return body
  let copy: Record<string, unknown> | undefined
  for (const [key, member] of Object.entries(body)) {
    const own = key === "arguments" && typeof member === "string" ? argumentsOf(member) : comparable(member)
    if (own !== member) (copy ??= { ...body })[key] = own
  }
  return copy ?? body
}

const argumentsOf = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? value : text
  } catch {
    return text // as the model wrote it
  }
}

const byText = ([a, x]: readonly [string, string], [b, y]: readonly [string, string]): number =>
  a < b ? -1 : a > b ? 1 : x < y ? -1 : Number(x > y)

const hosts: ReadonlyArray<readonly [pattern: RegExp, provider: string]> = [
  [/(^|\.)openai\.azure\.com$|\.cognitiveservices\.azure\.com$/, "azure"],
  [/(^|\.)openai\.com$/, "openai"],
  [/(^|\.)anthropic\.com$/, "anthropic"],
  [/aiplatform\.googleapis\.com$/, "vertex"],
  [/(^|\.)googleapis\.com$/, "google"],
  [/bedrock.*\.amazonaws\.com$/, "bedrock"],
  [/(^|\.)openrouter\.ai$/, "openrouter"],
  [/(^|\.)groq\.com$/, "groq"],
  [/(^|\.)mistral\.ai$/, "mistral"],
  [/(^|\.)cohere\.(com|ai)$/, "cohere"],
  [/(^|\.)deepseek\.com$/, "deepseek"],
  [/(^|\.)x\.ai$/, "xai"],
  [/(^|\.)cerebras\.ai$/, "cerebras"]
]

const paths: ReadonlyArray<readonly [pattern: RegExp, provider: string]> = [
  [/\/messages(\/|$)/, "anthropic"],
  [/:(stream)?[gG]enerateContent/, "google"],
  [/\/(chat\/completions|responses|completions|embeddings)(\/|$)/, "openai"]
]

/** By host, else by the language that the path is in. */
const providerOf = ({ hostname, pathname }: URL, headers: Headers): string =>
  hosts.find(([pattern]) => pattern.test(hostname))?.[1] ??
    (headers.has("anthropic-version") ? "anthropic" : paths.find(([pattern]) => pattern.test(pathname))?.[1] ?? "http")

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    return undefined // no JSON: compared as it is
  }
}

/** A form has a random mark between its parts. */
const withoutBoundary = (body: Uint8Array, headers: Headers): Uint8Array => {
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get("content-type") ?? "")?.[1]
  if (boundary === undefined) return body
  return Buffer.from(Buffer.from(body).toString("latin1").replaceAll(boundary, "boundary"), "latin1")
}

const idKeys = new Set([
  "id",
  "tool_call_id",
  "tool_use_id",
  "call_id",
  "item_id",
  "message_id",
  "response_id",
  "previous_response_id"
])
const generated = /^(?:call|toolu|srvtoolu|resp|msg|rs|fc|ctc|ws|chatcmpl|item|tool)[-_][\w-]{4,}$/

const renamedIds = (body: unknown): unknown => {
  const names = new Map<string, string>()
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === "string") {
      if (!idKeys.has(key) || !generated.test(value)) return value
      let name = names.get(value)
      if (name === undefined) names.set(value, name = `#${names.size + 1}`)
      return name
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, key))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, name)]))
  }
  return walk(body, "")
}

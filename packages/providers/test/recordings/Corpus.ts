/**
 * Recorded answers of providers, from a folder with a `MANIFEST.jsonl`: each as the bytes a server sent, with the
 * language they are in. Whatever is in no language we speak is counted by kind, never dropped in silence.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib"
import { parse } from "yaml"

export type Language = "chat" | "responses" | "messages" | "gemini" | "vertex" | "bedrock" | "cohere"

export interface Recording {
  /** File and number of the exchange in it. */
  readonly name: string
  readonly language: Language
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Corpus {
  readonly recordings: ReadonlyArray<Recording>
  /** Kind of traffic, with how often it occurs. */
  readonly outOfScope: ReadonlyMap<string, number>
}

export const readCorpus = (folder: string): Corpus => {
  const manifest = join(folder, "MANIFEST.jsonl")
  if (!existsSync(manifest)) throw new Error(`DAYLIGHT_RECORDINGS: there is no MANIFEST.jsonl in ${folder}`)
  const recordings: Array<Recording> = []
  const outOfScope = new Map<string, number>()
  const skip = (kind: string) => outOfScope.set(kind, (outOfScope.get(kind) ?? 0) + 1)
  for (const line of readFileSync(manifest, "utf8").trim().split("\n")) {
    const { file } = JSON.parse(line) as { readonly file: string }
    for (const found of exchangesOf(file, join(folder, file))) {
      if ("outOfScope" in found) skip(found.outOfScope)
      else recordings.push(found)
    }
  }
  return { recordings, outOfScope }
}

type Found = Recording | { readonly outOfScope: string }

const exchangesOf = (file: string, path: string): ReadonlyArray<Found> => {
  if (/^(?:bfcl|codeact|swe-agent|openhands|inspect|tau-bench|atif-nat|aimock)\//.test(file)) {
    return [{ outOfScope: `${file.split("/")[0]}: no provider traffic` }]
  }
  if (file.endsWith(".yaml")) return fromCassette(file, parse(readFileSync(path, "utf8"), { logLevel: "silent" }))
  if (file.endsWith(".chunks.txt")) {
    return answersIn(readFileSync(path, "utf8")).map((text, n) => fromChunks(n === 0 ? file : `${file}#${n}`, text))
  }
  if (/\.(?:sse|txt)$/.test(file)) return [fromStream(file, readFileSync(path))]
  if (file.endsWith(".json")) return fromJson(file, JSON.parse(readFileSync(path, "utf8")))
  return [{ outOfScope: `${file.split(".").at(-1)} file` }]
}

// ------------------------------------------------------------------------------------------------ by address

const languageOf = (address: string): Language | { readonly outOfScope: string } => {
  const { hostname, pathname } = new URL(address)
  if (/\/chat\/completions$/.test(pathname)) return "chat"
  if (/^\/(?:.*\/)?responses$/.test(pathname)) return "responses"
  if (/\/v1\/messages$/.test(pathname)) return "messages"
  if (/:(?:streamG|g)enerateContent$/.test(pathname)) return hostname.includes("aiplatform") ? "vertex" : "gemini"
  if (/\/converse(?:-stream)?$/.test(pathname)) return "bedrock"
  if (hostname === "api.cohere.com" && pathname === "/v2/chat") return "cohere"
  return { outOfScope: `${hostname} ${pathname.replace(/[^/]*\d[^/]*$/, "…").replace(/models\/[^/:]+/, "models/…")}` }
}

interface Exchange {
  readonly address: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const fromExchange = (name: string, { address, body, headers, status }: Exchange): Found => {
  if (!URL.canParse(address)) return { outOfScope: "traffic without an address (sockets, gRPC)" }
  const language = languageOf(address)
  if (typeof language === "object") return language
  const plain = decoded(body, headers["content-encoding"])
  if (plain.length === 0) return { outOfScope: "an exchange whose body was not kept" }
  return { name, language, status, headers: contentType(headers, plain), body: plain }
}

const decoded = (body: Buffer, encoding: string | undefined): Buffer => {
  if (body[0] === 0x1f && body[1] === 0x8b) return gunzipSync(body)
  try {
    if (encoding === "br") return brotliDecompressSync(body)
    if (encoding === "deflate") return inflateSync(body)
  } catch {
    return body // a recorder that unpacked the body and kept the header
  }
  return body
}

const contentType = (headers: Readonly<Record<string, string>>, body: Buffer): Readonly<Record<string, string>> => {
  const kept = Object.fromEntries(
    ["content-type", "retry-after", "x-should-retry"].flatMap((key) =>
      headers[key] === undefined ? [] : [[key, headers[key]]]
    )
  )
  if (kept["content-type"] !== undefined) return kept
  return {
    ...kept,
    "content-type": /^\s*[{[]/.test(body.subarray(0, 20).toString()) ? "application/json" : "text/event-stream"
  }
}

// ------------------------------------------------------------------------------------------------ by file format

type Raw = any // what a recorder wrote: each has its own shape

const lowered = (headers: Raw): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers ?? {}).map((
      [key, value]
    ) => [String(key).toLowerCase(), String(Array.isArray(value) ? value[0] : value)])
  )

const fromCassette = (file: string, cassette: Raw): ReadonlyArray<Found> =>
  (cassette.interactions as ReadonlyArray<Raw> | undefined ?? [cassette]).map((exchange, n) => {
    const { request, response } = exchange
    if (response === undefined) return { outOfScope: "traffic without an address (sockets, gRPC)" }
    const body = response.parsed_body === undefined
      ? response.body?.string ?? response.content ?? response.body ?? ""
      : JSON.stringify(response.parsed_body)
    return fromExchange(`${file}#${n}`, {
      address: String(request?.uri ?? request?.url),
      status: response.status?.code ?? response.status_code ?? 200,
      headers: lowered(response.headers),
      body: typeof body === "string" ? Buffer.from(body) : Buffer.from(body ?? "")
    })
  })

const fromJson = (file: string, json: Raw): ReadonlyArray<Found> => {
  if (Array.isArray(json) && json[0]?.scope !== undefined) {
    return json.map((one: Raw, n) =>
      fromExchange(`${file}#${n}`, {
        address: `${one.scope}${one.path}`,
        status: one.status,
        headers: {},
        body: Buffer.from(JSON.stringify(one.response))
      })
    )
  }
  if (json.request !== undefined && json.response !== undefined) {
    const { body, headers, status } = json.response
    const address = String(json.request.url)
    const encoded = typeof body === "string" ? body : JSON.stringify(body)
    return [fromExchange(file, { address, status: status.code, headers: lowered(headers), body: binary(encoded) })]
  }
  if (json.provider !== undefined && json.status !== undefined) {
    const body = Buffer.from(typeof json.body === "string" ? json.body : JSON.stringify(json.body))
    return [{
      name: file,
      language: json.provider === "anthropic" ? "messages" : "chat",
      status: json.status,
      headers: contentType(lowered(json.headers), body),
      body
    }]
  }
  // Google's other way to stream: one array of all chunks.
  if (Array.isArray(json) && json[0]?.candidates !== undefined) {
    return [fromChunks(file, json.map((chunk: Raw) => JSON.stringify(chunk)).join("\n"))]
  }
  const language = shapeOf(json) ?? folderOf(file)
  if (typeof language === "object") return [language]
  const body = Buffer.from(JSON.stringify(json))
  return [{
    name: file,
    language,
    status: json.error && !json.id ? 400 : 200,
    headers: { "content-type": "application/json" },
    body
  }]
}

/** Packed bodies are kept as base64. */
const binary = (text: string) => {
  if (text.startsWith("base64:")) return Buffer.from(text.slice(7), "base64")
  if (!/^H4sI[A-Za-z0-9+/=\s]+$/.test(text)) return Buffer.from(text)
  return Buffer.from(text, "base64")
}

/** Some files hold the answers of several turns, one after the other. */
const answersIn = (text: string) => text.split(/(?<=\n)(?=\{"type":"response\.created")/)

const fromChunks = (file: string, text: string): Found => {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const first = lines.map(tryParse).find((json) => json !== undefined)
  const language = shapeOf(first) ?? folderOf(file)
  if (typeof language === "object") return language
  const body = lines.map((line) => {
    const type = tryParse(line)?.type
    return language === "messages" || language === "responses"
      ? `event: ${type ?? "unknown"}\ndata: ${line}\n\n`
      : `data: ${line}\n\n`
  }).join("") + (language === "chat" ? "data: [DONE]\n\n" : "")
  return {
    name: file,
    language,
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: Buffer.from(body)
  }
}

const fromStream = (file: string, bytes: Buffer): Found => {
  const first = /^data:\s*(.*)$/m.exec(bytes.toString())?.[1]
  const language = first === undefined ? undefined : shapeOf(tryParse(first))
  if (typeof language !== "string") return language ?? { outOfScope: "text that is no stream of events" }
  return { name: file, language, status: 200, headers: { "content-type": "text/event-stream" }, body: bytes }
}

const tryParse = (line: string): Raw => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // damaged on purpose: the reader of the stream has to cope, not we
  }
}

const shapeOf = (json: Raw): Language | { readonly outOfScope: string } | undefined => {
  if (json === undefined) return undefined
  if (
    /^chat\.completion/.test(json.object ?? "") ||
    Array.isArray(json.choices) && json.choices[0]?.text === undefined && json.object !== "text_completion"
  ) return "chat"
  if (json.object === "text_completion") return { outOfScope: "completions of plain text" }
  if (json.object === "response" || /^response\./.test(json.type ?? "")) return "responses"
  if (json.type === "message" || json.type === "message_start") return "messages"
  if (json.candidates !== undefined) return "gemini"
  if (json.interaction !== undefined || json.object === "interaction" || json.steps !== undefined) {
    return { outOfScope: "Google's interactions API" }
  }
  if (
    json.output?.message !== undefined || json.contentBlockStart !== undefined || json.contentBlockDelta !== undefined
  ) return "bedrock"
  if (json.type === "message-start" || json.message?.role !== undefined && json.finish_reason !== undefined) {
    return "cohere"
  }
  return undefined
}

const folderOf = (file: string): Language | { readonly outOfScope: string } =>
  /openai-chat\//.test(file) ?
    "chat"
    : /openai-responses\//.test(file) ?
    "responses"
    : /vercel-ai\/anthropic\//.test(file) ?
    "messages"
    : /google\//.test(file) ?
    "gemini"
    : { outOfScope: `a document of another kind (${file.split("/").slice(0, 2).join("/")})` }

/**
 * Recorded exchanges with providers, from a folder with a `MANIFEST.jsonl`, whatever tool recorded them. What is no
 * exchange is named with the reason.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib"
import { parse } from "yaml"

export interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly answer: Buffer
}

export interface ExchangeFile {
  readonly file: string
  readonly exchanges: ReadonlyArray<Exchange>
}

export interface Exchanges {
  readonly files: ReadonlyArray<ExchangeFile>
  /** Reason, with the files it holds for. */
  readonly others: ReadonlyMap<string, ReadonlyArray<string>>
}

export const readManifest = (folder: string): ReadonlyArray<string> => {
  const manifest = join(folder, "MANIFEST.jsonl")
  if (!existsSync(manifest)) throw new Error(`DAYLIGHT_RECORDINGS: there is no MANIFEST.jsonl in ${folder}`)
  return readFileSync(manifest, "utf8").trim().split("\n").map((line) =>
    (JSON.parse(line) as { readonly file: string }).file
  )
}

export const readExchanges = (folder: string): Exchanges => {
  const files: Array<ExchangeFile> = []
  const others = new Map<string, Array<string>>()
  for (const file of readManifest(folder)) {
    const found = read(file, join(folder, file))
    if (typeof found === "string") others.set(found, [...(others.get(found) ?? []), file])
    else files.push({ file, exchanges: found })
  }
  return { files, others }
}

type Raw = any // what a recorder wrote: each has its own shape

const read = (file: string, path: string): ReadonlyArray<Exchange> | string => {
  const folder = file.split("/")[0]!
  if (/^(?:bfcl|codeact|swe-agent|openhands|inspect|tau-bench|atif-nat|aimock)$/.test(folder)) {
    return `${folder}: no traffic with a server`
  }
  if (/\.(?:sse|txt)$/.test(file)) return [answerOnly(file, readFileSync(path), "text/event-stream")]
  if (file.endsWith(".yaml")) return fromYaml(parse(readFileSync(path, "utf8"), { logLevel: "silent" }))
  if (file.endsWith(".json")) return fromJson(file, JSON.parse(readFileSync(path, "utf8")))
  return `a ${file.split(".").at(-1)} file`
}

/** A body that was kept without its request: it gets one of its own. */
const answerOnly = (file: string, answer: Buffer, type: string): Exchange => ({
  method: "POST",
  url: `https://recorded.invalid/${file}`,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify({ file, stream: type === "text/event-stream" })),
  status: 200,
  answerHeaders: { "content-type": type },
  answer
})

const fromYaml = (document: Raw): ReadonlyArray<Exchange> | string => {
  const all = (document?.interactions ?? [document]) as ReadonlyArray<Raw>
  const exchanges = all.flatMap((one) => fromVcr(one) ?? [])
  if (exchanges.length === 0) return "no HTTP: a socket, or calls of gRPC"
  return exchanges
}

const fromVcr = ({ request, response }: Raw): Exchange | undefined => {
  const url = String(request?.uri ?? request?.url)
  if (response === undefined || !URL.canParse(url)) return undefined
  const headers = lowered(response.headers)
  return {
    method: request.method ?? "POST",
    url,
    headers: lowered(request.headers),
    body: sent(request.parsed_body ?? request.body),
    status: response.status?.code ?? response.status_code ?? 200,
    answerHeaders: headers,
    answer: decoded(
      sent(response.parsed_body ?? response.body?.string ?? response.content ?? response.body),
      headers["content-encoding"]
    )
  }
}

const fromJson = (file: string, json: Raw): ReadonlyArray<Exchange> | string => {
  if (Array.isArray(json) && json[0]?.scope !== undefined) {
    return json.map((one: Raw) => ({
      method: one.method,
      url: `${one.scope}${one.path}`,
      headers: {},
      body: sent(one.body),
      status: one.status,
      answerHeaders: { "content-type": "application/json" },
      answer: sent(one.response)
    }))
  }
  if (json?.request !== undefined && json.response !== undefined && URL.canParse(String(json.request.url))) {
    const { body, headers, status } = json.response
    const bytes = typeof body === "string" && body.startsWith("base64:")
      ? Buffer.from(body.slice(7), "base64")
      : typeof body === "string" && /^H4sI[A-Za-z0-9+/=\s]+$/.test(body)
      ? Buffer.from(body, "base64")
      : sent(body)
    const answerHeaders = lowered(headers)
    return [{
      method: json.request.method ?? "POST",
      url: json.request.url,
      headers: lowered(json.request.headers),
      body: sent(json.request.body),
      status: typeof status === "object" ? status.code : status ?? 200,
      answerHeaders,
      answer: decoded(bytes, answerHeaders["content-encoding"])
    }]
  }
  return [answerOnly(file, Buffer.from(JSON.stringify(json)), "application/json")]
}

const sent = (body: Raw): Buffer =>
  body === undefined || body === null
    ? Buffer.alloc(0)
    : typeof body === "string"
    ? Buffer.from(body)
    : body instanceof Uint8Array
    ? Buffer.from(body)
    : Buffer.from(JSON.stringify(body))

const lowered = (headers: Raw): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers ?? {}).map(([key, value]) => [
      String(key).toLowerCase(),
      String(Array.isArray(value) ? value[0] : value).replaceAll(/[^\u0020-\u007e]/g, "?")
    ])
  )

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

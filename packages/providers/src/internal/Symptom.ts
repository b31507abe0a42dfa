/**
 * What an SDK threw, reduced to the few facts a failure is recognised by. Read by shape, not by class: so no SDK is
 * loaded for it, and two copies of one SDK are no trap.
 */
import { type HeadersLike } from "./RetryAfter.ts"

export interface Symptom {
  /** Of the error and all its causes, outermost first. */
  readonly names: ReadonlyArray<string>
  readonly status: number | undefined
  /** Codes and types that the body or the system gave, in lower case. */
  readonly codes: ReadonlyArray<string>
  /** For people: one line, at most 1,000 characters. */
  readonly message: string
  /** All text there is, for recognising phrases. */
  readonly text: string
  readonly headers: HeadersLike | undefined
}

export const symptomOf = (thrown: unknown): Symptom => {
  const chain = causes(thrown)
  const names = chain.map((error) => typeof error["name"] === "string" ? error["name"] : "")
  const codes: Array<string> = []
  const texts: Array<string> = []
  const said: Array<string> = []
  let status: number | undefined
  let headers: HeadersLike | undefined
  for (const error of chain) {
    status ??= statusOf(error["status"]) ?? statusOf(error["statusCode"])
    headers ??= (error["headers"] ?? error["responseHeaders"]) as HeadersLike | undefined
    collect(error, codes, texts)
    const body = bodyOf(error)
    if (body === undefined) continue
    for (const part of bodies(body)) {
      status ??= statusOf(part["status"]) ?? statusOf(part["code"])
      collect(part, codes, said)
    }
    if (typeof body === "string") said.push(body)
    else texts.push(JSON.stringify(body))
  }
  if (chain.length === 0) texts.push(String(thrown))
  return {
    names,
    status,
    codes,
    // What the server said is clearer than what an SDK made of it; a gateway quotes the server behind it last.
    message: plain([...new Set(said.length > 0 ? said : telling(texts).slice(0, 3))].join(": ") || "no message"),
    text: [...said, ...texts].join("\n"),
    headers
  }
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const causes = (thrown: unknown): ReadonlyArray<Fields> => {
  const chain: Array<Fields> = []
  let error = thrown
  while (isFields(error) && chain.length < 8 && !chain.includes(error)) {
    chain.push(error)
    error = error["lastError"] ?? error["cause"] ?? firstOf(error["errors"])
  }
  return chain
}

/** A host with several addresses fails once for each of them. */
const firstOf = (errors: unknown): unknown => Array.isArray(errors) ? errors[0] : undefined

/** Without the words of wrappers that say nothing, if others say something. */
const telling = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kept = texts.filter((text) => !/^(?:connection error|fetch failed|failed to fetch)\.?$/i.test(text))
  return kept.length > 0 ? kept : texts
}

const statusOf = (value: unknown) => {
  const status = typeof value === "string" && /^[1-5]\d\d$/.test(value) ? Number(value) : value
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined
}

/** The parsed body under the names the SDKs use for it, else its text. */
const bodyOf = (error: Fields): unknown => {
  const body = error["error"] ?? error["data"] ?? error["responseBody"]
  if (typeof body !== "string") return isFields(body) ? body : undefined
  try {
    return JSON.parse(body)
  } catch {
    return body // an HTML page of a proxy, for instance: kept as text
  }
}

/** `{ error: { ... } }` as Anthropic, Google and proxies nest it, and Google's array of one such object. */
const bodies = (body: unknown): ReadonlyArray<Fields> => {
  const outer = Array.isArray(body) ? body[0] : body
  if (!isFields(outer)) return []
  const inner = outer["error"]
  const list = isFields(inner) ? [inner, outer] : [outer]
  const nested = isFields(inner) ? inner["metadata"] : undefined
  return isFields(nested) ? [...list, nested] : list
}

const collect = (fields: Fields, codes: Array<string>, texts: Array<string>) => {
  for (const key of ["code", "type", "status", "errorCode"]) {
    const value = fields[key]
    if (typeof value === "string" && value !== "") codes.push(value.toLowerCase())
  }
  for (const key of ["message", "error", "raw"]) {
    const value = fields[key]
    if (typeof value === "string" && value !== "") texts.push(value)
  }
}

/** A page of HTML becomes its words. */
const plain = (text: string) => {
  const words = /<(?:!doctype|html|body|head|center)/i.test(text)
    ? text.replace(/<(style|script)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ")
    : text
  const line = words.replace(/\s+/g, " ").trim()
  return line.length > 1000 ? `${line.slice(0, 999)}…` : line
}

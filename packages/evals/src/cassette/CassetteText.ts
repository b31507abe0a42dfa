/**
 * Cassettes as text and back. Reading checks everything: what is cut off, altered, foreign or newer is an error that
 * names file and line.
 */
import * as Schema from "effect/Schema"
import { canonical, hashOf } from "../internal/Canonical.ts"
import { findSecret, type SecretOptions } from "../internal/Secrets.ts"
import { RecordingError } from "../RecordingError.ts"
import { type Cassette, cassetteVersion, Entry, Header } from "./Cassette.ts"
import { httpKeyOf } from "./HttpRequests.ts"
import { matchingVersion } from "./Matching.ts"
import { keyOf, nodeHash } from "./ModelRequests.ts"

/** One line for each entry, in the order of first use. Throws `RecordingError` where a line holds a secret. */
export const printCassette = (cassette: Cassette, file = "cassette", secrets: SecretOptions = {}): string => {
  const text = textOfCassette(cassette)
  text.split("\n").slice(1).forEach((line, index) => {
    const secret = findSecret(line, secrets)
    if (secret !== undefined) {
      throw new RecordingError({
        file,
        line: index + 2,
        problem: `not written, because it would hold what looks like a secret (${secret.kind})`,
        remedy: "Bind it with Binding.secret, or keep it out of prompts and results"
      })
    }
  })
  return text
}

/** As `printCassette`, of what was in a file before: nothing is looked for in it. */
export const textOfCassette = (cassette: Cassette): string => {
  const lines = entriesOf(cassette).map(lineOf)
  return [
    canonical({ daylight: "cassette", version: cassetteVersion, matching: cassette.matching }),
    ...lines,
    canonical({ type: "end", entries: lines.length })
  ].join("\n") + "\n"
}

const lineOf = (entry: Entry): string =>
  entry.type === "cell" || entry.type === "session" ? JSON.stringify(ordered(entry)) : canonical(entry)

/** Keys in order, but for those of values: a cell sees the order of keys in what it is given. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  const record = value as Readonly<Record<string, unknown>>
  const isValue = record["_tag"] === "Json"
  return Object.fromEntries(
    Object.keys(record).sort().map((key) => [key, isValue ? record[key] : ordered(record[key])])
  )
}

const entriesOf = (cassette: Cassette): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  const told = new Set<string>()
  const content = (hash: string | undefined) => {
    if (hash === undefined || told.has(hash) || !cassette.contents.has(hash)) return
    told.add(hash)
    entries.push({ type: "content", hash, value: cassette.contents.get(hash)! })
  }
  const message = (hash: string | undefined) => {
    const path: Array<Entry> = []
    for (let at = hash; at !== undefined && !told.has(at);) {
      const node = cassette.messages.get(at)
      if (node === undefined) break
      told.add(at)
      path.push({
        type: "message",
        hash: at,
        ...(node.after !== undefined && { after: node.after }),
        value: node.value
      })
      at = node.after
    }
    entries.push(...path.reverse())
  }
  for (const { agent, info } of cassette.models) entries.push({ type: "model", ...(agent && { agent }), info })
  entries.push(...cassette.runs)
  for (const answer of cassette.answers) {
    content(answer.request.system)
    content(answer.request.actions)
    message(answer.request.messages)
    entries.push(answer)
  }
  const { cells = [], decisions = [], sessions = [] } = cassette
  entries.push(...cassette.exchanges, ...sessions, ...cells, ...decisions)
  return entries
}

/** `file` is for messages. Throws `RecordingError`. */
export const parseCassette = (text: string, file: string): Cassette => {
  const lines = text.split("\n")
  if (lines.at(-1) === "") lines.pop()
  const header = parseHeader(lines[0], file)
  const cassette = {
    matching: header.matching,
    models: [] as Array<Cassette["models"][number]>,
    runs: [] as Array<Cassette["runs"][number]>,
    contents: new Map<string, Schema.Json>(),
    messages: new Map<string, { readonly after: string | undefined; readonly value: Schema.Json }>(),
    answers: [] as Array<Cassette["answers"][number]>,
    exchanges: [] as Array<Cassette["exchanges"][number]>,
    sessions: [] as Array<NonNullable<Cassette["sessions"]>[number]>,
    cells: [] as Array<NonNullable<Cassette["cells"]>[number]>,
    decisions: [] as Array<NonNullable<Cassette["decisions"]>[number]>
  }
  const body = lines.slice(1, -1)
  checkEnd(lines, file)
  body.forEach((line, index) => {
    const at = { file, line: index + 2 }
    const entry = decoded(line, at)
    switch (entry.type) {
      case "model":
        return void cassette.models.push({ agent: entry.agent, info: entry.info })
      case "run":
        return void cassette.runs.push(entry)
      case "content":
        verify(entry.hash === hashOf(canonical(entry.value)), at)
        return void cassette.contents.set(entry.hash, entry.value)
      case "message":
        verify(entry.hash === nodeHash(entry.after, entry.value), at)
        return void cassette.messages.set(entry.hash, { after: entry.after, value: entry.value })
      case "answer":
        verify(entry.request.system === undefined || entry.key === keyOf(entry.request), at)
        return void cassette.answers.push(entry)
      case "http":
        verify(entry.key === httpKeyOf(entry), at)
        return void cassette.exchanges.push(entry)
      case "session":
        return void cassette.sessions.push(entry)
      case "cell":
        return void cassette.cells.push(entry)
      case "decision":
        return void cassette.decisions.push(entry)
    }
  })
  return cassette
}

interface At {
  readonly file: string
  readonly line: number
}

const remedy = "Restore the file from version control, or record it again"

const decodeEntry = Schema.decodeUnknownSync(Schema.toCodecJson(Entry), { errors: "first" })
const decodeHeader = Schema.decodeUnknownSync(Header)

const decoded = (line: string, at: At): Entry => {
  const json = parseLine(line, at)
  try {
    return decodeEntry(json)
  } catch (error) {
    throw new RecordingError({ ...at, problem: `is no entry of a cassette: ${oneLine(error)}`, remedy })
  }
}

const parseLine = (line: string, at: At): unknown => {
  try {
    return JSON.parse(line)
  } catch (error) {
    const problem = line === "" ? "is empty" : `is damaged: ${oneLine(error)}`
    throw new RecordingError({ ...at, problem, remedy })
  }
}

const verify = (ok: boolean, at: At): void => {
  if (!ok) throw new RecordingError({ ...at, problem: "was altered: its content does not fit its hash", remedy })
}

const parseHeader = (line: string | undefined, file: string): typeof Header.Type => {
  const at = { file, line: 1 }
  if (line === undefined || line.trim() === "") throw new RecordingError({ file, problem: "is empty", remedy })
  const json = parseLine(line, at)
  const record = typeof json === "object" && json !== null ? json as Readonly<Record<string, unknown>> : {}
  if (record["daylight"] !== "cassette") {
    throw new RecordingError({
      ...at,
      problem: "is no cassette",
      remedy:
        'A cassette begins with a line {"daylight":"cassette", ...}; `daylight trajectory show` reads other formats'
    })
  }
  const newer = Number(record["version"]) > cassetteVersion ||
    Number((record["matching"] as { readonly version?: unknown } | undefined)?.version) > matchingVersion
  if (newer) {
    throw new RecordingError({
      ...at,
      problem: `was written by a newer version (format ${
        String(record["version"])
      }, this one reads ${cassetteVersion})`,
      remedy: "Update @daylight/evals"
    })
  }
  const { matching, version } = record as {
    readonly matching?: { readonly version?: unknown }
    readonly version?: unknown
  }
  if (version !== cassetteVersion || matching?.version !== matchingVersion) {
    throw new RecordingError({
      ...at,
      problem: `is stale: it has format ${String(version)} with rules ${
        String(matching?.version)
      }, and ${cassetteVersion} with ${matchingVersion} are of now`,
      remedy: "Record it again"
    })
  }
  try {
    return decodeHeader(json)
  } catch (error) {
    throw new RecordingError({ ...at, problem: `has a header that cannot be read: ${oneLine(error)}`, remedy })
  }
}

const checkEnd = (lines: ReadonlyArray<string>, file: string): void => {
  const line = lines.length
  const last = lines.length < 2 ? undefined : tryParse(lines.at(-1)!)
  if (last?.type !== "end") {
    throw new RecordingError({ file, line, problem: "was cut off: its last line is missing", remedy })
  }
  if (last.entries !== lines.length - 2) {
    const problem = `holds ${lines.length - 2} entries, and its last line counts ${String(last.entries)}`
    throw new RecordingError({ file, line, problem, remedy })
  }
}

const tryParse = (line: string): { readonly type?: unknown; readonly entries?: unknown } | undefined => {
  try {
    const json: unknown = JSON.parse(line)
    return typeof json === "object" && json !== null ? json : undefined
  } catch {
    return undefined // told as a file that was cut off
  }
}

export const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ").slice(0, 300)

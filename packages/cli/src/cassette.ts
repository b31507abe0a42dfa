/** `daylight cassette`: what cassettes hold, and which part of it nobody needs any more. */
import { blobsBeside, type Pruned, pruneRecording, Replay } from "@daylight/evals"
import { type CassetteStats, cassetteStats, readCassette } from "@daylight/evals/cassette"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { chosenAgent } from "./AgentChoice.ts"
import { answer, type Print } from "./Answer.ts"
import { columns } from "./Columns.ts"
import { logToStderr } from "./Display.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"
import { recordedCalls } from "./RecordedCalls.ts"
import { span } from "./renderer/Paint.ts"
import { bytes, counted, number } from "./renderer/Quantity.ts"
import { safeLines } from "./renderer/Safe.ts"
import { shownTime } from "./sessions/Moment.ts"

export interface StatsInput {
  readonly files: ReadonlyArray<string>
  readonly json: boolean
}

/** One that cannot be read does not hide the others. */
export const stats = async ({ files, json }: StatsInput): Promise<number> => {
  let worst = 0
  for (const file of files) {
    const code = await answer(async (print) => {
      const found = await statsOf(file)
      if (json) return print.json(found)
      print.row([span(file, "accent")])
      for (const row of columns(factsOf(found).map(([what, text]) => [`  ${what}`, text]))) print.row(row)
    })
    worst = Math.max(worst, code)
  }
  return worst
}

interface FileStats extends CassetteStats {
  readonly file: string
  readonly bytes: number
  /** Epoch milliseconds: a cassette itself holds no clock. */
  readonly modified: number
  /** Long texts beside the file: those of its trajectory, and those that no recording names. */
  readonly blobs: { readonly own: Size; readonly orphans: Size }
}

interface Size {
  readonly count: number
  readonly bytes: number
}

const statsOf = async (file: string): Promise<FileStats> => {
  const held = cassetteStats(await readCassette(file))
  const { mtimeMs, size } = await stat(file)
  const blobs = await blobsBeside(file)
  const names = [basename(file), basename(file).replace(/\.cassette\.jsonl$/, ".trajectory.json")]
  return {
    file,
    bytes: size,
    modified: Math.round(mtimeMs),
    ...held,
    blobs: {
      own: sizeOf(blobs.filter(({ usedBy }) => usedBy.some((user) => names.includes(basename(user))))),
      orphans: sizeOf(blobs.filter(({ usedBy }) => usedBy.length === 0))
    }
  }
}

const sizeOf = (blobs: ReadonlyArray<{ readonly bytes: number }>): Size => ({
  count: blobs.length,
  bytes: blobs.reduce((sum, blob) => sum + blob.bytes, 0)
})

type Fact = readonly [what: string, text: string]

const factsOf = (found: FileStats): ReadonlyArray<Fact> => {
  const { blobs: { orphans, own }, calls, entries, exchanges, matching, models, modified, version } = found
  const all = Object.values(entries).reduce((sum, count) => sum + count, 0)
  return [
    ["written", `${shownTime(modified)}, ${ago(Date.now() - modified)}`],
    ["size", bytes(found.bytes)],
    ["entries", `${number(all)}: ${listed(entries)}`],
    [
      "models",
      models.map(({ answers, model, provider }) => `${safe(`${provider}:${model}`)} (${counted(answers, "answer")})`)
        .join(", ") || "none"
    ],
    ["exchanges", listed(exchanges) || "none"],
    ["calls", calls === undefined ? "not recorded (daylight record --calls)" : listed(calls) || "none"],
    ["long texts", own.count === 0 ? "none" : `${number(own.count)}, ${bytes(own.bytes)}`],
    ...(orphans.count === 0 ? [] : [
      ["", `and ${number(orphans.count)} in this folder that no recording names, ${bytes(orphans.bytes)}`] as const
    ]),
    [
      "not compared",
      [...matching.ignore, ...matching.volatile.map(({ path, pattern }) => `${path} (${pattern})`)]
        .map(safe).join(", ") || "nothing: all of a request counts"
    ],
    ["format", `${version}, with rules ${matching.version}${matching.renameIds ? ", ids renamed" : ""}`]
  ]
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts).map(([what, count]) => `${number(count)} ${safe(what)}`).join(", ")

/** Names come from a file that anybody may have written. */
const safe = (text: string): string => safeLines(text).join(" ")

const minute = 60_000

const ago = (ms: number): string => {
  if (ms < minute) return "just now"
  const [size, unit] = ms < 60 * minute ? [minute, "minute"] : ms < 1_440 * minute ? [60 * minute, "hour"] : [
    1_440 * minute,
    "day"
  ]
  return `${counted(Math.floor(ms / size), unit)} ago`
}

export interface PruneInput {
  readonly file: string
  readonly agent: string
  readonly model: string | undefined
  readonly baseUrl: string | undefined
  readonly depth: "model" | "sealed"
  readonly recorded: ReadonlyArray<string>
  readonly dryRun: boolean
  readonly json: boolean
}

export const prune = ({ agent, depth, dryRun, file, json, recorded, ...choice }: PruneInput): Promise<number> =>
  answer(async (print) => {
    logToStderr()
    const cassette = await readCassette(file)
    const { answer, options } = await chosenAgent(agent, choice)
    const report = await Replay.run({ agent: options, cassette, depth, answer, calls: recordedCalls(recorded) })
    if (report.divergence !== undefined && report.divergence.unused !== true) {
      const problem = "its replay left the recording, so nothing is dropped"
      throw new Problem(file, problem, report.divergence.report, ExitCode.failure)
    }
    const pruned = await pruneRecording(file, report, { dryRun })
    if (json) print.json({ file, ...pruned, dryRun })
    else tell(print, file, pruned, dryRun)
  })

const tell = (
  print: Print,
  file: string,
  { answers, blobs, bytes: { after, before } }: Pruned,
  dryRun: boolean
): void => {
  for (const name of answers) print.row([span(`  ${safe(name)}`)])
  for (const blob of blobs) print.row([span(`  ${blob.file} (${bytes(blob.bytes)})`)])
  if (answers.length + blobs.length === 0) return print.row([span(`${file}: all of it is used.`, "dim")])
  const what = [counted(answers.length, "answer"), ...(blobs.length === 0 ? [] : [counted(blobs.length, "long text")])]
  const size = before === after ? "" : ` (${bytes(before)}, then ${bytes(after)})`
  print.row([span(`${file}: ${what.join(" and ")} ${dryRun ? "would be " : ""}dropped${size}.`, "good")])
}

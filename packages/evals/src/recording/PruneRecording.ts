/** Takes out of a recording what a replay of it did not use. */
import { InvalidInput } from "@daylight/core"
import { readFile } from "node:fs/promises"
import type { Cassette, RecordedAnswer } from "../cassette/Cassette.ts"
import { readCassette } from "../cassette/CassetteFile.ts"
import { textOfCassette } from "../cassette/CassetteText.ts"
import { unusedNames } from "../cassette/UnusedReport.ts"
import { writeAtomic } from "../internal/AtomicFile.ts"
import { hashOf } from "../internal/Canonical.ts"
import type { ReplayReport } from "../replay/Replay.ts"
import { type BlobFile, blobsBeside, removeBlobs } from "./Blobs.ts"

export interface Pruned {
  /** Answers that nobody asked for, as in `answer 3 of 4 (answer: "Hello")`. */
  readonly answers: ReadonlyArray<string>
  /** Long texts beside the file that no recording names. */
  readonly blobs: ReadonlyArray<BlobFile>
  /** Of the file. */
  readonly bytes: { readonly before: number; readonly after: number }
}

export interface PruneOptions {
  /** Only tell. Default `false`. */
  readonly dryRun?: boolean | undefined
}

/**
 * What a whole replay of the file did not use is dropped: answers with the texts and messages that only they needed,
 * and blobs beside the file that no recording names. Bytes of servers, cells and decisions stay: a replay at another
 * depth, or of another program, uses them. The file is written as a whole, or not at all where nothing is dropped; a
 * trajectory beside it stays joined with it. Rejects with `InvalidInput` after a replay that left its recording or was
 * stopped, and with `RecordingError` for a file that is none, or of which a blob may be.
 */
export const pruneRecording = async (
  file: string,
  report: ReplayReport,
  { dryRun = false }: PruneOptions = {}
): Promise<Pruned> => {
  check(file, report)
  const cassette = await readCassette(file)
  const places = new Set(report.unusedAnswers.map(placeOf))
  const isKept = (answer: Pick<RecordedAnswer, "key" | "ordinal">) => !places.has(placeOf(answer))
  const dropped = cassette.answers.filter((answer) => !isKept(answer))
  const blobs = (await blobsBeside(file)).filter(({ usedBy }) => usedBy.length === 0)
  const before = await readFile(file)
  const after = dropped.length === 0 ? before : Buffer.from(textOfCassette(only(cassette, isKept)))
  if (!dryRun) {
    await replace(file, before, after)
    await removeBlobs(blobs)
  }
  return {
    answers: unusedNames(cassette, { answers: dropped, exchanges: [] }),
    blobs,
    bytes: { before: before.length, after: after.length }
  }
}

const placeOf = ({ key, ordinal }: Pick<RecordedAnswer, "key" | "ordinal">): string => `${key}:${ordinal}`

const only = (
  cassette: Cassette,
  isKept: (answer: Pick<RecordedAnswer, "key" | "ordinal">) => boolean
): Cassette => ({
  ...cassette,
  answers: cassette.answers.filter(isKept),
  sessions: cassette.sessions?.map((session) => ({ ...session, answers: session.answers.filter(isKept) }))
})

/** A trajectory names its cassette by its hash. What stays the same is not written. */
const replace = async (file: string, before: Buffer, after: Buffer): Promise<void> => {
  await writeAtomic(file, after)
  const trajectory = file.replace(/\.cassette\.jsonl$/, ".trajectory.json")
  if (trajectory === file) return
  const text = await readFile(trajectory, "utf8").catch(() => "") // there is none
  const linked = text.replace(hashOf(before), hashOf(after))
  if (linked !== text) await writeAtomic(trajectory, linked)
}

const check = (file: string, { divergence, unused }: ReplayReport): void => {
  const refuse = (problem: string, remedy: string): never => {
    throw new InvalidInput({ subject: file, problem, remedy })
  }
  if (divergence === undefined) {
    if (unused > 0) refuse("was replayed in part, so what it needs is not known", "Replay it to its end")
  } else if (divergence.unused !== true) {
    refuse(`its replay left the recording: ${divergence.report}`, "Mend that first: then what is left over is known")
  }
}

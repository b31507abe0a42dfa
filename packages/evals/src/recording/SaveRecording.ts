/** Puts a recording into its two files. */
import { basename, dirname, join } from "node:path"
import { printCassette } from "../cassette/CassetteText.ts"
import { writeAtomic } from "../internal/AtomicFile.ts"
import { hashOf, sorted } from "../internal/Canonical.ts"
import type { SecretOptions } from "../internal/Secrets.ts"
import type { Recording } from "../Recorder.ts"
import { withoutLargeTexts } from "../trajectory/LargeTexts.ts"
import { printTrajectory } from "../trajectory/TrajectoryFile.ts"

export interface SavedRecording {
  readonly trajectory: string
  readonly cassette: string
}

/**
 * Writes `<base>.trajectory.json` and `<base>.cassette.jsonl`, and long texts into `blobs` beside them. Rejects with
 * `RecordingError` where a secret would be written.
 */
export const saveRecording = async (
  base: string,
  recording: Recording,
  secrets?: SecretOptions
): Promise<SavedRecording> => {
  const files = { trajectory: `${base}.trajectory.json`, cassette: `${base}.cassette.jsonl` }
  const cassette = printCassette(recording.cassette, files.cassette, secrets)
  const { blobs, trajectory } = withoutLargeTexts(recording.trajectory)
  const daylight = {
    ...trajectory.extra?.["daylight"] as object,
    cassette: { path: basename(files.cassette), sha256: hashOf(cassette) }
  }
  const linked = { ...trajectory, extra: { ...trajectory.extra, daylight: sorted(daylight) } }
  const text = printTrajectory(linked, files.trajectory, secrets)
  await writeAtomic(files.cassette, cassette)
  for (const [hash, blob] of blobs) await writeAtomic(join(dirname(base), "blobs", hash.replace(":", "-")), blob)
  await writeAtomic(files.trajectory, text)
  return files
}

/** Long texts that lie in `blobs` beside recordings, and which of them a recording still names. */
import { readdir, readFile, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { unreadable } from "../cassette/CassetteFile.ts"

export interface BlobFile {
  readonly file: string
  readonly bytes: number
  /** Files beside the folder that name it. None: an orphan. */
  readonly usedBy: ReadonlyArray<string>
}

/** Those beside a recording. Rejects with `RecordingError` where a file beside it cannot be read: it may name one. */
export const blobsBeside = async (recording: string): Promise<ReadonlyArray<BlobFile>> => {
  const folder = dirname(recording)
  const within = join(folder, "blobs")
  const names = (await readdir(within).catch(() => [])).filter((name) => isBlob.test(name)) // no folder: no blobs
  if (names.length === 0) return []
  const uses = new Map<string, Array<string>>(names.map((name) => [name, []]))
  for (const file of await recordingsIn(folder)) {
    const bytes = await readFile(file).catch((error: unknown) => {
      throw unreadable(file, error)
    })
    for (const [name, files] of uses) if (bytes.includes(name.replace("-", ":"))) files.push(file)
  }
  return Promise.all(names.map(async (name): Promise<BlobFile> => {
    const file = join(within, name)
    const { size } = await stat(file)
    return { file, bytes: size, usedBy: uses.get(name) ?? [] }
  }))
}

export const removeBlobs = async (blobs: ReadonlyArray<BlobFile>): Promise<void> => {
  for (const { file } of blobs) await rm(file, { force: true })
}

/** As `saveRecording` names them. What else lies there is somebody else's. */
const isBlob = /^sha256-[0-9a-f]{64}$/

const recordingsIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => !entry.isDirectory() && /\.jsonl?$/.test(entry.name))
    .map(({ name }) => join(folder, name))

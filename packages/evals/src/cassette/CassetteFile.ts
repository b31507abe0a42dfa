/**
 * Cassettes on disk. Written as a whole or not at all; one with the same content is not touched.
 */
import { readFile } from "node:fs/promises"
import { writeAtomic } from "../internal/AtomicFile.ts"
import type { SecretOptions } from "../internal/Secrets.ts"
import { RecordingError } from "../RecordingError.ts"
import type { Cassette } from "./Cassette.ts"
import { parseCassette, printCassette } from "./CassetteText.ts"

/** Rejects with `RecordingError`: a file that is not there, cannot be read, or is no whole cassette of this version. */
export const readCassette = async (file: string): Promise<Cassette> => parseCassette(await readText(file), file)

/** Gives whether anything changed. Rejects with `RecordingError` where a secret would be written. */
export const writeCassette = async (file: string, cassette: Cassette, secrets?: SecretOptions): Promise<boolean> =>
  writeAtomic(file, printCassette(cassette, file, secrets))

export const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    throw unreadable(file, error)
  }
}

export const unreadable = (file: string, error: unknown): RecordingError => {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case "ENOENT":
      return new RecordingError({
        file,
        problem: "there is no such file",
        remedy: "Check the path, or record it first"
      })
    case "EISDIR":
      return new RecordingError({ file, problem: "is a folder", remedy: "Name a file in it" })
    default:
      return new RecordingError({
        file,
        problem: `cannot be read (${code ?? message})`,
        remedy: "Check its permissions"
      })
  }
}

/**
 * Trajectories on disk: one JSON document each, keys in order, so that the same run is the same file.
 */
import { stat } from "node:fs/promises"
import { readText, unreadable } from "../cassette/CassetteFile.ts"
import { oneLine } from "../cassette/CassetteText.ts"
import { writeAtomic } from "../internal/AtomicFile.ts"
import { canonical } from "../internal/Canonical.ts"
import { findSecret, type SecretOptions } from "../internal/Secrets.ts"
import { RecordingError } from "../RecordingError.ts"
import { DamagedDocument, readDocument } from "./LargeDocument.ts"
import type { Trajectory } from "./Trajectory.ts"
import { validateTrajectory } from "./Validate.ts"

/** Throws `RecordingError` where the text would hold a secret. */
export const printTrajectory = (trajectory: Trajectory, file = "trajectory", secrets: SecretOptions = {}): string => {
  const text = `${canonical(trajectory, 2)}\n`
  const secret = findSecret(text, secrets)
  if (secret === undefined) return text
  throw new RecordingError({
    file,
    line: text.slice(0, secret.at).split("\n").length,
    problem: `not written, because it would hold what looks like a secret (${secret.kind})`,
    remedy: "Bind it with Binding.secret, or keep it out of prompts and results"
  })
}

/** Gives whether anything changed. */
export const writeTrajectory = async (
  file: string,
  trajectory: Trajectory,
  secrets?: SecretOptions
): Promise<boolean> => writeAtomic(file, printTrajectory(trajectory, file, secrets))

/** Rejects with `RecordingError`: not there, damaged, cut off, or no valid ATIF. */
export const readTrajectory = async (file: string): Promise<Trajectory> => {
  const size = await stat(file).then((found) => found.size, () => 0) // not there: told by whoever reads it
  if (size < large) return parseTrajectory(await readText(file), file)
  return checked(await reading(file, readDocument(file)), file)
}

/** A reading whose failures are `RecordingError`s. */
export const reading = async <A>(file: string, read: Promise<A>): Promise<A> => {
  try {
    return await read
  } catch (error) {
    const remedy = "Restore the file from version control, or record it again"
    if (error instanceof DamagedDocument) {
      throw new RecordingError({ file, line: error.line, problem: `is damaged or cut off: ${oneLine(error)}`, remedy })
    }
    throw (error as NodeJS.ErrnoException).code === undefined ? error : unreadable(file, error)
  }
}

/** Bytes from which on a file is read step by step. */
export const large = 8_000_000

/** `file` is for messages. Throws `RecordingError`. */
export const parseTrajectory = (text: string, file: string): Trajectory => checked(parseDocument(text, file), file)

const checked = (document: unknown, file: string): Trajectory => {
  checkVersion(document, file)
  const problems = validateTrajectory(document)
  if (problems.length > 0) throw invalid(problems, file)
  return document as Trajectory
}

/** Throws `RecordingError` for another format, and for a version that is not known. */
export const checkVersion = (document: unknown, file: string): void => {
  const version = (document as { readonly schema_version?: unknown } | null)?.schema_version
  if (typeof version !== "string" || !version.startsWith("ATIF-")) {
    throw new RecordingError({
      file,
      problem: "is no ATIF trajectory",
      remedy: "`daylight trajectory convert` makes one of many other formats"
    })
  }
  if (!/^ATIF-v1\.[0-7]$/.test(version)) {
    throw new RecordingError({
      file,
      problem: `is written as ${version}, and ATIF-v1.7 is the newest that is known`,
      remedy: "Update @daylight/evals"
    })
  }
}

export const invalid = ([problem, ...others]: ReadonlyArray<string>, file: string): RecordingError => {
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`
  return new RecordingError({
    file,
    problem: `is no valid ATIF trajectory: ${problem}${more}`,
    remedy: "`daylight trajectory validate` lists all problems"
  })
}

/** JSON, or a `RecordingError` with the line. */
export const parseDocument = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = positionOf(error as SyntaxError, text)
    throw new RecordingError({
      file,
      ...(position !== undefined && { line: text.slice(0, position).split("\n").length }),
      problem: text.trim() === "" ? "is empty" : `is damaged or cut off: ${oneLine(error)}`,
      remedy: "Restore the file from version control, or record it again"
    })
  }
}

/** Where JSON is wrong: the engine says it by number, or by what is around it, or that the text ends too early. */
const positionOf = ({ message }: SyntaxError, text: string): number | undefined => {
  const position = /position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  const [, token = "", dots, around] = /token '(.)', (\.\.\.)?"([^]*?)"(?:\.\.\.)? is not valid/.exec(message) ?? []
  if (around === undefined) return text.length
  const at = text.indexOf(around)
  if (at < 0 || text.lastIndexOf(around) !== at) return undefined
  return at + (dots === undefined ? around.indexOf(token) : contextCharacters)
}

/** Before the place, in messages of the engine. */
const contextCharacters = 10

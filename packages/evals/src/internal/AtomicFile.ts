/**
 * Files that are there as a whole or not at all, and are not touched where nothing changed.
 */
import { randomUUID } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"

/** Gives whether the file was written: one that holds the same bytes already is left alone. */
export const writeAtomic = async (path: string, text: string | Uint8Array): Promise<boolean> => {
  const bytes = typeof text === "string" ? Buffer.from(text) : text
  const before = await readFile(path).catch(() => undefined) // not there, or not readable: written anew
  if (before !== undefined && before.equals(bytes)) return false
  await mkdir(dirname(path), { recursive: true })
  const beside = `${path}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`
  try {
    await writeFile(beside, bytes)
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  return true
}

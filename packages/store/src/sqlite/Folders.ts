/**
 * The folders of a file, made one by one: Node's own `recursive` never ends where the system refuses, as in `/proc`.
 */
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** Throws the system's own error where one of them cannot be made. */
export const makeFolders = (folder: string): void => {
  if (isFolder(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolders(above)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A SQLite file that is gone with the process. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const temporaryFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "daylight-bench-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "sessions.db")
}

/**
 * A trajectory of 50 MB: checked, compared with another one, told as events, made a page, as the command does it; the
 * most memory it ever took.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Line } from "../support/Figure.ts"

const megabytes = 50
const steps = 5_000

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const folder = mkdtempSync(join(tmpdir(), "trajectory-"))
  try {
    const [left, right] = [write(join(folder, "left.json"), ""), write(join(folder, "right.json"), "another ")]
    const child = spawnSync(process.execPath, [
      fileURLToPath(new URL("./LargeTrajectoryWorker.ts", import.meta.url)),
      left,
      right
    ], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"]
    })
    if (child.status !== 0) throw new Error(`the worker ended with ${child.status}`)
    const { kilobytes, ms } = JSON.parse(child.stdout) as { readonly kilobytes: number; readonly ms: number }
    return [
      { what: "trajectory of 50 MB, memory at most", unit: "KB", bar: 300_000, median: kilobytes, min: kilobytes },
      { what: "  checked, compared, told and made a page", unit: "ms", median: ms, min: ms }
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The two differ in one step in a hundred. */
const write = (file: string, word: string): string => {
  const size = Math.floor((megabytes * 1_000_000) / steps / 2)
  const text = "What a cell printed, line after line. ".repeat(Math.ceil(size / 38)).slice(0, size)
  writeFileSync(
    file,
    JSON.stringify({
      schema_version: "ATIF-v1.7",
      session_id: "large",
      agent: { name: "large", version: "1" },
      steps: Array.from({ length: steps }, (_, n) => ({
        step_id: n + 1,
        source: "agent",
        message: n % 100 === 50 ? `${word}${text}` : text,
        tool_calls: [{ tool_call_id: `c${n}`, function_name: "run", arguments: { code: `await step(${n})` } }],
        observation: { results: [{ source_call_id: `c${n}`, content: text }] }
      }))
    })
  )
  return file
}

/**
 * A host that is killed while its kernel runs a cell.
 */
import { spawn } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { isAlive } from "./session.ts"

export interface Doom {
  readonly code: string
  readonly confined?: boolean
  readonly spare?: boolean
}

/** Gives how many processes its kernels had, and how many of them still run. */
export const orphanedBy = async ({ code, confined = false, spare = false }: Doom) => {
  const host = spawn(
    process.execPath,
    [
      "--conditions=@daylight/source",
      "--no-warnings",
      fileURLToPath(new URL("../fixtures/doomed.ts", import.meta.url)),
      JSON.stringify({ code, confined, spare })
    ],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  await new Promise<void>((done, fail) => {
    host.stdout.once("data", () => done())
    host.once("exit", () => fail(new Error("the host ended before its kernel began")))
  })
  const processes = descendantsOf(host.pid!).filter(isKernel)
  const folders = processes.map((pid) => readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, ""))
  host.kill("SIGKILL")
  return {
    /** Where they were. */
    folders,
    processes: processes.length,
    alive: () => processes.filter(isAlive).length
  }
}

/** Children and their children, where the system tells. */
const descendantsOf = (pid: number): ReadonlyArray<number> => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

/** Also what a launcher puts around one; not what bundles its program. */
const isKernel = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--disallow-code-generation-from-strings")

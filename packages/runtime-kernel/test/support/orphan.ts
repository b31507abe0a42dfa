/**
 * A host that is killed while its kernel runs a cell.
 */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { isAlive } from "./session.ts"

/** Gives whether the kernel still runs. */
export const orphanedBy = async (code: string): Promise<() => boolean> => {
  const host = spawn(
    process.execPath,
    [
      "--conditions=@daylight/source",
      "--no-warnings",
      fileURLToPath(new URL("../fixtures/doomed.ts", import.meta.url)),
      code
    ],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  const pid = await new Promise<number>((done, fail) => {
    host.stdout.on("data", (chunk: Buffer) => done(Number(chunk.toString())))
    host.once("exit", () => fail(new Error("the host ended before its kernel began")))
  })
  host.kill("SIGKILL")
  return () => isAlive(pid)
}

/**
 * Runs code with all that a kernel's process can do: as if a cell had broken out of its context.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { kernelCommand, type Launcher } from "../../src/host/Command.ts"

export interface Found {
  readonly read: string
  readonly list: string
  readonly write: string
  readonly child: string
  readonly worker: string
  readonly sqlite: string
  readonly network: string
  readonly signal: string
  readonly env: ReadonlyArray<string>
}

export const probe = async (options: {
  readonly launcher: Launcher | undefined
  readonly file: string
  readonly port: number
  readonly host: number
}): Promise<Found> => {
  const folder = mkdtempSync(join(tmpdir(), "daylight-probe-"))
  const program = join(folder, "probe.mjs")
  writeFileSync(
    program,
    `const attempt = async (f) => { try { return String(await f()) } catch (e) { return e.code ?? e.message } }
    const found = {
      read: await attempt(async () => (await import("node:fs")).readFileSync(${JSON.stringify(options.file)}, "utf8")),
      list: await attempt(async () => (await import("node:fs")).readdirSync("/")),
      write: await attempt(async () => (await import("node:fs")).writeFileSync("/tmp/daylight-was-here", "x")),
      child: await attempt(async () => (await import("node:child_process")).execSync("id")),
      worker: await attempt(async () => new (await import("node:worker_threads")).Worker("1", { eval: true })),
      sqlite: await attempt(async () => (await import("node:sqlite")).DatabaseSync),
      network: await attempt(async () => { const { connect } = await import("node:net"); return new Promise((done, fail) => { const s = connect(${options.port}, "127.0.0.1"); s.on("connect", () => done("connected")); s.on("error", fail) }) }),
      signal: await attempt(() => process.kill(${options.host}, 0) && "sent"),
      env: Object.keys(process.env)
    }
    ;(await import("node:fs")).writeSync(4, JSON.stringify(found))
    process.exit(0)`
  )
  try {
    const { args, command, env } = kernelCommand({
      heapBytes: 2 ** 27,
      launcher: options.launcher,
      node: process.execPath,
      program
    })
    const child = spawn(command, args, {
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      env: env as NodeJS.ProcessEnv
    })
    let text = ""
    let said = ""
    child.stdio[4]!.on("data", (chunk: Buffer) => void (text += chunk.toString()))
    child.stderr!.on("data", (chunk: Buffer) => void (said += chunk.toString()))
    await new Promise((done) => child.once("close", done))
    if (text === "") throw new Error(`the probe said nothing: ${said}`)
    return JSON.parse(text) as Found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

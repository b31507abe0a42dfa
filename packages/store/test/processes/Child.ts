/**
 * A process of a script beside this file, as a test holds it.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import process from "node:process"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"

export class Child {
  readonly lines: Array<string> = []
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  readonly #exited: Promise<void>
  #stderr = ""
  #waiting: Array<() => void> = []

  constructor(script: string, ...args: ReadonlyArray<string>) {
    const path = fileURLToPath(new URL(script, import.meta.url))
    this.#child = spawn(process.execPath, ["--conditions=@daylight/source", path, ...args], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    this.#child.stderr.on("data", (chunk) => this.#stderr += String(chunk))
    createInterface(this.#child.stdout).on("line", (line) => {
      this.lines.push(line)
      this.#wake()
    })
    this.#exited = new Promise((resolve) =>
      this.#child.once("close", () => {
        resolve()
        this.#wake()
      })
    )
  }

  /** The event that was acknowledged last. */
  get acknowledged(): number {
    return Number(this.lines.findLast((line) => line.startsWith("written "))?.split(" ")[1] ?? 0)
  }

  /** The first line that begins like this. Rejects if the process ends without one. */
  async line(start: string): Promise<string> {
    while (true) {
      const found = this.lines.find((line) => line.startsWith(start))
      if (found !== undefined) return found
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`no line "${start}" from the process: ${this.lines.slice(-3).join(", ")} ${this.#stderr}`)
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  async writes(events: number): Promise<void> {
    while (this.acknowledged < events) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Without a chance to do anything more. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.#exited
  }

  stop(): void {
    this.#child.kill("SIGSTOP")
  }

  wake(): void {
    this.#child.kill("SIGCONT")
  }

  #wake(): void {
    for (const resume of this.#waiting.splice(0)) resume()
  }
}

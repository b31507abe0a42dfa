/** Starting other programs. */
import { spawn } from "node:child_process"
import process from "node:process"
import { stripVTControlCharacters } from "node:util"
import { environment, node, root } from "./Repository.mjs"

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd] the repository's root if left out
 * @property {NodeJS.ProcessEnv} [env] the repository's own environment if left out
 * @property {((line: string) => void) | undefined} [onLine] sees each line as it is printed
 *
 * @typedef {object} CommandResult
 * @property {number} code the exit code; 1 if a signal ended it, 127 if it could not be started
 * @property {string} output stdout and stderr in the order they came, without colours
 * @property {string} stdout stdout alone
 */

/**
 * Runs a program to its end and keeps what it prints. A failure is a code, never an exception.
 *
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export const capture = (command, args, { cwd = root, env = environment(), onLine } = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    let stdout = ""
    let unfinished = ""
    const receive = (/** @type {string} */ chunk) => {
      const text = stripVTControlCharacters(chunk)
      output += text
      const lines = (unfinished + text).split("\n")
      unfinished = lines.pop() ?? ""
      for (const line of lines) if (line.trim() !== "") onLine?.(line)
    }
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      stdout += chunk
      receive(chunk)
    })
    child.stderr.setEncoding("utf8").on("data", receive)
    child.on("error", (error) => resolve({ code: 127, output: `${command}: ${error.message}`, stdout }))
    child.on("close", (code) => resolve({ code: code ?? 1, output, stdout }))
  })

/**
 * Runs a program with this terminal as its own, and resolves with its exit code. Ctrl-C reaches the program, which
 * decides what to do with it.
 *
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @returns {Promise<number>}
 */
export const inherit = (command, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env: environment(), stdio: "inherit" })
    const leaveToChild = () => {}
    process.on("SIGINT", leaveToChild)
    process.on("SIGTERM", () => child.kill("SIGTERM"))
    child.on("error", reject)
    child.on("close", (code) => {
      process.off("SIGINT", leaveToChild)
      resolve(code ?? 1)
    })
  })

/** Goes on in the repository's own Node, and ends this process with its exit code. */
export const handOver = async (/** @type {ReadonlyArray<string>} */ args) => process.exit(await inherit(node, args))

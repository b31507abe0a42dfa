/**
 * The command line of a kernel: Node with nothing granted.
 */
import { realpathSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

export interface KernelCommand {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** What has to be readable for the program to start. */
  readonly reads: ReadonlyArray<string>
}

/**
 * Puts a kernel into something stronger: gets the command line, and gives the one to run. It has to hand on the
 * descriptors 2 to 5 as they are.
 */
export type Launcher = (command: KernelCommand) => KernelCommand

export interface SpawnOptions {
  readonly heapBytes: number
  readonly launcher: Launcher | undefined
  readonly node: string
  /** The program of the kernel, where it does not lie beside this module. */
  readonly program: string | undefined
}

export const kernelCommand = (
  { heapBytes, launcher, node, program = besideThis() }: SpawnOptions
): KernelCommand & { readonly args: Array<string> } => {
  const source = program.endsWith(".ts")
  const reads = [source ? repositoryOf(program) : realpathSync(program)]
  const command: KernelCommand = {
    command: node,
    args: [
      "--permission",
      ...reads.map((path) => `--allow-fs-read=${path}`),
      "--no-experimental-sqlite",
      "--disallow-code-generation-from-strings",
      "--enable-experimental-regexp-engine-on-excessive-backtracks",
      `--max-old-space-size=${Math.max(16, Math.round(heapBytes / 2 ** 20))}`,
      // For the thread that waits for SIGINT.
      "--expose-internals",
      "--no-warnings",
      ...source ? ["--conditions=@daylight/source"] : [],
      program
    ],
    env: {},
    reads
  }
  const launched = launcher?.(command) ?? command
  return { ...launched, args: [...launched.args] }
}

/** Nothing but the program itself can be read, so it is one file; in the sources of the repository it is many. */
const besideThis = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../kernel/main.ts" : "./kernel.js", import.meta.url))

const repositoryOf = (program: string): string =>
  `${dirname(fileURLToPath(new URL("../../../../package.json", `file://${program}`)))}/*`

/** Runs the command as a user would: in a process of its own, from the sources. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const command = [process.execPath, "--conditions=@daylight/source", join(root, "src/main.ts")] as const

/** An agent of the fixtures folder. */
export const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name)

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Standard input, given at once; none is an empty one. */
  readonly input?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /** Told of all output so far, whenever more comes. */
  readonly watch?: ((output: string, child: ChildProcessWithoutNullStreams) => void) | undefined
}

export const daylight = (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Result> =>
  collect(spawn(command[0], [...command.slice(1), ...args], { env: environment(options), cwd: options.cwd }), options)

/** `script` gives a process a terminal of its own. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0

/** The command on a terminal of 80 columns; `watch` types on it. Colours are off unless `env` says otherwise. */
export const onTerminal = (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Result> => {
  const line = [
    "stty cols 80 rows 40;",
    "exec",
    ...[...command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  ].join(" ")
  const env = { ...environment(options), TERM: "xterm", ...options.env }
  return collect(spawn("script", ["--quiet", "--flush", "--return", "--command", line, "/dev/null"], { env }), options)
}

const environment = (options: RunOptions): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  ...options.env
})

const collect = (child: ChildProcessWithoutNullStreams, options: RunOptions): Promise<Result> =>
  new Promise((resolve, reject) => {
    let stdout = ""
    let stderr = ""
    const seen = () => options.watch?.(stdout + stderr, child)
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
      seen()
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
      seen()
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    child.stdin.on("error", () => undefined) // the command may end before it read everything
    if (options.watch === undefined || options.input !== undefined) child.stdin.end(options.input ?? "")
  })

/** Calls each function once, when the output first holds the text before it, in this order. */
export const when = (
  ...steps: ReadonlyArray<readonly [text: string, act: (child: ChildProcessWithoutNullStreams) => void]>
) => {
  let next = 0
  let from = 0
  return (output: string, child: ChildProcessWithoutNullStreams): void => {
    for (let step = steps[next]; step !== undefined; step = steps[next]) {
      const at = output.indexOf(step[0], from)
      if (at < 0) return
      from = at + step[0].length
      next += 1
      step[1](child)
    }
  }
}

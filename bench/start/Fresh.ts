/** Programs in fresh processes, as a user starts them. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("..", import.meta.url))

/** Milliseconds from start to exit. Throws if the program fails. */
export const lifetimeOf = (args: ReadonlyArray<string>): number => {
  const started = performance.now()
  run(args)
  return performance.now() - started
}

const importing = `
const [first, then] = JSON.parse(process.argv[1])
const started = performance.now()
for (const name of first) await import(name)
const between = performance.now()
for (const name of then) await import(name)
process.stdout.write(JSON.stringify([between - started, performance.now() - between]))
`

/** Milliseconds that a process takes to import `first`, and then to import what `then` needs beyond it. */
export const importTimes = (
  first: ReadonlyArray<string>,
  then: ReadonlyArray<string>
): readonly [first: number, then: number] =>
  JSON.parse(run(["--input-type=module", "-e", importing, JSON.stringify([first, then])]))

const run = (args: ReadonlyArray<string>): string => {
  const { error, status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`node ${args.join(" ").slice(0, 200)} ended with exit code ${status}:\n${stderr}`)
  return stdout
}

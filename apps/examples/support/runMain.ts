/** Starts an example from the command line. */
import type { ExampleOptions } from "./Example.ts"

/** Ctrl-C cancels the run, a second one ends the program. An error is told in one line, with exit code 1. */
export const runMain = async (main: (options: ExampleOptions) => Promise<unknown>): Promise<void> => {
  const cancel = new AbortController()
  const interrupt = () => cancel.abort()
  process.once("SIGINT", interrupt)
  try {
    await main({ signal: cancel.signal })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    process.off("SIGINT", interrupt)
  }
}

/** Where a run is shown: on the terminal for people, or as JSON lines for programs. */
import type { Live, Outcome } from "@daylight/core"
import { Console } from "node:console"
import { complain } from "./Complaint.ts"
import { errorLine, eventLine, outcomeLine } from "./JsonLines.ts"
import { TerminalRenderer, type TerminalRendererOptions } from "./renderer/TerminalRenderer.ts"

export interface Display {
  readonly event: (live: Live) => void
  /** No more events of this run. The outcome itself is among them. */
  readonly end: (session: string, outcome: Outcome<unknown>) => void
  /** The run could not begin or broke off; the message goes to standard error. */
  readonly fail: (error: unknown) => void
  /** A line from the command itself. */
  readonly note: (text: string) => void
  /** What a person is asked with; `undefined` where nobody looks. */
  readonly renderer: TerminalRenderer | undefined
}

export const terminalDisplay = (options: TerminalRendererOptions): Display => {
  const renderer = new TerminalRenderer(options)
  return {
    renderer,
    event: (live) => renderer.event(live),
    end: () => renderer.end(),
    fail: (error) => {
      renderer.end()
      complain(error)
    },
    note: (text) => {
      const release = renderer.hold()
      process.stderr.write(`${text}\n`)
      release()
    }
  }
}

/** What the agent's own code logs goes to standard error: standard output holds what was asked for. */
export const logToStderr = (): void => {
  globalThis.console = new Console(process.stderr, process.stderr)
}

/** Standard output holds JSON lines and nothing else. */
export const jsonDisplay = (): Display => {
  logToStderr()
  return {
    renderer: undefined,
    event: (live) => void process.stdout.write(eventLine(live)),
    end: (session, outcome) => void process.stdout.write(outcomeLine(session, outcome)),
    fail: (error) => {
      process.stdout.write(errorLine(error))
      complain(error)
    },
    note: (text) => void process.stderr.write(`${text}\n`)
  }
}

/**
 * Two processes and one file of sessions. This one starts another that runs an agent, finds the agent's session in the
 * list, reads along as if it ran here, interrupts it, and sees the agent go on with what it had.
 *
 *     node apps/examples/two-processes.ts
 */
import { type Recorded, SessionStore, type SessionSummary } from "@daylight/core"
import { SqliteStore } from "@daylight/store"
import { Effect, Stream } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExampleOptions } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

export interface TwoProcessesOptions extends ExampleOptions {
  /** The file of sessions. Default: a new one in the folder for temporary files. */
  readonly store?: string | undefined
}

/** After so many soundings it is enough. */
const enough = 3

export const main = async (options: TwoProcessesOptions = {}) => {
  const output = options.output ?? process.stdout
  const filename = options.store ?? join(mkdtempSync(join(tmpdir(), "daylight-")), "sessions.db")
  output.write(`The sessions are in ${filename}\n`)
  const agent = startAgent(filename, options)
  try {
    const seen = await Effect.runPromise(
      Effect.provide(watch(output), SqliteStore.layer({ filename })),
      { signal: options.signal }
    )
    return { ...seen, pid: agent.process.pid, exitCode: await agent.ended }
  } finally {
    agent.process.kill()
  }
}

/** The other process, with the same Node and the same settings as this one. */
const startAgent = (filename: string, { env = process.env }: TwoProcessesOptions) => {
  const file = join(import.meta.dirname, "two-processes", "agent.ts")
  const child = spawn(process.execPath, [...process.execArgv, file, filename], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", resolve)
  })
  ended.catch(() => undefined) // told by whoever awaits it
  return { process: child, ended }
}

const watch = Effect.fn("watch")(function*(output: NodeJS.WritableStream) {
  const sessions = yield* SessionStore
  const listed = yield* running
  output.write(`Listed: ${listed.session} is ${listed.status}, held by ${listed.owner?.holder}\n`)

  const events: Array<string> = []
  const outcomes: Array<string> = []
  let soundings = 0
  yield* sessions.read(listed.session, { follow: true }).pipe(
    Stream.tap(({ event }) => {
      events.push(event._tag)
      show(event, output)
      if (event._tag === "RunEnded") outcomes.push(event.outcome.reason)
      if (event._tag !== "CallEnded" || ++soundings !== enough) return Effect.void
      output.write("Enough: interrupting it\n")
      return sessions.send(listed.session, { _tag: "Interrupt", by: "the other process" })
    }),
    Stream.takeUntil(() => outcomes.length === 2),
    Stream.runDrain
  )
  return { listed, events, outcomes }
})

/** Looks into the list until the agent's session is there and runs. */
const running: Effect.Effect<SessionSummary, Error, SessionStore> = Effect.gen(function*() {
  const sessions = yield* SessionStore
  for (;;) {
    const { items } = yield* sessions.list({ agent: "surveyor", status: "running" })
    if (items[0] !== undefined) return items[0]
    yield* Effect.sleep("50 millis")
  }
}).pipe(Effect.timeout("1 minute"))

const show = (event: Recorded["event"], output: NodeJS.WritableStream): void => {
  const text = textOf(event)
  if (text !== undefined) output.write(`  ${text}\n`)
}

const textOf = (event: Recorded["event"]): string | undefined => {
  switch (event._tag) {
    case "RunStarted":
      return `asked: ${event.prompt.content.find((part) => part._tag === "Text")?.text.split("\n", 1)[0]}`
    case "CellStarted":
      return `runs: ${event.code}`
    case "CallStarted":
      return `calls ${event.path}`
    case "CellEnded":
      return event.report.preview === "" ? undefined : `gives: ${event.report.preview}`
    case "RunEnded":
      return `ended: ${event.outcome.reason}`
    default:
      return undefined
  }
}

if (import.meta.main) await runMain(main)

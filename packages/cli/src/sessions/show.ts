/** `daylight sessions show`: one session, from its first event on; with `--follow` also what comes. */
import type { Origin, Recorded, SessionSummary } from "@daylight/core"
import { answer, type Print } from "../Answer.ts"
import { type Display, jsonDisplay, terminalDisplay } from "../Display.ts"
import * as ExitCode from "../ExitCode.ts"
import { type Interrupt, listen } from "../Interrupt.ts"
import { span } from "../renderer/Paint.ts"
import { type OpenStore, type StorePlace, withStore } from "../StoreAccess.ts"
import { chosenSummary } from "./SessionChoice.ts"
import { sessionFacts } from "./SessionRows.ts"

export interface ShowInput {
  readonly place: StorePlace
  readonly id: string
  readonly follow: boolean
  readonly after: number
  readonly json: boolean
  readonly verbose: boolean
}

/** With `follow` it ends with Ctrl-C, which is no error then. */
export const show = ({ after, follow, id, json, place, verbose }: ShowInput): Promise<number> =>
  answer((print) =>
    withStore(place, async (opened) => {
      // From the first row on: what a person has seen, they may interrupt.
      const interrupt = follow ? interruptible() : undefined
      const summary = await chosenSummary(opened, id)
      if (json) print.json({ type: "session", ...summary })
      else await introduce(opened, summary, print)
      const display = json ? jsonDisplay() : terminalDisplay({ verbose })
      try {
        await showEvents(opened, summary, { after, follow }, display, interrupt?.signal)
      } finally {
        interrupt?.stop()
      }
      display.renderer?.end()
    })
  )

const interruptible = (): Interrupt =>
  listen({ onCancel: () => undefined, onQuit: () => process.exit(ExitCode.ofReason("cancelled")) })

const introduce = async ({ Effect, store }: OpenStore, summary: SessionSummary, print: Print): Promise<void> => {
  print.row([span(summary.session, "accent")])
  for (const row of sessionFacts(summary)) print.row(row)
  const children = await Effect.runPromise(store.list({ parent: summary.session, limit: 20 }))
  for (const { agent, session } of children.items) print.row([span(`  child      ${session} (${agent})`)])
  if (children.next !== undefined) {
    print.row([span(`  more children: daylight sessions list --parent ${summary.session}`, "dim")])
  }
}

const showEvents = async (
  { Effect, Stream, store }: OpenStore,
  { agent, session }: SessionSummary,
  options: { readonly after: number; readonly follow: boolean },
  display: Display,
  signal: AbortSignal | undefined
): Promise<void> => {
  const origin: Origin = { session, agent: [agent], lineage: [session] }
  const each = (recorded: Recorded) => Effect.sync(() => display.event({ _tag: "Recorded", origin, recorded }))
  const reading = Stream.runForEach(store.read(session, options), each)
  try {
    await Effect.runPromise(reading, { signal })
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
}

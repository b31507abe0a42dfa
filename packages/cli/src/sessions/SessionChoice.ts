/** The session an invocation names: by its whole id, or by enough of one end of it; an agent's name may be left out. */
import type { SessionId, SessionSummary } from "@daylight/core"
import * as ExitCode from "../ExitCode.ts"
import { Problem } from "../Problem.ts"
import type { OpenStore } from "../StoreAccess.ts"

/** @throws Problem where there is none, or more than one. */
export const chosenSession = async (opened: OpenStore, name: string): Promise<SessionId> =>
  (await chosenSummary(opened, name)).session

/** @throws Problem where there is none, or more than one. */
export const chosenSummary = async ({ Effect, store }: OpenStore, name: string): Promise<SessionSummary> => {
  const meant: Array<SessionSummary> = []
  let cursor: string | undefined
  do {
    const page = await Effect.runPromise(store.list({ text: name, limit: 500, cursor }))
    const whole = page.items.find(({ session }) => session === name)
    if (whole !== undefined) return whole
    meant.push(...page.items.filter((row) => isMeant(row, name)))
    cursor = page.next
  } while (cursor !== undefined)
  const [only, ...others] = meant
  if (only === undefined) throw wrong(name, "there is no such session", "`daylight sessions list` shows them.")
  if (others.length === 0) return only
  const ids = meant.slice(0, 5).map(({ session }) => session)
  throw wrong(name, `${meant.length} sessions are called like this`, `Write more of one of them: ${ids.join(", ")}.`)
}

const isMeant = ({ agent, session }: SessionSummary, name: string): boolean =>
  session.startsWith(name) || session.endsWith(name) || session.startsWith(`${agent}-${name}`)

const wrong = (name: string, problem: string, remedy: string): Problem =>
  new Problem(`session ${name}`, problem, remedy, ExitCode.usage)

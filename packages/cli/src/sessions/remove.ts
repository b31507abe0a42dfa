/** `daylight sessions delete` and `prune`: sessions that nobody needs any more. */
import type { SessionId } from "@daylight/core"
import { answer, type Print } from "../Answer.ts"
import * as ExitCode from "../ExitCode.ts"
import { Problem } from "../Problem.ts"
import { span } from "../renderer/Paint.ts"
import { counted } from "../renderer/Quantity.ts"
import { type OpenStore, type StorePlace, withStore } from "../StoreAccess.ts"
import { parseSpan } from "./Moment.ts"
import { chosenSession } from "./SessionChoice.ts"
import { queryOf, type SessionFilter } from "./SessionFilter.ts"

export interface DeleteInput {
  readonly place: StorePlace
  readonly ids: ReadonlyArray<string>
  readonly children: boolean
  readonly json: boolean
}

/** All names are looked up before the first session is deleted. */
export const remove = ({ children, ids, json, place }: DeleteInput): Promise<number> =>
  answer((print) =>
    withStore(place, async (opened) => {
      const chosen = await inOrder(ids, (id) => chosenSession(opened, id))
      const below = children ? await inOrder(chosen, (id) => descendants(opened, id)) : []
      for (const session of new Set([...below.flat(), ...chosen])) {
        await opened.Effect.runPromise(opened.store.remove(session))
        if (json) print.json({ session })
        else print.row([span("Deleted", "good"), span(` ${session}`)])
      }
    })
  )

/** Those further down first. */
const descendants = async (opened: OpenStore, parent: SessionId): Promise<ReadonlyArray<SessionId>> => {
  const children: Array<SessionId> = []
  let cursor: string | undefined
  do {
    const page = await opened.Effect.runPromise(opened.store.list({ parent, limit: 500, cursor }))
    children.push(...page.items.map(({ session }) => session))
    cursor = page.next
  } while (cursor !== undefined)
  return [...(await inOrder(children, (child) => descendants(opened, child))).flat(), ...children]
}

const inOrder = async <A, B>(all: ReadonlyArray<A>, f: (each: A) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  for (const each of all) results.push(await f(each))
  return results
}

export interface PruneInput extends SessionFilter {
  readonly place: StorePlace
  readonly olderThan: string
  readonly keep: number
  readonly pending: boolean
  readonly dryRun: boolean
  readonly json: boolean
}

export const prune = ({ dryRun, json, keep, olderThan, pending, place, ...filter }: PruneInput): Promise<number> =>
  answer((print) => {
    const span = parseSpan("--older-than", olderThan)
    if (keep < 0) throw new Problem(`--keep ${keep}`, "is less than none", "Give 0 or more.", ExitCode.usage)
    return withStore(place, async (opened) => {
      const { core, Effect, files, store } = opened
      const { pruneSessions } = await files()
      const query = await queryOf(opened, filter)
      const pruned = await pruneSessions({ olderThan: span, keep, pending, dryRun, query }).pipe(
        Effect.provideService(core.SessionStore, store),
        Effect.runPromise
      )
      if (json) print.json({ ...pruned, dryRun })
      else tellPruned(print, pruned, dryRun)
    })
  })

const tellPruned = (
  print: Print,
  { kept, removed }: { readonly removed: ReadonlyArray<SessionId>; readonly kept: ReadonlyArray<Kept> },
  dryRun: boolean
): void => {
  for (const session of removed) print.row([span(`  ${session}`)])
  for (const { session, why } of kept) print.row([span(`  ${session} stays: ${why}`, "warn")])
  const what = counted(removed.length, "session")
  print.row([span(dryRun ? `${what} would be deleted.` : `${what} deleted.`, removed.length === 0 ? "dim" : "good")])
}

interface Kept {
  readonly session: SessionId
  readonly why: string
}

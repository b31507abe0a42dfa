/**
 * Approvals that wait in a list: for a dashboard in the application itself, and for code that decides later.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Approvals, Decided, Decision, PendingApproval } from "../Approvals.ts"

export interface ApprovalQueue extends Approvals {
  /** What waits now, oldest first. */
  readonly pending: () => ReadonlyArray<PendingApproval>
  /**
   * Gives what is wrong with the decision, `undefined` if it was taken. A decision on something that waits no more
   * changes nothing: the first one counts.
   */
  readonly decide: (key: string, decision: Decision, by: DecidedBy) => string | undefined
  /** Told of every change of the list. Gives the way to stop that. */
  readonly subscribe: (changed: (pending: ReadonlyArray<PendingApproval>) => void) => () => void
  /** The oldest that waits, as soon as there is one. */
  readonly next: () => Promise<PendingApproval>
}

/** Who decides, and in which roles. */
export type DecidedBy = string | { readonly name: string; readonly roles: ReadonlyArray<string> }

interface Entry {
  readonly pending: PendingApproval
  readonly decided: Deferred.Deferred<Decided>
}

export const makeApprovalQueue = (): ApprovalQueue => {
  const entries = new Map<string, Entry>()
  const subscribers = new Set<(pending: ReadonlyArray<PendingApproval>) => void>()
  const pending = () => [...entries.values()].map((entry) => entry.pending)

  const tell = () => {
    const now = pending()
    for (const changed of subscribers) {
      try {
        changed(now)
      } catch {
        // Who looks on cannot stop what it looks at.
      }
    }
  }

  const subscribe: ApprovalQueue["subscribe"] = (changed) => {
    subscribers.add(changed)
    return () => void subscribers.delete(changed)
  }

  return {
    pending,
    subscribe,
    ask: (pending) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const decided = Deferred.makeUnsafe<Decided>()
          entries.set(pending.key, { pending, decided })
          tell()
          return decided
        }),
        Deferred.await,
        () =>
          Effect.sync(() => {
            entries.delete(pending.key)
            tell()
          })
      ),
    decide: (key, decision, by) => {
      const entry = entries.get(key)
      if (entry === undefined) return `nothing waits for a decision under the key ${key}`
      const decided = typeof by === "string" ? { decision, by } : { decision, by: by.name, roles: by.roles }
      const problem = entry.pending.problem(decided)
      if (problem !== undefined) return problem
      entries.delete(key)
      Deferred.doneUnsafe(entry.decided, Effect.succeed(decided))
      tell()
      return undefined
    },
    next: () => {
      const [first] = pending()
      if (first !== undefined) return Promise.resolve(first)
      return new Promise((resolve) => {
        const stop = subscribe(([first]) => {
          if (first === undefined) return
          stop()
          resolve(first)
        })
      })
    }
  }
}

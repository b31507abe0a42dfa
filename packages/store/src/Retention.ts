/**
 * Sessions do not have to be kept for ever.
 */
import { type SessionId, type SessionQuery, SessionStore, type SessionSummary, type StoreError } from "@daylight/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface PruneOptions {
  /** Nothing happened for this long. */
  readonly olderThan: Duration.Input
  /** The latest ones stay, whatever their age. Default 0. */
  readonly keep?: number | undefined
  /** Only of these. Default: of all. */
  readonly query?: Omit<SessionQuery, "cursor" | "limit"> | undefined
  /**
   * Also those in which somebody still has to act: an approval waits, an effect is of unknown outcome. Default false.
   */
  readonly pending?: boolean | undefined
  /** Says what would be removed, and removes nothing. Default false. */
  readonly dryRun?: boolean | undefined
}

export interface Pruned {
  readonly removed: ReadonlyArray<SessionId>
  /** Old enough, and left: somebody owns it, or something waits in it. */
  readonly kept: ReadonlyArray<{ readonly session: SessionId; readonly why: string }>
}

export const pruneSessions = (options: PruneOptions): Effect.Effect<Pruned, StoreError, SessionStore> =>
  Effect.gen(function*() {
    const store = yield* SessionStore
    const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(Duration.fromInputUnsafe(options.olderThan))
    const old = (yield* all(store, options.query ?? {})).slice(options.keep ?? 0).filter(({ updated }) =>
      updated < before
    )
    const removed: Array<SessionId> = []
    const kept: Array<Pruned["kept"][number]> = []
    for (const row of old) {
      const why = options.pending === true ? undefined : waitingIn(row)
      if (why !== undefined) kept.push({ session: row.session, why })
      else if (row.owner !== undefined) kept.push({ session: row.session, why: `held by ${row.owner.holder}` })
      else if (options.dryRun === true) removed.push(row.session)
      else {
        const left = yield* remove(store, row.session)
        if (left === undefined) removed.push(row.session)
        else kept.push({ session: row.session, why: left })
      }
    }
    return { removed, kept }
  })

const all = (store: SessionStore["Service"], query: SessionQuery) =>
  Effect.gen(function*() {
    const rows: Array<SessionSummary> = []
    let cursor: string | undefined
    do {
      const page = yield* store.list({ ...query, limit: 500, cursor })
      rows.push(...page.items)
      cursor = page.next
    } while (cursor !== undefined)
    return rows
  })

const waitingIn = ({ pending }: SessionSummary): string | undefined =>
  pending.length === 0 ? undefined : `${pending.length} waiting for somebody`

/** Gives why it was left: it was claimed meanwhile. */
const remove = (store: SessionStore["Service"], session: SessionId): Effect.Effect<string | void, StoreError> =>
  store.remove(session).pipe(
    Effect.catchIf(({ reason }) => reason._tag === "Held", (error) => Effect.succeed(error.message)),
    Effect.catchIf(({ reason }) => reason._tag === "NotFound", () => Effect.void)
  )

import { SessionId, SessionStore } from "@daylight/core"
import { type PruneOptions, pruneSessions, SqliteStore } from "@daylight/store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { callStarted, opened, type Store } from "./events.ts"

const day = 86_400_000

/** Four sessions, 40, 30, 20 and 10 days old; an effect of the second is of unknown outcome. */
const pruned = (
  options: PruneOptions,
  before: (store: Store) => Effect.Effect<void, unknown, never> = () => Effect.void
) => {
  let now = Date.UTC(2026, 0, 1)
  const body = Effect.gen(function*() {
    const store = yield* SessionStore
    for (const [index, name] of ["oldest", "unsettled", "older", "new"].entries()) {
      const labels = index % 2 === 0 ? { even: "yes" } : {}
      yield* Effect.scoped(
        Effect.flatMap(
          store.create(SessionId.make(name), opened({ labels })),
          (journal) => name === "unsettled" ? journal.append([callStarted("k")]) : Effect.void
        )
      )
      now += 10 * day
    }
    yield* before(store)
    const { kept, removed } = yield* pruneSessions(options)
    const left = (yield* store.list({})).items.map(({ session }) => session)
    return { removed, kept, left }
  })
  return Effect.gen(function*() {
    const clock: Clock.Clock = {
      ...(yield* Clock.Clock),
      currentTimeMillisUnsafe: () => now,
      currentTimeMillis: Effect.sync(() => now)
    }
    return yield* Effect.provideService(
      Effect.provide(body, SqliteStore.layer({ filename: ":memory:" })),
      Clock.Clock,
      clock
    )
  }).pipe(Effect.runPromise)
}

describe("pruning", () => {
  test("removes what is old, and keeps what waits for somebody", async () => {
    expect(await pruned({ olderThan: "15 days" })).toEqual({
      removed: ["older", "oldest"],
      kept: [{ session: "unsettled", why: "1 waiting for somebody" }],
      left: ["new", "unsettled"]
    })
  })

  test("keeps the latest, and removes what waits only when told to", async () => {
    expect(await pruned({ olderThan: "1 day", keep: 2, pending: true })).toEqual({
      removed: ["unsettled", "oldest"],
      kept: [],
      left: ["new", "older"]
    })
  })

  test("removes only what is asked for", async () => {
    expect((await pruned({ olderThan: "1 day", query: { labels: { even: "yes" } } })).left).toEqual([
      "new",
      "unsettled"
    ])
  })

  test("only says what it would do", async () => {
    expect(await pruned({ olderThan: "15 days", dryRun: true })).toMatchObject({
      removed: ["older", "oldest"],
      left: ["new", "older", "unsettled", "oldest"]
    })
  })

  test("leaves what somebody owns", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const store = yield* SqliteStore.make({ filename: ":memory:" })
      yield* store.create(SessionId.make("mine"), opened())
      yield* Effect.sleep("5 millis")
      const { kept, removed } = yield* Effect.provideService(pruneSessions({ olderThan: 1 }), SessionStore, store)
      expect(removed).toEqual([])
      expect(kept).toMatchObject([{ session: "mine", why: expect.stringMatching(/^held by process/) }])
    }))))
})

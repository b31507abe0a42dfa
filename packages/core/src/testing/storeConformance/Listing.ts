import * as Effect from "effect/Effect"
import type { Event } from "../../Event.ts"
import type { SessionQuery } from "../../SessionStore.ts"
import type { SessionSummary } from "../../SessionSummary.ts"
import { equal, truthy } from "../conformance/Check.ts"
import {
  answered,
  asked,
  callEnded,
  callStarted,
  cellEnded,
  decided,
  opened,
  recovered,
  runContinued,
  runEnded,
  runStarted,
  settled
} from "./Events.ts"
import { id, refused, type Store, StoreGroup } from "./StoreCase.ts"

/** A session that is over. */
const write = (store: Store, session: string, open: Parameters<typeof opened>[0], ...events: ReadonlyArray<Event>) =>
  Effect.scoped(Effect.flatMap(store.create(id(session), opened(open)), (journal) => journal.append(events)))

const found = (store: Store, query: SessionQuery) =>
  Effect.map(store.list(query), ({ items }) => items.map(({ session }) => session).toSorted())

/** The row of a session after each of these appends. */
const rowsAfter = (store: Store, ...appends: ReadonlyArray<ReadonlyArray<Event>>) =>
  Effect.gen(function*() {
    const journal = yield* store.create(id("s"), opened())
    const rows: Array<SessionSummary> = []
    for (const events of appends) {
      yield* journal.append(events)
      rows.push((yield* store.list({})).items[0]!)
    }
    return rows
  })

export const listing = new StoreGroup("the list")
  .test("shows what became of a session", (store) =>
    Effect.gen(function*() {
      yield* write(
        store,
        "s",
        { agent: "analyst", labels: { team: "ops" }, parent: { session: id("p"), cell: 1, ordinal: 2 } },
        runStarted("  How many\nare there?"),
        answered({ input: 10, output: 5, cacheRead: 3 }, 0.5),
        cellEnded(1, true),
        answered({ input: 20, output: 1 }, 0.25),
        cellEnded(2, false),
        runEnded("completed")
      )
      const { items, next } = yield* store.list({})
      const { opened: at, updated, ...row } = items[0]!
      equal([items.length, next], [1, undefined], "one page")
      truthy(updated >= at && Math.abs(Date.now() - at) < 60_000, "times")
      equal(row, {
        session: "s",
        agent: "analyst",
        status: "open",
        title: "How many",
        reason: "completed",
        seq: 7,
        usage: { input: 30, output: 6, cacheRead: 3, cacheWrite: 0, reasoning: 0, estimated: false },
        usd: 0.75,
        cells: 2,
        failures: 1,
        pending: [],
        labels: { team: "ops" },
        parent: "p"
      }, "row")
    }))
  .test("follows the state of a run", (store) =>
    Effect.gen(function*() {
      const rows = yield* rowsAfter(
        store,
        [runStarted()],
        [asked("k")],
        [decided("k")],
        [asked("k2")],
        [runEnded("waiting")],
        [decided("k2")],
        [runContinued()],
        [runEnded("completed")]
      )
      equal(rows.map(({ status }) => status), [
        "running",
        "waiting",
        "running",
        "waiting",
        "waiting",
        "waiting",
        "running",
        "open"
      ], "status")
      equal(rows.map(({ reason }) => reason), [
        undefined,
        undefined,
        undefined,
        undefined,
        "waiting",
        "waiting",
        undefined,
        "completed"
      ], "reason")
      truthy(rows.every(({ owner }) => owner !== undefined && owner.holder.length > 0), "owner")
    }))
  .test("shows a question of a cell as it shows an approval", (store) =>
    Effect.gen(function*() {
      const rows = yield* rowsAfter(store, [runStarted(), asked("question", "ask")], [asked("approval", "pay")], [
        decided("question")
      ], [runEnded("cancelled")])
      equal(rows.map(({ pending }) => pending), [["question"], ["question", "approval"], ["approval"], []], "pending")
      equal(yield* found(store, { status: "waiting" }), [], "waiting")
    }))
  .test("shows an effect of unknown outcome from the moment its process is gone", (store) =>
    Effect.gen(function*() {
      yield* write(store, "s", {}, runStarted(), asked("approval"), decided("approval"), callStarted("effect"))
      const pending = Effect.map(store.list({}), ({ items }) => items[0]!.pending)
      equal(yield* pending, ["effect"], "before anybody claims it")
      const journal = yield* store.claim(id("s"))
      yield* journal.append([callEnded("unknown")])
      equal(yield* pending, ["effect"], "when its end is recorded")
      yield* journal.append([recovered(["effect"])])
      equal(yield* pending, ["effect"], "once, however often it is told")
      yield* journal.append([settled("effect")])
      equal(yield* pending, [], "until an operator settles it")
    }))
  .test(
    "does not take what ended, was harmless or is a child's run for an unknown effect",
    (store) =>
      Effect.gen(function*() {
        yield* write(
          store,
          "s",
          {},
          runStarted(),
          callStarted("done", { ordinal: 1 }),
          callEnded("completed", { ordinal: 1 }),
          callStarted("read", { ordinal: 2, effect: "none" }),
          callStarted("child", { ordinal: 3, child: id("c") })
        )
        equal((yield* store.list({})).items[0]!.pending, [], "pending")
      })
  )
  .test("finds by every filter, and by several at once", (store) =>
    Effect.gen(function*() {
      yield* write(
        store,
        "a",
        { agent: "one", labels: { team: "ops", env: "prod" } },
        runStarted("Count the Ships"),
        answered({}, 2),
        runEnded("completed", "Seven.")
      )
      yield* write(
        store,
        "b",
        { agent: "two", labels: { team: "ops" }, parent: { session: id("a"), cell: 1, ordinal: 0 } },
        runStarted("count cars"),
        cellEnded(1, true),
        runEnded("stuck")
      )
      yield* write(store, "c", { agent: "two" }, runStarted("50%_of"), answered({}, 0.1), runEnded("waiting"))
      yield* write(store, "d", { agent: "three", labels: { team: "dev" } })
      const checks: ReadonlyArray<readonly [SessionQuery, ReadonlyArray<string>]> = [
        [{}, ["a", "b", "c", "d"]],
        [{ agent: "two" }, ["b", "c"]],
        [{ agent: "none" }, []],
        [{ status: "waiting" }, ["c"]],
        [{ status: "open" }, ["a", "b", "d"]],
        [{ labels: { team: "ops" } }, ["a", "b"]],
        [{ labels: { team: "ops", env: "prod" } }, ["a"]],
        [{ labels: { team: "prod" } }, []],
        [{ text: "SHIPS" }, ["a"]],
        [{ text: "count" }, ["a", "b"]],
        [{ text: "seven" }, ["a"]],
        [{ text: "%_" }, ["c"]],
        [{ text: "thre" }, ["b", "c", "d"]],
        [{ text: "ca" }, ["b"]],
        [{ text: '"quoted' }, []],
        [{ reason: "stuck" }, ["b"]],
        [{ parent: id("a") }, ["b"]],
        [{ minUsd: 1 }, ["a"]],
        [{ failed: true }, ["b"]],
        [{ failed: false }, ["a", "c", "d"]],
        [{ since: Date.now() + 60_000 }, []],
        [{ since: Date.now() - 60_000 }, ["a", "b", "c", "d"]],
        [{ agent: "two", text: "count", failed: true, labels: { team: "ops" } }, ["b"]],
        [{ agent: "two", status: "open", reason: "waiting" }, []]
      ]
      for (const [query, expected] of checks) equal(yield* found(store, query), expected, JSON.stringify(query))
    }))
  .test("gives pages that together are the whole, latest first", (store) =>
    Effect.gen(function*() {
      for (let n = 0; n < 23; n++) yield* write(store, `s${n}`, { agent: n % 2 === 0 ? "even" : "odd" })
      const pages = (query: SessionQuery) =>
        Effect.gen(function*() {
          const all: Array<SessionSummary> = []
          let cursor: string | undefined
          do {
            const page = yield* store.list({ ...query, limit: 5, cursor })
            truthy(page.items.length <= 5, "limit")
            all.push(...page.items)
            cursor = page.next
          } while (cursor !== undefined)
          return all
        })
      const all = yield* pages({})
      equal(new Set(all.map(({ session }) => session)).size, 23, "each once")
      equal(all.length, 23, "all")
      truthy(all.every(({ updated }, n) => n === 0 || updated <= all[n - 1]!.updated), "latest first")
      equal((yield* pages({ agent: "even" })).length, 12, "filtered")
      equal((yield* store.list({ limit: 23 })).next, undefined, "a full last page has no next")
    }))
  .test(
    "refuses a cursor that it did not give",
    (store) => Effect.asVoid(refused(store.list({ cursor: "nonsense" }), "Invalid"))
  )

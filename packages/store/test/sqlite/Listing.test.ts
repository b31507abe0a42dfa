/**
 * Two characters are fewer than the index of texts knows, and are found by it nevertheless.
 */
import { SessionId, type SessionStore } from "@daylight/core"
import { SqliteStore } from "@daylight/store"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { opened, runStarted } from "../events.ts"
import { folder } from "./storage.ts"

const prompts: Readonly<Record<string, string>> = {
  whole: "ok",
  first: "Zebras",
  last: "it is a quiz",
  inner: "buzzing",
  case: "JAZZ",
  other: "größer als Ö",
  sign: '50% of it, "said" she'
}

const write = (store: SessionStore["Service"]) =>
  Effect.forEach(Object.entries(prompts), ([id, prompt]) =>
    Effect.scoped(Effect.gen(function*() {
      const journal = yield* store.create(SessionId.make(id), opened())
      yield* journal.append([runStarted(prompt)])
    })))

const found = (store: SessionStore["Service"], text: string) =>
  Effect.map(store.list({ text }), ({ items }) => items.map(({ session }) => String(session)).toSorted())

const expected: ReadonlyArray<readonly [text: string, sessions: ReadonlyArray<string>]> = [
  ["ok", ["whole"]],
  ["OK", ["whole"]],
  ["ze", ["first"]],
  ["iz", ["last"]],
  ["zz", ["case", "inner"]],
  ["0%", ["sign"]],
  ['"s', ["sign"]],
  ["ö", ["other"]],
  ["ße", ["other"]],
  ["qq", []],
  ["_z", []]
]

/** What is found by each text, in the form of `expected`. */
const results = (store: SessionStore["Service"]) =>
  Effect.forEach(expected, ([text]) => Effect.map(found(store, text), (sessions) => [text, sessions]))

const inFile = (body: (filename: string) => Effect.Effect<unknown, unknown>) =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(folder, (path) => body(join(path, "sessions.db")))))

test("finds two characters wherever they stand in a text, also read-only", () =>
  inFile((filename) =>
    Effect.gen(function*() {
      yield* Effect.scoped(Effect.flatMap(SqliteStore.make({ filename }), write))
      for (const readOnly of [false, true]) {
        const store = SqliteStore.make({ filename, readOnly })
        expect(yield* Effect.scoped(Effect.flatMap(store, results))).toEqual(expected)
      }
    })
  ))

test("finds them where many sessions have them", () =>
  inFile((filename) =>
    Effect.scoped(Effect.gen(function*() {
      const store = yield* SqliteStore.make({ filename })
      for (let n = 0; n < 2_100; n++) yield* Effect.scoped(store.create(SessionId.make(`n${n}`), opened()))
      yield* write(store)
      expect((yield* store.list({ text: "n1", limit: 2_000 })).items).toHaveLength(1_111)
      expect((yield* store.list({ text: `${opened().agent.slice(0, 2)}`, limit: 3_000 })).items).toHaveLength(2_107)
      expect(yield* results(store)).toEqual(expected)
    }))
  ), 60_000)

test("finds them in a file of the version before", () =>
  inFile((filename) =>
    Effect.gen(function*() {
      yield* Effect.scoped(Effect.flatMap(SqliteStore.make({ filename }), write))
      const db = new DatabaseSync(filename)
      db.exec("DROP TABLE trigrams; UPDATE texts SET text = rtrim(text, char(10)); PRAGMA user_version = 1")
      db.close()
      const refused = yield* Effect.flip(Effect.scoped(SqliteStore.make({ filename, readOnly: true })))
      expect(refused.message).toContain("of an older version")
      expect(yield* Effect.scoped(Effect.flatMap(SqliteStore.make({ filename }), results))).toEqual(expected)
    })
  ))

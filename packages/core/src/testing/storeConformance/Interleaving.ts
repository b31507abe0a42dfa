/**
 * Random interleavings of owners, senders and readers, held against a model of the store. What was acknowledged is
 * there, what was refused is not, in the order of the acknowledgements.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Journal } from "../../SessionStore.ts"
import { equal, fail } from "../conformance/Check.ts"
import { opened, warned } from "./Events.ts"
import { eventsOf } from "./Opening.ts"
import { id, type Store, StoreGroup } from "./StoreCase.ts"

const operations = ["claim", "release", "note", "append", "append", "append", "send", "take", "read", "list"] as const

/** What one process knows of the session. */
interface Actor {
  readonly store: Store
  /** All journals it ever had; only the last one may still write. */
  readonly journals: Array<{ readonly journal: Journal; readonly scope: Scope.Closeable; noted: Array<number> }>
}

/** The session as it should be. */
interface Model {
  readonly log: Array<number>
  readonly mail: Array<string>
  owner: Actor["journals"][number] | undefined
  next: number
}

export const interleaving = new StoreGroup("interleavings")
for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  interleaving.open(
    `of two owners, senders and readers are as in the model (seed ${seed})`,
    (storage) =>
      Effect.gen(function*() {
        const random = generator(seed)
        const actors: ReadonlyArray<Actor> = [
          { store: yield* storage.connect(), journals: [] },
          { store: yield* storage.connect(), journals: [] }
        ]
        yield* Effect.scoped(actors[0]!.store.create(id("s"), opened()))
        const model: Model = { log: [], mail: [], owner: undefined, next: 0 }
        const history: Array<string> = []
        for (let step = 0; step < 120; step++) {
          const actor = actors[random(2)]!
          const operation = operations[random(operations.length)]!
          history.push(`${actors.indexOf(actor)} ${operation}`)
          yield* Effect.catchCause(
            Effect.scoped(perform[operation](actor, model, random)),
            (cause) => Effect.sync(() => fail(`after ${history.slice(-12).join(", ")}: ${Cause.pretty(cause)}`))
          )
        }
        for (const { journals } of actors) for (const { scope } of journals) yield* Scope.close(scope, Exit.void)
      })
  )
}

type Perform = (
  actor: Actor,
  model: Model,
  random: (below: number) => number
) => Effect.Effect<void, unknown, Scope.Scope>

const perform: Readonly<Record<(typeof operations)[number], Perform>> = {
  claim: (actor, model) =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const result = yield* Effect.result(Effect.provideService(actor.store.claim(id("s")), Scope.Scope, scope))
      equal(result._tag, model.owner === undefined ? "Success" : "Failure", "claim")
      if (result._tag === "Failure") return equal(result.failure.reason._tag, "Held", "reason")
      model.owner = { journal: result.success, scope, noted: [] }
      actor.journals.push(model.owner)
    }),
  release: (actor, model) =>
    Effect.gen(function*() {
      const last = actor.journals.at(-1)
      if (last === undefined || last !== model.owner) return
      yield* Scope.close(last.scope, Exit.void)
      model.owner = undefined
    }),
  note: (actor, model, random) =>
    Effect.sync(() => {
      const one = pick(actor, random)
      if (one === undefined) return
      const number = model.next++
      const seq = one.journal.note(warned(number))
      if (one === model.owner) equal(seq, model.log.length + one.noted.length + 2, "place")
      one.noted.push(number)
    }),
  append: (actor, model, random) =>
    Effect.gen(function*() {
      const one = pick(actor, random)
      if (one === undefined) return
      const numbers = Array.from({ length: random(3) + 1 }, () => model.next++)
      const result = yield* Effect.result(one.journal.append(numbers.map(warned)))
      if (one !== model.owner) {
        equal(result._tag === "Failure" && result.failure.reason._tag, "Fenced", "append of one who is no owner")
        return
      }
      if (result._tag === "Failure") return fail(`append of the owner: ${result.failure.message}`)
      const written = [...one.noted, ...numbers]
      one.noted = []
      equal(result.success.map(({ seq }) => seq), written.map((_, n) => model.log.length + 2 + n), "places")
      model.log.push(...written)
    }),
  send: (actor, model) =>
    Effect.gen(function*() {
      const by = `m${model.next++}`
      yield* actor.store.send(id("s"), { _tag: "Interrupt", by })
      model.mail.push(by)
    }),
  take: (_, model, random) =>
    Effect.gen(function*() {
      const count = Math.min(model.mail.length, random(3))
      if (model.owner === undefined || count === 0) return
      const signals = yield* Stream.runCollect(Stream.take(model.owner.journal.signals, count))
      equal(signals.map(({ signal }) => signal.by), model.mail.slice(0, count), "signals")
      // Some are only looked at: they come again.
      for (const { taken } of signals.slice(0, random(count + 1))) {
        yield* taken
        model.mail.shift()
      }
    }),
  read: (actor, model) =>
    Effect.gen(function*() {
      const events = yield* eventsOf(actor.store, "s")
      equal(events, [opened(), ...model.log.map(warned)], "log")
    }),
  list: (actor, model) =>
    Effect.gen(function*() {
      const [row] = (yield* actor.store.list({})).items
      equal([row?.seq, row?.owner !== undefined], [model.log.length + 1, model.owner !== undefined], "row")
    })
}

/** Mostly the latest journal, now and then a stale one. */
const pick = (actor: Actor, random: (below: number) => number) =>
  random(4) === 0 ? actor.journals[random(actor.journals.length)] : actor.journals.at(-1)

/** Integers below a bound, the same for the same seed (mulberry32). */
const generator = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return below === 0 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

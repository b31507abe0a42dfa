import { Binding, type Bound, type Boundary, type Recorded, SessionId, type Value } from "@daylight/core"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { openSession, pause, program, recording, type Session, until, withSession } from "../support/session.ts"

const json = (value: unknown): Value =>
  value === undefined ? { _tag: "Devalue", text: "-1" } : { _tag: "Json", value: value as never }

/** A log that is written as the engine writes it. */
class Log {
  readonly events: Array<Recorded> = []

  readonly boundary: Boundary = {
    invoke: (call, perform, paused) => {
      const { after, args, cell, contract, entropy, operation, ordinal, path } = call
      const effect = contract?.effect ?? "external"
      this.#add({
        _tag: "CallStarted",
        cell,
        ordinal,
        path,
        operation,
        args: args.map(json),
        effect,
        key: `${cell}:${ordinal}`,
        entropy,
        after,
        callbacks: []
      })
      return Effect.tap(
        recording([]).invoke(call, perform, paused),
        (value) =>
          Effect.sync(() =>
            this.#add({
              _tag: "CallEnded",
              cell,
              ordinal,
              status: "completed",
              value: json(value),
              inPlace: call.blocking
            })
          )
      )
    },
    note: (fact) => {
      if (fact._tag === "CallbackCalled") this.#add({ ...fact, args: fact.args.map(json) })
      else this.#add(fact._tag === "VariableSet" ? { ...fact, value: json(fact.value) } : fact)
    }
  }

  #add(event: Recorded["event"]): void {
    this.events.push({ session: SessionId.make("test"), seq: this.events.length + 1, time: 0, v: 1, event })
  }
}

const bindingsWith = (effects: Array<string>): ReadonlyArray<Bound> => [
  Binding.func(async (what: string) => {
    await pause(5)
    effects.push(what)
    return `did ${what}`
  }, { name: "act" }) as Bound,
  Binding.func((x: number) => {
    effects.push(`sync ${x}`)
    return x + 1
  }, { name: "next", effect: "none" }) as Bound
]

const code = `const seen = [Math.random(), next(1), Date.now() > 0]
  seen.push(await act("first"))
  await new Promise((done) => setTimeout(done, 10))
  seen.push(...await Promise.all([act("second"), act("third")]), Math.random())
  await new Promise((done) => setTimeout(done, 40))
  seen.push(await act("last"), next(2))
  seen`

/** Runs the cell up to a point, and loses its host. */
const lostAt = async (events: number): Promise<{ readonly log: Log; readonly effects: ReadonlyArray<string> }> => {
  const effects: Array<string> = []
  const log = new Log()
  const session = await openSession({ bindings: bindingsWith(effects), boundary: log.boundary })
  session.start(code)
  await until(() => log.events.length >= events)
  const before = [...effects]
  await session.kill()
  await session.close()
  // What was written after that died with its host.
  log.events.length = events
  return { log, effects: before }
}

const goOn = async (log: Log, use: (session: Session, effects: ReadonlyArray<string>) => Promise<void>) => {
  const effects: Array<string> = []
  await withSession({ bindings: bindingsWith(effects), program }, (session) => use(session, effects))
  return log
}

describe("a cell whose host is gone", () => {
  it("goes on from the log: what had ended is not done again", async () => {
    const { log } = await lostAt(10)
    const ended = log.events.flatMap(({ event }) =>
      event._tag === "CallEnded" ? [event.value?._tag === "Json" ? event.value.value : ""] : []
    )
    assert.includeMembers(ended, [2, "did first", "did second", "did third"])
    await goOn(log, async (session, effects) => {
      const verdict = Effect.runPromise(session.runtime.replay!(log.events))
      const { report, value } = await session.run(code, { cell: 1 })
      assert.isUndefined(report.problem)
      assert.strictEqual(await verdict, "live")
      assert.deepStrictEqual(effects, ["last", "sync 2"])
      const again = value as ReadonlyArray<unknown>
      assert.deepStrictEqual(again.slice(1, 6), [2, true, "did first", "did second", "did third"])
      assert.deepStrictEqual(again.slice(7), ["did last", 3])
    })
  })

  it("stops where the log says something else", async () => {
    const { log } = await lostAt(10)
    await goOn(log, async (session, effects) => {
      const verdict = Effect.runPromise(session.runtime.replay!(log.events))
      const { report } = await session.run(code.replace('"first"', '"another"'), { cell: 1 })
      assert.strictEqual(report.problem?.name, "Diverged")
      const went = await verdict
      assert.deepInclude(went, { _tag: "Diverged", ordinal: 1 })
      assert.deepInclude(went, {
        expected: { path: "act", operation: "call", args: ["first"], after: 0 },
        came: { path: "act", operation: "call", args: ["another"], after: 0 }
      })
      assert.deepStrictEqual(effects, [])
    })
  })

  it("does again what had begun and not ended, by way of the boundary", async () => {
    const { log } = await lostAt(3)
    assert.strictEqual(log.events.at(-1)?.event._tag, "CallStarted")
    await goOn(log, async (session, effects) => {
      const verdict = Effect.runPromise(session.runtime.replay!(log.events))
      const { report } = await session.run(code, { cell: 1 })
      assert.isUndefined(report.problem)
      assert.strictEqual(await verdict, "live")
      assert.strictEqual(effects[0], "first")
    })
  })
})
